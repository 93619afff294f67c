"""A local ladder: the versions of an author's bots, and their ratings."""
