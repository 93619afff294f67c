"""What is done when the machine fails: try again, later, give up; and who answers for it.

Nobody does, unless failures cluster around a bot. A bot can bring about what looks like the
machine's failure, and have a match it was losing played again. So failures are counted by bot.
They count only if the machine, asked right after, starts a worker of our own. Two rules then tell
whose doing they are:

1. Of all matches with a bot, at least `MIN_FAILED` failed, and a share `RATIO` times as great as of
   those without it and without the other bots that failures cluster around.
2. A match failed in two rounds of attempts, every time in the process of the same bot.

By either rule the match is played once more, the bot's seat forfeited, so that it ends in a result
with a fault of the bot. By neither it is the machine's failure, and nobody's fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bots.chairs.forfeit import Forfeit
from bots.sandbox.container import Layers
from bots.sandbox.errors import NoThreadsError, SandboxError
from bots.sandbox.probe import why_not
from engine.match import FaultKind, MatchSpec

MAX_CONSECUTIVE_MACHINE_FAILURES: Final = 20
MIN_FAILED: Final = 5  # matches
RATIO: Final = 10.0

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


@dataclass(frozen=True)
class Blame:
    """What a bot is charged with that is not let play."""

    kind: FaultKind
    detail: str

    def chair(self) -> Forfeit:
        return Forfeit(self.kind, self.detail)


class AttemptLog:
    """The failed attempts at one match."""

    def __init__(self) -> None:
        self.problems: list[SandboxError] = []

    def add(self, problem: SandboxError) -> None:
        self.problems.append(problem)

    @property
    def kind(self) -> FaultKind:
        """How the last one failed."""
        return self.problems[-1].kind

    @property
    def seat(self) -> int | None:
        """The seat in whose bot's process all attempts failed; none if there is no such seat.

        A bot that had no processor is not the one that took it.
        """
        seats = {None if each.kind is FaultKind.TIME else each.seat for each in self.problems}
        return seats.pop() if len(seats) == 1 else None

    def machine_works(self, layers: Layers | None) -> bool:
        """Whether the machine works now, and was not short of threads meanwhile."""
        if any(isinstance(each, NoThreadsError) for each in self.problems):
            return False
        return can_contain(layers)


def can_contain(layers: Layers | None) -> bool:
    """Whether the machine works now: it starts workers of our own behind these walls."""
    if layers is None:
        return True
    return not (why_not(layers) or (not layers.container and why_not(layers, threads=True)))


class BlameLedger:
    """Counts, by bot, matches that were played and matches that the machine failed to play."""

    def __init__(self) -> None:
        self._total = 0
        self._played: Counter[str] = Counter()
        self._failed: dict[tuple[int, tuple[str, ...]], frozenset[str]] = {}  # by match

    def add_played(self, spec: MatchSpec) -> None:
        """A match was played to its end, by all of its bots."""
        self._total += 1
        self._played.update(set(spec.bots))

    def add_failed(self, spec: MatchSpec) -> None:
        """The machine failed to play a match, once more or for the first time."""
        self._failed[spec.seed, spec.bots] = frozenset(spec.bots)

    def culprits(self) -> dict[str, str]:
        """The bots around which failures cluster, each with the figures that tell so."""
        suspects, unexplained = self._explain(list(self._failed.values()))
        others = max(0, self._total - sum(self._played[bot] for bot in suspects))
        # One more than there was: a single match without them shows little.
        usual = (unexplained + 1) / (others + unexplained + 1)
        found = {}
        for bot in suspects:
            failed = sum(bot in table for table in self._failed.values())
            games = failed + self._played[bot]
            if failed / games > RATIO * usual:
                found[bot] = (
                    f"the machine failed in {failed} of {games} matches with this bot, "
                    f"and in {unexplained} of {others + unexplained} without such bots"
                )
        return found

    def _explain(self, failed: Sequence[frozenset[str]]) -> tuple[list[str], int]:
        """The worst bots that sat at the failed matches, and how many matches they do not explain.

        Of bots that sat at the same ones, and played as few others, none can be told apart.
        """
        suspects: list[str] = []
        unexplained = 0
        while True:
            counts = Counter(bot for table in failed for bot in table)
            shares = {
                bot: count / (count + self._played[bot] + 1)
                for bot, count in counts.items()
                if count >= MIN_FAILED
            }
            if not shares:
                return suspects, unexplained + len(failed)
            worst = max(shares, key=lambda bot: (shares[bot], bot))
            common = frozenset.intersection(*(table for table in failed if worst in table))
            if any(self._played[bot] <= self._played[worst] for bot in common - {worst}):
                unexplained += counts[worst]
            else:
                suspects.append(worst)
            failed = [table for table in failed if worst not in table]
