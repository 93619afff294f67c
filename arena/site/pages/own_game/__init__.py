"""A visitor's own game: before it, at the table, and what is left of it."""
