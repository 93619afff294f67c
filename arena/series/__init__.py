"""A series of games between the same bots: played, kept, and told."""
