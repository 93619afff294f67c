"""What is done when the machine fails, for which no bot is blamed: try again, later, give up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from bots.sandbox.errors import SandboxError

MAX_CONSECUTIVE_MACHINE_FAILURES: Final = 20

T = TypeVar("T")


@dataclass(frozen=True)
class RetryPolicy:
    """How often a match or a check is tried: at once, then later with longer and longer pauses."""

    attempts: int = 3  # at once
    delay: float = 2.0  # seconds until the first retry later, then twice as long each time
    max_deferrals: int = 4  # after which a worker that is to end when nothing is due waits no more

    def run(
        self,
        action: Callable[[], T],
        on_failure: Callable[[int, SandboxError], None] = lambda _attempt, _problem: None,
    ) -> T:
        """What the action returns; the failure of the last attempt is raised."""
        attempt = 1
        while True:
            try:
                return action()
            except SandboxError as problem:
                on_failure(attempt, problem)
                if attempt >= self.attempts:
                    raise
            attempt += 1

    def delay_after(self, deferrals: int) -> float:
        """Seconds until the next try, when there were so many before."""
        return self.delay * 2.0 ** (deferrals - 1)


RETRY: Final = RetryPolicy()


class MachineFailures:
    """Counts matches that the machine kept from being played; too many in a row end the run."""

    def __init__(self) -> None:
        self.total = 0
        self._in_a_row = 0

    @property
    def are_too_many(self) -> bool:
        """Whether there is no use in going on."""
        return self._in_a_row >= MAX_CONSECUTIVE_MACHINE_FAILURES

    def reset(self) -> None:
        """A match was played."""
        self._in_a_row = 0

    def add(self, detail: str) -> None:
        """One more; SandboxError if it was the last that is put up with."""
        self.total += 1
        self._in_a_row += 1
        if self.are_too_many:
            raise SandboxError(
                f"stopped after {self._in_a_row} machine failures in a row, the last: {detail}"
            )
