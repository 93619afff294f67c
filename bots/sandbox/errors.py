"""What goes wrong with the machine rather than with a bot."""

from engine.errors import ArenaError


class SandboxError(ArenaError):
    """The machine, not the bot, failed: no bot may be blamed, and none is run."""
