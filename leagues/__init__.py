"""Leagues remember: results, ratings and who submitted what."""
