"""Fixtures played and stored: what tournaments and leagues have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Self

from arena.playing.machine_failures import MachineFailures
from arena.playing.runner import MAX_AT_ONCE, NotPlayed, Runner
from arena.schedule import Fixture
from engine.match import MatchResult
from engine.version import program_version
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage

MAX_PORTION: Final = 2000  # matches stored at once, or
PAUSE: Final = 0.25  # seconds between two writes
LONG: Final = 1.0  # seconds of a match that is stored at once: the next may be long in coming


class ResultWriter:
    """Stores the results of a tournament in portions; in a `with`, the rest is stored at the end.

    So are the ratings that follow from them. `on_stored` is called with every portion once it is in
    the database.
    """

    def __init__(
        self,
        storage: Storage,
        tournament: int,
        entrants: Sequence[int],
        rated: bool = True,
        on_stored: Callable[[list[ScheduledResult]], None] | None = None,
    ) -> None:
        self.storage = storage
        self.tournament = tournament
        self.entrants = entrants  # ids in the database, by place in the field
        self.rated = rated
        self._on_stored = on_stored
        self._waiting: list[ScheduledResult] = []
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.write()
        self.storage.ratings.bring_forward(self.tournament)

    def add(self, fixture: Fixture, result: MatchResult) -> None:
        """Store a result, now or with the next portion."""
        entrants = tuple([self.entrants[place] for place in fixture.entrants])
        self._waiting.append(
            ScheduledResult(
                fixture.number,
                fixture.id,
                fixture.stage,
                fixture.round,
                entrants,
                result,
                self.rated,
            )
        )
        pauses = time.monotonic() > self._written + PAUSE or result.seconds > LONG
        if pauses or len(self._waiting) >= MAX_PORTION:
            self.write()

    def add_failure(self, fixture: Fixture, failure: NotPlayed) -> None:
        """Store that the machine failed to play a match."""
        self.storage.results.report_incident(self.tournament, fixture.number, failure.detail)

    def write(self) -> None:
        """Put what waits into the database, where a kill cannot reach it."""
        if self._waiting:
            self.storage.results.add(self.tournament, self._waiting, program_version())
            if self._on_stored is not None:
                self._on_stored(self._waiting)
            self._waiting = []
        self._written = time.monotonic()


def play_fixtures(
    runner: Runner[Fixture],
    fixtures: Iterable[Fixture],
    writer: ResultWriter,
    failures: MachineFailures,
    on_result: Callable[[Fixture, MatchResult], MatchResult],
    on_failure: Callable[[Fixture, NotPlayed], None] | None = None,
    at_once: int = MAX_AT_ONCE,
) -> None:
    """Play fixtures and store what `on_result` makes of their results, as they come.

    What the machine failed to play is stored as that; SandboxError when it fails again and again.
    """
    matches = ((fixture, fixture.spec) for fixture in fixtures)
    for fixture, outcome in runner.run(matches, at_once):
        if isinstance(outcome, NotPlayed):
            writer.add_failure(fixture, outcome)
            if on_failure is not None:
                on_failure(fixture, outcome)
            failures.add(outcome.detail)
        else:
            failures.reset()
            writer.add(fixture, on_result(fixture, outcome))
