"""What the pages are about: stored contests, each read once and kept while nothing is added."""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from arena.league.table import board as league_board
from arena.records import names_of
from arena.site.film import film
from arena.site.viewer import Reel, cut
from engine.errors import ArenaError
from leagues.columns import Log, read
from leagues.entry import Entry
from leagues.fit import count_pairs
from leagues.history import Snapshot, history
from leagues.meetings import Meeting, head_to_head
from leagues.rating import Rating
from leagues.roster import Roster
from leagues.standings import Part, Table, table
from leagues.store import Slice, Stored, StoreError
from leagues.tables import Entrant, League, Tournament

T = TypeVar("T")

# A path from the root; what may be before it is in no part of it, so that time stays linear.
PATH: Final = re.compile(
    r"""(?:(?<=File ")(?:/[^"/\n]+)*|(?<![^\s"'=(,])(?:/[^\s"'=(,:/<>]+)*)"""
    r"""/([^\s"'=(,:/<>]+/[^\s"'=(,:/<>]+)"""
)

KEPT: Final = 64  # contests, tables and replays
STALE: Final = 60.0  # seconds after which a contest is read anew, as matches may be excluded
FRESH: Final = 5.0  # seconds after which one that has grown is, as a league grows all the time


class MissingError(ArenaError):
    """There is no such page."""


class Shelf:
    """Things that take time to make, each made once, the latest used kept."""

    def __init__(self, room: int = KEPT) -> None:
        self._room = room
        self._kept: OrderedDict[Hashable, tuple[float, object]] = OrderedDict()
        self._making: dict[Hashable, threading.RLock] = {}
        self._lock = threading.Lock()

    def kept(self, key: Hashable) -> object | None:
        """What is kept for this key, however old it is."""
        with self._lock:
            return self._kept.get(key, (0.0, None))[1]

    def take(self, key: Hashable, make: Callable[[], T], age: float = float("inf")) -> T:
        """What was made for this key, unless it is too old; others do not wait for it."""
        with self._lock:
            making = self._making.setdefault(key, threading.RLock())
        with making:
            with self._lock:
                found = self._kept.get(key)
                if found is not None and found[0] + age > time.monotonic():
                    self._kept.move_to_end(key)
                    return found[1]  # type: ignore[return-value]
            try:
                made = make()
            except BaseException:
                with self._lock:
                    self._making.pop(key, None)  # who asks for what is not leaves nothing
                raise
            with self._lock:
                self._kept[key] = (time.monotonic(), made)
                self._kept.move_to_end(key)
                while len(self._kept) > self._room:
                    self._making.pop(self._kept.popitem(last=False)[0], None)
            return made


@dataclass(frozen=True)
class Results:
    """Matches by game, and whether they are rated."""

    logs: dict[str, Log]
    rated: bool = True


@dataclass(frozen=True)
class LeagueFacts:
    """What a league is besides its results."""

    state: str
    rules: str
    entries: list[Entry]
    live: dict[int, Rating] = field(default_factory=dict)  # from match to match, by entrant

    def entry(self, entrant: int) -> Entry:
        """The submission that competes as this entrant."""
        return next(entry for entry in self.entries if entry.entrant == entrant)


@dataclass(frozen=True)
class Contest:
    """The results of a tournament or a league, by game, and who is who in them."""

    path: tuple[str, ...]  # of its pages
    name: str
    seed: str  # empty while it would tell the deals to come
    created: int
    command: str  # that played it, if one did
    which: Slice  # its matches
    entrants: dict[int, Entrant]
    names: dict[int, str]
    matches: int
    read: Callable[[], Results]
    rank: Callable[[Log, int | None], Table]  # of all matches, or those of so many players
    shelf: Shelf
    priors: dict[int, Rating] = field(default_factory=dict)  # where new versions began
    league: LeagueFacts | None = None

    @property
    def results(self) -> Results:
        """Read when they are asked for: the first page names many contests."""
        return self.shelf.take("results", self.read)

    @property
    def logs(self) -> dict[str, Log]:
        """The results of every game."""
        return self.results.logs

    @property
    def rated(self) -> bool:
        """If not, these are the results of bots that were not contained."""
        return self.results.rated

    def log(self, game: str | None) -> Log | None:
        """The results of this game, or of the first there is; none before the first match."""
        if game is None:
            return next(iter(self.logs.values()), None)
        if game not in self.logs:
            raise MissingError(f"expected a game of {self.name}, got {game}")
        return self.logs[game]

    def board(self, log: Log, players: int | None = None) -> Table:
        """The leaderboard, of all matches or of those of so many players."""
        if players is not None and players not in log.counts():
            raise MissingError(f"expected a number of players out of {log.counts()}, got {players}")
        return self.shelf.take(("board", log.game, players), lambda: self.rank(log, players))

    @property
    def playing(self) -> int:
        """How many bots compete: of a league, those that were accepted and have not left."""
        if self.league is None:
            return len(self.entrants)
        return sum(entry.plays for entry in self.league.entries)

    def meetings(self, log: Log) -> dict[tuple[int, int], Meeting]:
        """Every two bots who met."""
        fitted = self.board(log).fit
        return self.shelf.take(
            ("meetings", log.game), lambda: head_to_head(count_pairs(log), fitted)
        )

    def history(self, log: Log) -> list[Snapshot]:
        """Skills over the schedule."""
        return self.shelf.take(("history", log.game), lambda: history(log, priors=self.priors))

    def entrant(self, id: int) -> Entrant:
        """A bot of this contest."""
        if id not in self.entrants:
            raise MissingError(f"expected a bot of {self.name}, got {id}")
        return self.entrants[id]


class Archive:
    """Contests, matches and replays of one store, for as many readers as there are."""

    def __init__(self, store: Roster, still: bool = False) -> None:
        self.store = store
        self.still = still  # nothing is added while it is read
        self._age = float("inf") if still else 0.0
        self._matches = Shelf()
        self._contests = Shelf()
        self._reels = Shelf()

    def tournaments(self) -> list[Contest]:
        """Those that are no part of a league, the latest first."""
        stages = self._stages()
        rows = [row for row in self.store.tournaments() if row.id not in stages]
        return [self._of(row) for row in reversed(rows)]

    def tournament(self, id: int) -> Contest:
        """The tournament with this number."""
        row = next((row for row in self.store.tournaments() if row.id == id), None)
        if row is None:
            raise MissingError(f"expected a tournament of this database, got {id}")
        return self._of(row)

    def _of(self, row: Tournament) -> Contest:
        which = Slice(tournament=row.id)
        count = self.store.count(which)
        return self._growing(row.id, count, lambda: self._open(row, which, count))

    def _growing(self, key: Hashable, count: int, make: Callable[[], Contest]) -> Contest:
        """A contest that may have more matches by now."""
        kept = self._contests.kept(key)
        has_grown = isinstance(kept, Contest) and kept.matches != count
        return self._contests.take(key, make, FRESH if has_grown else STALE)

    def _open(self, row: Tournament, which: Slice, count: int) -> Contest:
        entrants = self.store.entrants(row.id)
        roster = [each.id or 0 for each in entrants]
        return Contest(
            path=("tournaments", str(row.id)),
            name=row.name,
            seed=row.seed,
            created=row.created,
            command=row.command,
            which=which,
            entrants={each.id or 0: each for each in entrants},
            names=names_of(entrants),
            matches=count,
            read=lambda: self._results(which, roster),
            rank=lambda log, players: table(log, {}, Part(players)),
            shelf=Shelf(),
        )

    def _results(self, which: Slice, roster: list[int]) -> Results:
        """The rated matches; where there are none, the others."""
        logs = read(self.store.placings(which), roster)
        if logs:
            return Results(logs)
        logs = read(self.store.placings(which, unrated=True), roster)
        return Results(logs, rated=not logs)

    def contest(self, path: tuple[str, ...]) -> Contest:
        """The contest whose pages are below this path."""
        kind, key = path
        return self.league(key) if kind == "leagues" else self.tournament(int(key))

    def contest_of(self, stored: Stored) -> Contest:
        """The contest a match belongs to."""
        league = self._stages().get(stored.match.tournament)
        return self.tournament(stored.match.tournament) if league is None else self._in(league)

    def leagues(self) -> list[Contest]:
        """All leagues, the latest first."""
        return [self._in(row) for row in reversed(self.store.leagues())]

    def league(self, name: str) -> Contest:
        """The league of this name."""
        row = next((row for row in self.store.leagues() if row.name == name), None)
        if row is None:
            raise MissingError(f"expected a league of this database, got {name}")
        return self._in(row)

    def _stages(self) -> dict[int, League]:
        """The league of every tournament that is part of one."""
        return self._contests.take("stages", self._read_stages, self._age)

    def _read_stages(self) -> dict[int, League]:
        return {
            stage.tournament: league
            for league in self.store.leagues()
            for stage, _ in self.store.stages(league.id or 0)
        }

    def _in(self, row: League) -> Contest:
        if self.still:
            return self._contests.take(row.name, lambda: self._as_of_now(row))
        return self._as_of_now(row)

    def _as_of_now(self, row: League) -> Contest:
        id = row.id or 0
        count = self.store.count(Slice(league=id))
        entries = self.store.entries(id)
        facts = LeagueFacts(self.store.state(id), row.rules, entries)
        known = tuple((entry.id, entry.status) for entry in entries)
        key = (row.name, facts.state, known)
        return self._growing(key, count, lambda: self._read_league(row, count, facts))

    def _read_league(self, row: League, count: int, facts: LeagueFacts) -> Contest:
        found = league_board(self.store, row)

        def rank(_: Log, players: int | None) -> Table:
            part = league_board(self.store, row, Part(players)) if players else found
            return replace(part.table, rows=tuple(part.rows()))

        ids = {entry.entrant for entry in facts.entries}
        entrants = [each for each in self.store.entrants() if each.id in ids]
        return Contest(
            path=("leagues", row.name),
            name=row.name,
            seed=row.seed if facts.state == "CLOSED" else "",
            created=row.created,
            command="",
            which=Slice(league=row.id),
            entrants={each.id or 0: each for each in entrants},
            names=names_of(entrants),
            matches=count,
            read=lambda: Results({found.log.game: found.log}),
            rank=rank,
            shelf=Shelf(),
            priors=found.priors,
            league=replace(facts, live=found.live),
        )

    def matches(self, which: Slice, most: int, after: int = 0) -> list[Stored]:
        """The latest matches of a slice, or those after so many of them."""
        return list(self.store.matches(which, limit=most, offset=after))

    def match(self, id: int, owner: str | None = None) -> Stored:
        """The match with this number; of a league's, what bots said is for their owners."""
        try:
            stored = self._matches.take(id, lambda: homeless(self.store.match(id)), self._age)
            return discreet(stored, owner) if stored.match.tournament in self._stages() else stored
        except StoreError as problem:
            if str(problem).startswith("expected a match"):
                raise MissingError(str(problem)) from None
            raise

    def reel(self, stored: Stored, lang: str, seat: int | None, names: tuple[str, ...]) -> Reel:
        """The replay of a match, in a language and from a seat."""
        key = (stored.match.id, lang, seat, stored.result.faults)  # told in full, or not
        return self._reels.take(key, lambda: cut(film(stored.result, lang, seat, names)))


def discreet(stored: Stored, owner: str | None) -> Stored:
    """The match without what would show a bot's source to others: tracebacks, and what it printed.

    The last line of a traceback stays, as it says what went wrong.
    """
    mine = [owner is not None and entrant.owner == owner for entrant in stored.entrants]
    faults = tuple(
        fault if mine[fault.seat] else replace(fault, detail=last_line(fault.detail))
        for fault in stored.result.faults
    )
    accounts = tuple(
        account if mine[seat] else replace(account, printed="")
        for seat, account in enumerate(stored.result.accounts)
    )
    return replace(stored, result=replace(stored.result, faults=faults, accounts=accounts))


def homeless(stored: Stored) -> Stored:
    """The match without what its faults and prints tell of where things lie on our machine."""
    result = stored.result
    faults = tuple(replace(fault, detail=shortened(fault.detail)) for fault in result.faults)
    accounts = tuple(
        replace(account, printed=shortened(account.printed)) for account in result.accounts
    )
    return replace(stored, result=replace(result, faults=faults, accounts=accounts))


def shortened(text: str) -> str:
    """Every path from the root down to a file and its folder."""
    return PATH.sub(r"\1", text)


def last_line(text: str) -> str:
    """Of many lines the one that says most."""
    return text.strip().rpartition("\n")[2]
