"""The games of play, compare and tune, kept in the database to be looked at; they are not rated."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from arena.playing.entrants import Contender
from arena.playing.progress import notify
from arena.reports.wording import DEFAULT_DB
from engine.errors import ArenaError
from engine.match import MatchResult
from engine.rng import draw_seed
from engine.version import program_version
from leagues.errors import RefusedError

if TYPE_CHECKING:
    from leagues.storage.codec import ScheduledResult
    from leagues.storage.handle import Storage

MAX_PORTION: Final = 200  # games stored at once, or
PAUSE: Final = 1.0  # seconds between two writes
MAX_ATTEMPTS: Final = 20  # at a name, while others begin series too


class SavedGames:
    """One series of games in a database, each stored under its number; to be used in a `with`.

    The database is opened for the first game, since that takes longer than many a game. If it is
    the one that nobody named and it cannot be written, that is said and the games go on.
    """

    def __init__(
        self, db: str | None, kind: str, seed: int, command: str, field: Sequence[Contender]
    ) -> None:
        self.db = db  # nothing is kept without one
        self.kind = kind  # play, compare or tune
        self.seed = seed
        self.command = command
        self.field = field
        self.name = ""  # of the series, once there is a game
        self._storage: Storage | None = None
        self._series = 0
        self._entrants: dict[str, int] = {}  # by digest
        self._waiting: list[tuple[int, int, tuple[Contender, ...], MatchResult]] = []
        self._written = time.monotonic()
        self._works = db is not None
        if db not in (None, DEFAULT_DB):
            self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.write()
        finally:
            if self._storage is not None:
                self._storage.close()

    def add(self, number: int, round: int, bots: Sequence[Contender], result: MatchResult) -> None:
        """Store a game of these bots, by seat, now or with the next portion."""
        self._waiting.append((number, round, tuple(bots), result))
        if len(self._waiting) >= MAX_PORTION or time.monotonic() > self._written + PAUSE:
            self.write()

    def write(self) -> None:
        """Put what waits into the database."""
        if self._waiting and self._works:
            try:
                storage = self._open()
                self._begin(storage)
                rows = [self._scheduled(*each) for each in self._waiting]
                storage.results.add(self._series, rows, program_version())
            except ArenaError as problem:
                self._give_up(problem)
        self._waiting = []
        self._written = time.monotonic()

    def match_ids(self) -> dict[int, int]:
        """The match of every number that is stored."""
        self.write()
        if self._storage is None or not self._series:
            return {}
        from leagues.storage.match_filter import MatchFilter

        results = self._storage.reader.results
        ids = results.ids(MatchFilter(tournament=self._series), latest_first=False)
        return dict(zip(results.played(self._series), ids, strict=True))

    def _open(self) -> Storage:
        if self._storage is None:
            from leagues.storage.handle import open_storage

            assert self.db is not None
            self._storage = open_storage(self.db)
        return self._storage

    def _scheduled(
        self, number: int, round: int, bots: tuple[Contender, ...], result: MatchResult
    ) -> ScheduledResult:
        from leagues.storage.codec import ScheduledResult

        entrants = tuple([self._entrant(bot) for bot in bots])
        fixture = f"{self.kind}-{number}"
        return ScheduledResult(number, fixture, self.kind, round, entrants, result, rated=False)

    def _entrant(self, bot: Contender) -> int:
        if bot.digest not in self._entrants:
            entrant = self._open().results.get_or_create_entrant(
                bot.label, bot.spec, bot.digest, bot.version
            )
            self._entrants[bot.digest] = entrant.id
        return self._entrants[bot.digest]

    def _begin(self, storage: Storage) -> None:
        """Begin the series, with the next number of its kind that is free."""
        if self._series:
            return
        config = {"kind": self.kind, "run": draw_seed()}
        entrants = [self._entrant(bot) for bot in self.field]
        first = len(storage.reader.results.tournaments()) + 1
        refusal = RefusedError(f"expected a free name such as {self.kind}-{first}, got none")
        for number in range(first, first + MAX_ATTEMPTS):
            name = f"{self.kind}-{number}"
            try:
                found = storage.results.get_or_create_tournament(
                    name, self.seed, config, entrants, None, self.command
                )
            except RefusedError as problem:  # taken, or nothing that can be stored
                refusal = problem
                continue
            self._series, self.name = found.id, found.name
            return
        raise refusal

    def _give_up(self, problem: ArenaError) -> None:
        if self.db != DEFAULT_DB:
            raise problem
        self._works = False
        notify(f"the games are not saved: {problem} (--db names another database)")
