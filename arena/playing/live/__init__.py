"""Matches shown while they are played: what workers report, and what is published of it."""
