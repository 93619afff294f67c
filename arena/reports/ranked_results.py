"""Which results a question about ranks is about: their matches, who played, where they are from."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from arena.reports.lookup import entrants_of, find_entrant, find_league, find_tournament
from arena.reports.wording import DEFAULT_DB, display_names, join_words
from engine.errors import ArenaError
from engine.match import Variant
from leagues.errors import StorageError
from leagues.ratings.leaderboard import Leaderboard
from leagues.ratings.result_log import ResultLog
from leagues.records import Entrant, Origin, Tournament
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter

NONE_COUNTS: Final = "expected matches that count, got none but excluded ones"


@dataclass(frozen=True)
class Query:
    """Which results are asked about; those that agree with all that is given."""

    tournament: str | None = None
    game: str | None = None
    players: int | None = None
    wonder: str | None = None
    seat: int | None = None
    opponent: str | None = None
    by: str | None = None  # a table for each number of players, wonder or seat
    unrated: bool = False
    db: str = DEFAULT_DB

    @property
    def is_whole(self) -> bool:
        """Whether all matches of each kind of game are meant."""
        sides = (self.players, self.wonder, self.seat, self.opponent, self.by)
        return all(side is None for side in sides)

    def command(self, verb: str, *words: str) -> str:
        """The command line that asks this."""
        line = ["arena", "rank", verb, *words]
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                line += [f"--{field.name}"] + ([] if value is True else [str(value)])
        return shlex.join(line)


@dataclass(frozen=True)
class RankedResults:
    """The results a query is about, by kind of game, and who is who in them."""

    query: Query
    which: MatchFilter
    logs: dict[str, ResultLog]  # by the names of their kinds, which are those of the logs
    counted: dict[str, tuple[int, int]]  # by the same names: matches that count, self-meetings
    variants: dict[str, Variant]  # by the same names
    entrants: dict[int, Entrant]
    names: dict[int, str]
    tournaments: dict[int, Tournament]
    origins: list[Origin]  # those the results are from
    roster: list[int]  # who is listed without a match
    left_out: int  # matches that are not rated and were not asked for

    def entrant(self, name: str) -> int:
        """The bot of this name."""
        return find_entrant(list(self.entrants.values()), name).id

    def kind(self, made: Leaderboard | ResultLog) -> dict[str, Any]:
        """What a table is about, as values for its rows."""
        variant = self.variants[made.game]
        return {
            "game": variant.game,
            "edition": variant.edition,
            "expansions": list(variant.expansions),
            "expert": variant.expert,
        }

    def each(self, players: bool = True) -> Iterator[ResultLog]:
        """A log for each kind of game, of one number of players if that was asked for."""
        for log in self.logs.values():
            wanted = self.query.players
            yield log if wanted is None or not players else log.only(log.size == wanted)


def gather(reader: StorageReader, query: Query) -> RankedResults:
    """Read what the query is about, match by match."""
    results = outline(reader, query)
    logs = {}
    for name, variant in results.variants.items():
        part = replace(results.which, variant=variant)
        unrated = results.query.unrated
        for log in reader.results.logs(part, unrated, results.roster).values():
            if len(log):
                logs[name] = replace(log, game=name)
    if not logs:
        raise ArenaError(NONE_COUNTS)
    counts = sorted({count for log in logs.values() for count in log.counts()})
    if query.players not in (None, *counts):
        raise ArenaError(f"expected matches of {join_words(counts)} players, got {query.players}")
    check_entrants(results, {entrant for log in logs.values() for entrant in log.entrants})
    counted = {name: (len(log), log.unrated) for name, log in logs.items()}
    return replace(results, logs=logs, counted=counted)


def outline(reader: StorageReader, query: Query) -> RankedResults:
    """What the query is about, without its matches.

    A tournament that is not rated shows its own table.
    """
    league = find_league(reader, query.tournament)
    row = find_tournament(reader, query.tournament) if query.tournament and not league else None
    game = None
    if query.game:
        from engine.catalog import find  # loads the games, of which ratings need nothing else

        game = find(query.game).id
    which = MatchFilter(
        tournament=row.id if row else None,
        game=game,
        league=league,
        series=row is not None,
    )
    origins = reader.results.origins(which)
    if row is not None and origins and not any(each.rated for each in origins):
        query = replace(query, unrated=True)
    taken = [each for each in origins if each.rated or query.unrated]
    left_out = sum(each.matches for each in origins) - sum(each.matches for each in taken)
    if not taken:
        raise ArenaError(_nothing(query, left_out))
    everyone = entrants_of(reader, which)
    kinds = {str(each.variant): each.variant for each in taken}
    return RankedResults(
        query=query,
        which=which,
        logs={},
        counted={},
        variants={name: kinds[name] for name in sorted(kinds)},
        entrants={each.id: each for each in everyone},
        names=display_names(everyone),
        tournaments={each.id: each for each in reader.results.tournaments()},
        origins=taken,
        roster=[each.id for each in everyone] if row else [],
        left_out=left_out,
    )


def _nothing(query: Query, left_out: int) -> str:
    where = f"tournament {query.tournament}" if query.tournament else query.db
    of = f" of {query.game}" if query.game else ""
    if left_out:
        return (
            f"expected rated matches{of} in {where}, got {left_out:,} of bots that were not "
            "contained; --unrated shows them"
        )
    unrated = "" if query.tournament else " (games of play, compare and tune are not rated)"
    return f"expected rated matches{of} in {where}, got none{unrated}"


def check_entrants(results: RankedResults, ids: set[int]) -> None:
    """Refuse results of bots that the database does not know."""
    if missing := sorted(ids - set(results.entrants)):
        raise StorageError(
            f"{results.query.db} is damaged: entrant {missing[0]} of its results is missing; "
            "arena tournament verify lists all damage"
        )
