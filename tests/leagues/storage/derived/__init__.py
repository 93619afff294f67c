"""Tests of what is derived from results."""
