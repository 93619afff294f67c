"""Leagues at work: rules, submissions, what is due, and who plays it."""
