"""The sandbox of a stranger's bot: its layers, the level this machine allows, the container."""
