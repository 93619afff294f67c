"""Tournaments and leagues as pages show them: read once, cached while no match is added."""

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from arena.league.rules import parse_rules
from arena.playing.explain import MatchExplanation, explain
from arena.reports.wording import display_names
from arena.site.cache import Cache
from arena.site.contest_sources import (
    ContestResults,
    ContestSource,
    LeagueSource,
    TournamentSource,
)
from arena.site.formatting import short_names
from arena.site.frames import build_frames
from arena.site.pages.replay import RenderedReplay, render_replay
from bots.protocol.sanitize import shorten_paths
from bots.protocol.tracebacks import summary_line
from engine.errors import ArenaError
from engine.match import MatchResult
from leagues.ratings.head_to_head import Meeting, head_to_head
from leagues.ratings.history import SkillSnapshot, skill_history
from leagues.ratings.leaderboard import Leaderboard
from leagues.ratings.result_log import ResultLog
from leagues.ratings.thurstone import count_pairs
from leagues.ratings.trueskill_fold import Rating
from leagues.records import (
    Entrant,
    League,
    LeagueDetails,
    LeagueFinal,
    LeagueState,
    StoredMatch,
    Submission,
    Tournament,
    TournamentSummary,
)
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter

MAX_CONTESTS: Final = 24  # in the cache, each with its results; and pages of lists
MIN_AGE: Final = 5.0  # seconds for which a cached contest is shown though matches are added
AGE_PER_COST: Final = 10  # times what it took to compute: a large contest is cached for longer
MAX_AGE: Final = 60.0  # seconds after which it is read again, as matches may be excluded


class MissingError(ArenaError):
    """There is no such page."""


@dataclass(frozen=True)
class LeagueFacts:
    """What a league is besides its results."""

    state: str
    rules: str
    entries: list[Submission]
    details: LeagueDetails
    final: LeagueFinal | None
    reason: str  # of the state

    def entry(self, entrant: int) -> Submission:
        """The submission that competes as this entrant."""
        return next(entry for entry in self.entries if entry.entrant == entrant)

    @property
    def known(self) -> tuple[object, ...]:
        """What differs whenever the league or one of its bots became something else."""
        bots = ((len(entry.events), entry.is_current, entry.label) for entry in self.entries)
        barred = tuple(entry.moderation for entry in self.entries)
        return (self.state, self.rules, self.details, barred, *bots)


@dataclass(frozen=True)
class Outline:
    """What a list says of a tournament or a league."""

    path: tuple[str, ...]  # of its pages
    name: str
    seed: str  # empty while it would tell the deals to come
    created: int
    matches: int
    games: tuple[str, ...]  # those with matches that count; of a league its game
    rated: bool  # if not, these are the results of bots that were not contained
    bots: tuple[int, ...]  # all that ever were in it
    playing: int  # bots that compete: of a league, those that were accepted and have not left
    league: LeagueFacts | None

    @property
    def title(self) -> str:
        """What people call it."""
        return self.league.details.title or self.name if self.league else self.name


@dataclass(frozen=True)
class SiteContest(Outline):
    """The results of a tournament or a league, by game, and who is who in them."""

    command: str  # that played it, if one did
    which: MatchFilter  # its matches
    entrants: dict[int, Entrant]
    labels: dict[int, str]  # of bots, with their versions
    source: ContestSource
    cache: Cache

    @property
    def names(self) -> dict[int, str]:
        """What pages call the bots."""
        return self.cache.get_or_create("names", lambda: short_names(self.labels))

    @property
    def results(self) -> ContestResults:
        """Read when they are asked for: the first page names many contests."""
        return self.cache.get_or_create("results", self.source.results)

    @property
    def logs(self) -> dict[str, ResultLog]:
        """The results of every game."""
        return self.results.logs

    @property
    def live(self) -> dict[int, Rating]:
        """Of a league, the ratings from match to match, by entrant."""
        return self.cache.get_or_create("live", self.source.live_ratings)

    def log(self, game: str | None) -> ResultLog | None:
        """The results of this game, or of the first there is; none before the first match."""
        if game is None:
            return next(iter(self.logs.values()), None)
        if game not in self.logs:
            raise MissingError("expected a game of {name}, got {game}", name=self.name, game=game)
        return self.logs[game]

    def game(self, asked: str | None) -> str | None:
        """The game asked for, or the first there is; none before the first match."""
        if asked is None:
            return next(iter(self.games), None)
        if asked not in self.games:
            raise MissingError("expected a game of {name}, got {game}", name=self.name, game=asked)
        return asked

    def whole_board(self, game: str) -> Leaderboard:
        """The leaderboard of all matches of a game, without reading them."""
        return self.cache.get_or_create(
            ("board", game, None), lambda: self.source.leaderboard(game)
        )

    def board(self, log: ResultLog, players: int | None = None) -> Leaderboard:
        """The leaderboard, of all matches or of those of so many players."""
        if players is None:
            return self.whole_board(log.game)
        if players not in log.counts():
            raise MissingError(
                "expected a number of players out of {counts}, got {players}",
                counts=log.counts(),
                players=players,
            )
        return self.cache.get_or_create(
            ("board", log.game, players), lambda: self.source.leaderboard_of(log, players)
        )

    def counts(self, game: str | None = None) -> list[int]:
        """The numbers of players at tables of this game, or of all, as far as they count.

        Matches are read only if some are excluded.
        """
        results = self.source.reader.results
        if results.any_excluded(self.which):
            logs = [log for log in self.logs.values() if game in (None, log.game)]
            return sorted({count for log in logs for count in log.counts()})
        found = results.origins(replace(self.which, game=game))
        return sorted({each.players for each in found if each.rated or not self.rated})

    def last_played(self, game: str) -> dict[int, int]:
        """When each bot played last, as far as it counts."""

        def read() -> dict[int, int]:
            results = self.source.reader.results
            if self.league:
                last = self.logs[game].last_matches()
            else:
                played = [row.entrant for row in self.whole_board(game).rows if row.games]
                which = replace(self.which, game=game)
                last = results.last_matches(which, not self.rated, played)
            times = results.played_at(set(last.values()))
            return {entrant: times[match] for entrant, match in last.items()}

        return self.cache.get_or_create(("last played", game), read)

    def meetings(self, log: ResultLog) -> dict[tuple[int, int], Meeting]:
        """Every two bots who met."""
        fitted = self.board(log).fit
        return self.cache.get_or_create(
            ("meetings", log.game), lambda: head_to_head(count_pairs(log), fitted)
        )

    def history(self, log: ResultLog) -> list[SkillSnapshot]:
        """Skills over the schedule."""
        return self.cache.get_or_create(
            ("history", log.game), lambda: skill_history(log, parents=self.results.parents)
        )

    def entrant(self, id: int) -> Entrant:
        """A bot of this contest."""
        if id not in self.entrants:
            raise MissingError("expected a bot of {name}, got {id}", name=self.name, id=id)
        return self.entrants[id]


class Contests:
    """Contests, matches and replays of one database, for as many readers as there are."""

    def __init__(
        self,
        reader: StorageReader,
        static: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.reader = reader
        self.static = static  # nothing is added while it is read
        self._clock = clock
        self._lists = Cache(MAX_CONTESTS, clock)
        self._contests = Cache(MAX_CONTESTS, clock)
        self._matches = Cache()
        self._stages = Cache()  # by tournaments that have matches
        self._replays = Cache()
        self._explanations = Cache()

    def tournaments(self, most: int, after: int = 0) -> list[Outline]:
        """Those that are no part of a league, the latest first, so many after so many."""
        return self._lists.get_or_create(
            (most, after),
            lambda: [_outline(each) for each in self.reader.results.own_tournaments(most, after)],
            lambda _, age: age < MIN_AGE,
        )

    def count(self) -> int:
        """How many tournaments are no part of a league."""
        return self.reader.results.count_own_tournaments()

    def tournament(self, id: int) -> SiteContest:
        """The tournament with this number; the stages of a league are shown under the league."""
        if self.reader.stages.stage_of(id) is not None:
            raise MissingError("expected a tournament of this database, got {id}", id=id)
        return self._tournament(id)

    def _tournament(self, id: int) -> SiteContest:
        return self._contests.get_or_create(
            id,
            lambda: self._read_tournament(self.reader.results.tournament_by_id(id)),
            self._is_fresh,
        )

    def _is_fresh(self, kept: SiteContest, age: float) -> bool:
        """Whether a contest is shown as it was read: for a while, and longer if nothing is added.

        Matches may also be excluded. A large one is not made again all the time.
        """
        if self.static or age < max(MIN_AGE, AGE_PER_COST * kept.cache.spent):
            return True
        return age < MAX_AGE and self.reader.results.count(kept.which) == kept.matches

    def _read_tournament(self, row: Tournament) -> SiteContest:
        which = MatchFilter(tournament=row.id)
        (found,) = self.reader.results.summaries([row])
        entrants = self.reader.results.entrants(row.id)
        return SiteContest(
            **vars(_outline(found)),
            command=row.command,
            which=which,
            entrants={each.id: each for each in entrants},
            labels=display_names(entrants),
            source=TournamentSource(self.reader, which, found.rated, tuple(found.entrants)),
            cache=Cache(clock=self._clock),
        )

    def contest(self, path: tuple[str, ...]) -> SiteContest:
        """The contest whose pages are below this path."""
        kind, key = path
        return self.league(key) if kind == "leagues" else self.tournament(int(key))

    def fingerprint(self, path: tuple[str, ...]) -> tuple[object, ...]:
        """What differs whenever its pages would: its matches, and what became of its bots."""
        found = self.contest(path)
        return (found.matches, () if found.league is None else found.league.known)

    def contest_of(self, stored: StoredMatch) -> SiteContest:
        """The contest a match belongs to."""
        league = self._league_of(stored)
        return self._tournament(stored.tournament) if league is None else self._league(league)

    def _league_of(self, stored: StoredMatch) -> League | None:
        """The league a match belongs to, if any: it is asked once, as that never changes."""
        id = stored.tournament
        found = self._stages.get_or_create(id, lambda: self.reader.stages.stage_of(id))
        return None if found is None else found[1]

    def leagues(self) -> Iterator[SiteContest]:
        """The leagues that were not archived, the latest first."""
        rows = self.reader.leagues.all()
        states = self.reader.leagues.states()
        for row in reversed(rows):
            if states[row.id] != LeagueState.ARCHIVED:
                yield self._league(row)

    def league(self, name: str) -> SiteContest:
        """The league of this name, unless it was archived."""
        row = self.reader.leagues.by_name(name)
        if self.reader.leagues.state(row.id) == LeagueState.ARCHIVED:
            raise MissingError("expected a league of this site, got {name}", name=name)
        return self._league(row)

    def _league(self, row: League) -> SiteContest:
        if self.static:
            return self._contests.get_or_create(
                row.name, lambda: self._read_league(row, self._facts(row)), self._is_fresh
            )
        facts = self._facts(row)

        def is_fresh(kept: SiteContest, age: float) -> bool:
            same = kept.league is not None and kept.league.known == facts.known
            return same and self._is_fresh(kept, age)

        return self._contests.get_or_create(
            row.name, lambda: self._read_league(row, facts), is_fresh
        )

    def _facts(self, row: League) -> LeagueFacts:
        id = row.id
        last = self.reader.leagues.events(id)[-1]
        return LeagueFacts(
            last.state,
            row.rules,
            self.reader.leagues.submissions(id),
            self.reader.leagues.details(id),
            self.reader.leagues.final(id),
            last.reason,
        )

    def _read_league(self, row: League, facts: LeagueFacts) -> SiteContest:
        cache = Cache(clock=self._clock)
        which = MatchFilter(league=row.id)
        ids = {entry.entrant for entry in facts.entries}
        entrants = [each for each in self.reader.results.entrants() if each.id in ids]
        return SiteContest(
            path=("leagues", row.name),
            name=row.name,
            seed=row.seed if facts.state == LeagueState.CLOSED else "",
            created=row.created,
            matches=self.reader.results.count(which),
            games=(parse_rules(row.rules, row.name).settings.game,),
            rated=all(each.is_contained for each in self.reader.results.origins(which)),
            bots=tuple(each.id for each in entrants),
            playing=sum(entry.plays for entry in facts.entries),
            league=facts,
            command="",
            which=which,
            entrants={each.id: each for each in entrants},
            labels=display_names(entrants),
            source=LeagueSource(self.reader, row, cache),
            cache=cache,
        )

    def matches(self, which: MatchFilter, most: int, after: int = 0) -> list[StoredMatch]:
        """The latest matches of a slice, or those after so many of them."""
        return list(self.reader.results.matches(which, limit=most, offset=after))

    def some_matches(self, ids: list[int]) -> list[StoredMatch]:
        """The matches with these numbers, in this order."""
        return self.reader.results.load(ids)

    def match(self, id: int, owners: Collection[str] = ()) -> StoredMatch:
        """The match with this number; of a league's, what bots said is for their owners."""
        stored = self._matches.get_or_create(
            id, lambda: strip_host_paths(self.reader.results.match(id)), lambda _, __: self.static
        )
        return stored if self._league_of(stored) is None else redact_for_viewer(stored, owners)

    def rendered(
        self, stored: StoredMatch, lang: str, seat: int | None, names: tuple[str, ...]
    ) -> RenderedReplay:
        """The replay of a match, in a language and from a seat."""
        key = (stored.id, lang, seat, stored.result.faults)  # told in full, or not
        return self._replays.get_or_create(
            key, lambda: render_replay(build_frames(stored.result, lang, seat, names))
        )

    def explained(self, id: int | str, result: MatchResult, seat: int) -> MatchExplanation:
        """A match as one of its seats lived it; TraceError if it cannot be played again.

        Stored matches have a number, finished games of visitors the word of their link.
        """
        return self._explanations.get_or_create((id, seat), lambda: explain(result, seat))


def _outline(found: TournamentSummary) -> Outline:
    """A tournament, as it is listed."""
    row = found.tournament
    return Outline(
        path=("tournaments", str(row.id)),
        name=row.name,
        seed=row.seed,
        created=row.created,
        matches=found.matches,
        games=found.games,
        rated=found.rated,
        bots=found.entrants,
        playing=len(found.entrants),
        league=None,
    )


def redact_for_viewer(stored: StoredMatch, owners: Collection[str]) -> StoredMatch:
    """The match without what would show a bot's source to others: tracebacks, and what it printed.

    What went wrong stays, in a line.
    """
    mine = [entrant.owner in owners for entrant in stored.entrants]
    faults = tuple(
        fault if mine[fault.seat] else replace(fault, detail=summary_line(fault.kind, fault.detail))
        for fault in stored.result.faults
    )
    accounts = tuple(
        account if mine[seat] else replace(account, printed="")
        for seat, account in enumerate(stored.result.accounts)
    )
    return replace(stored, result=replace(stored.result, faults=faults, accounts=accounts))


def strip_host_paths(stored: StoredMatch) -> StoredMatch:
    """The match without what its faults and prints tell of where things lie on our machine."""
    result = stored.result
    faults = tuple(replace(fault, detail=shorten_paths(fault.detail)) for fault in result.faults)
    accounts = tuple(
        replace(account, printed=shorten_paths(account.printed)) for account in result.accounts
    )
    return replace(stored, result=replace(result, faults=faults, accounts=accounts))


def last_line(text: str) -> str:
    """Of many lines the one that says most."""
    return text.strip().rpartition("\n")[2]
