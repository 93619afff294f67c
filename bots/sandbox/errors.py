"""What goes wrong with the machine rather than with a bot."""

from engine.errors import ArenaError
from engine.match import FaultKind


class SandboxError(ArenaError):
    """The machine, not the bot, failed: no bot may be blamed, and none is run.

    Where it turns out that a bot had its hand in it, the kind says how.
    """

    def __init__(
        self, message: str, /, kind: FaultKind = FaultKind.CRASH, **fields: object
    ) -> None:
        super().__init__(message, **fields)
        self.kind = kind
        self.seat: int | None = None  # whose bot's process failed, where that is known


class NoThreadsError(SandboxError):
    """The machine has no threads left for bots, or for the arena."""

    def __init__(self, kind: FaultKind = FaultKind.CRASH) -> None:
        super().__init__(
            "no threads are left for bots: this user has too many (ulimit -u), "
            "or its control group (pids.max)",
            kind,
        )
