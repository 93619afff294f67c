"""The arena from Python: games, tournaments and comparisons of bots that are objects or specs."""
