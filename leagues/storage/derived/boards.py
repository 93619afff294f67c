"""Which ratings are stored: a board for each kind of game of a tournament, a league, and of all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from engine.match import Variant
from leagues.ratings.trueskill_fold import FoldRules
from leagues.records import Origin, StageKind
from leagues.storage.derived.match_counts import read_origins
from leagues.storage.match_filter import ALL, MatchFilter
from leagues.storage.models.results import StageRow


@dataclass(frozen=True, slots=True)
class BoardKey:
    """One board: the matches of a kind of game in a tournament or a league, or in neither: all."""

    variant: Variant
    tournament: int | None = None
    league: int | None = None
    unrated: bool = False  # whether matches count that are not rated

    @property
    def which(self) -> MatchFilter:
        return MatchFilter(
            tournament=self.tournament,
            league=self.league,
            variant=self.variant,
            series=self.tournament is not None,
        )

    @property
    def columns(self) -> dict[str, Any]:
        """What names it in the database."""
        scope = "tournament" if self.tournament else "league" if self.league else "all"
        return {
            "scope": scope,
            "contest": self.tournament or self.league or 0,
            "kind": str(self.variant),
            "unrated": self.unrated,
        }

    def __str__(self) -> str:
        columns = self.columns
        where = "" if columns["scope"] == "all" else f" of {columns['scope']} {columns['contest']}"
        return f"{self.variant}{where}"


def all_boards(connection: sa.Connection) -> list[BoardKey]:
    """Every board that the matches call for."""
    origins = read_origins(connection, ALL)
    leagues = league_of_stages(connection)
    tournaments = sorted({origin.tournament for origin in origins})
    found = _boards(origins, None, None)
    for league in sorted(set(leagues.values())):
        own = [each for each in origins if leagues.get(each.tournament) == league]
        found += _boards(own, None, league)
    for tournament in tournaments:
        if tournament not in leagues:
            own = [each for each in origins if each.tournament == tournament]
            found += _boards(own, tournament, None)
    return found


def boards_with(connection: sa.Connection, tournament: int) -> list[BoardKey]:
    """The boards that matches of a tournament belong to."""
    query = sa.select(col(StageRow.league)).where(col(StageRow.tournament) == tournament)
    league = connection.execute(query).scalar()
    own = read_origins(connection, MatchFilter(tournament=tournament))
    if league is None:
        return _boards(own, None, None) + _boards(own, tournament, None)
    return _boards(own, None, None) + _boards(own, None, league)


def _boards(
    origins: Iterable[Origin], tournament: int | None, league: int | None
) -> list[BoardKey]:
    """One for every kind of game; a tournament without rated matches shows what it has."""
    rated = [each for each in origins if each.rated]
    unrated = not rated and tournament is not None
    kinds = {str(each.variant): each.variant for each in (origins if unrated else rated)}
    return [BoardKey(kinds[name], tournament, league, unrated) for name in sorted(kinds)]


def league_of_stages(connection: sa.Connection) -> dict[int, int]:
    """The league of every tournament that is a stage of one."""
    query = sa.select(col(StageRow.tournament), col(StageRow.league))
    return {row[0]: row[1] for row in connection.execute(query)}


def fold_rules(connection: sa.Connection, key: BoardKey) -> FoldRules:
    """What a league's ratings know besides results: versions, and how far skills may drift."""
    if key.league is None:
        return FoldRules()
    from leagues.storage.derived.league_rules import league_fold_rules  # loads submissions

    return league_fold_rules(connection, key.league)


def season_tournaments(connection: sa.Connection, key: BoardKey) -> set[int]:
    """The stages of all against all, before which bots may have changed."""
    query = sa.select(col(StageRow.tournament)).where(
        col(StageRow.league) == key.league, col(StageRow.kind) == StageKind.BALANCED.value
    )
    return set(connection.execute(query).scalars())
