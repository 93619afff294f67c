"""Tests of what programs read."""
