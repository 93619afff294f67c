"""What a worker leaves alone for a while: it failed there, and no bot is to blame."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bots.sandbox.errors import SandboxError

LATER: Final = 2.0  # seconds until what the machine spoiled is tried again, then twice as long ...
TRIES: Final = 4  # after which a worker that is to end when nothing is due waits no more


@dataclass
class _Hold:
    problem: Exception
    failures: int = 0
    until: float = 0.0

    @property
    def is_given_up(self) -> bool:
        return self.failures >= TRIES or self.until == math.inf


class RetryList:
    """Tasks by their claims. The machine may recover; an error of ours comes back every time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.endless = False  # whether the worker has time for what was given up
        self._clock = clock
        self._held: dict[str, _Hold] = {}

    def __contains__(self, task: object) -> bool:
        hold = self._held.get(str(task))
        if hold is None:
            return False
        return self._clock() < hold.until or (hold.is_given_up and not self.endless)

    def __bool__(self) -> bool:
        return bool(self._held)

    def put_off(self, task: str, problem: Exception) -> None:
        """Leave a task alone: for a while if the machine failed, for good if it was not that."""
        hold = self._held.setdefault(task, _Hold(problem))
        hold.problem = problem
        hold.failures += 1
        wait = LATER * 2 ** (hold.failures - 1)
        hold.until = self._clock() + (wait if isinstance(problem, SandboxError) else math.inf)

    def is_given_up(self, task: str) -> bool:
        """Whether there is nothing to wait for."""
        hold = self._held.get(task)
        return hold is not None and hold.is_given_up

    def drop(self, task: str) -> None:
        """It is done, by whomever, or is no longer to be."""
        self._held.pop(task, None)

    def drop_all(self, beginning: str) -> None:
        """The same for all tasks that begin so."""
        for task in [task for task in self._held if task.startswith(beginning)]:
            self.drop(task)

    def settle(self) -> None:
        """Raise what was not overcome, an error of ours before failures of the machine."""
        for hold in sorted(self._held.values(), key=lambda hold: hold.until != math.inf):
            raise hold.problem
