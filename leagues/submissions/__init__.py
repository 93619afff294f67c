"""Bots that people hand in: their archives, and the life of a submission."""
