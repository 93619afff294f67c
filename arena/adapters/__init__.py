"""The games as other people's research tools know them."""
