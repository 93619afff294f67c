"""Ratings and statistics, computed from results."""
