"""A search for better values of a bot's parameters."""
