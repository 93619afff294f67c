"""Ratings and statistics, computed from results and never stored."""
