"""The walls around a stranger's bot: layers, the level this machine gives, the container."""
