"""Matches under way put into the database, late enough, for the site to show."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from arena.log_config import LOGGER
from arena.playing.live.reporter import EVERY, MatchKey, match_key, read_reports
from arena.schedule import Fixture
from leagues.errors import StorageError
from leagues.running_matches import RunningMatch
from leagues.storage.handle import Storage

MAX_WARNINGS: Final = 3  # of a stage


class MatchPublisher:
    """Stores once a second how far matches had come the delay ago; in a `with`, while they run.

    What is younger than the delay is in no database. This is the process that stores results too,
    so that no other one of a worker needs the database; a match that it has stored, or given up,
    it has no claim of any more, and what has no claim is not kept.
    """

    def __init__(
        self,
        storage: Storage,
        worker: int,
        tournament: int,
        entrants: Sequence[int],
        folder: Path,
        delay: float,
        every: float = EVERY,
    ) -> None:
        self._storage = storage
        self._worker = worker
        self._tournament = tournament
        self._entrants = entrants  # ids in the database, by place in the field
        self._folder = folder
        self._delay = delay
        self._every = every
        self._fixtures: dict[MatchKey, Fixture] = {}
        self._published: dict[MatchKey, RunningMatch] = {}
        self._over = threading.Event()
        self._warnings = 0
        self._thread = threading.Thread(target=self._publish_on, name="live matches", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def follow(self, fixtures: Iterable[Fixture]) -> Iterator[Fixture]:
        """The same matches, each of which may begin as soon as it is handed out."""
        for fixture in fixtures:
            self._fixtures[match_key(fixture.spec)] = fixture
            yield fixture

    def _publish_on(self) -> None:
        while not self._over.wait(self._every):
            try:
                self.publish()
            except (StorageError, OSError) as problem:  # there is a next time
                self._warnings += 1
                if self._warnings <= MAX_WARNINGS:
                    LOGGER.warning("matches under way were not published: %s", problem)

    def publish(self) -> None:
        """Store what is old enough, and was not when this was done last."""
        moment = time.monotonic() - self._delay
        new: dict[MatchKey, RunningMatch] = {}
        for report in read_reports(self._folder):
            decisions = report.until(moment)
            fixture = self._fixtures.get(report.key)
            if decisions is None or fixture is None:
                continue
            entrants = tuple(self._entrants[place] for place in fixture.entrants)
            new[report.key] = RunningMatch(
                self._tournament, fixture.number, fixture.spec, entrants, decisions
            )
        changed = {key: it for key, it in new.items() if self._published.get(key) != it}
        if changed:
            self._storage.running.save(self._worker, list(changed.values()))
            self._published |= changed
