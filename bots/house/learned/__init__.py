"""A learned value of positions, in integers, and the ways of choosing by it; compiled."""
