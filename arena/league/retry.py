"""Tasks that a worker leaves alone for a while: they failed, and no bot is to blame."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from arena.playing.machine_failures import RETRY, RetryPolicy
from bots.sandbox.errors import SandboxError


@dataclass
class _Deferral:
    problem: Exception
    failures: int = 0
    until: float = 0.0


class RetryList:
    """Deferred tasks by their names as leases have them.

    The machine may recover; an internal error comes back every time.
    """

    def __init__(
        self, policy: RetryPolicy = RETRY, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.endless = False  # whether the worker goes on with what was given up
        self.policy = policy
        self._clock = clock
        self._deferred: dict[str, _Deferral] = {}

    def __contains__(self, task: object) -> bool:
        found = self._deferred.get(str(task))
        if found is None:
            return False
        return self._clock() < found.until or (self._is_exhausted(found) and not self.endless)

    def __bool__(self) -> bool:
        return bool(self._deferred)

    def defer(self, task: str, problem: Exception) -> None:
        """Leave a task alone: for a while if the machine failed, for good if it was not that."""
        found = self._deferred.setdefault(task, _Deferral(problem))
        found.problem = problem
        found.failures += 1
        machine = isinstance(problem, SandboxError)
        delay = self.policy.delay_after(found.failures) if machine else math.inf
        found.until = self._clock() + delay

    def is_last(self, task: str) -> bool:
        """Whether a task is given up if it fails now."""
        found = self._deferred.get(task)
        return found is not None and found.failures >= self.policy.max_deferrals - 1

    def is_exhausted(self, task: str) -> bool:
        """Whether there is nothing to wait for."""
        found = self._deferred.get(task)
        return found is not None and self._is_exhausted(found)

    def _is_exhausted(self, found: _Deferral) -> bool:
        return found.failures >= self.policy.max_deferrals or found.until == math.inf

    def drop(self, task: str) -> None:
        """It is done, by this worker or another, or is no longer to be done."""
        self._deferred.pop(task, None)

    def drop_all(self, prefix: str) -> None:
        """The same for all tasks whose names begin so."""
        for task in [task for task in self._deferred if task.startswith(prefix)]:
            self.drop(task)

    def raise_first(self) -> None:
        """Raise what was not overcome, an internal error before failures of the machine."""
        for found in sorted(self._deferred.values(), key=lambda each: each.until != math.inf):
            raise found.problem
