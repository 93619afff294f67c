"""Which matches are meant, as conditions of a query."""

import json
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import col

from engine.match import Variant
from leagues.records import SERIES
from leagues.storage.models.results import (
    ExclusionRow,
    MatchCountRow,
    MatchRow,
    SeatRow,
    StageRow,
    TournamentRow,
)


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are meant: those that agree with all that is given."""

    tournament: int | None = None
    game: str | None = None
    players: int | None = None
    edition: str | None = None
    stage: str | None = None
    entrant: int | None = None  # at any seat
    faulty: bool = False  # only those in which a bot failed
    since: int | None = None  # from this place in the schedule on
    before: int | None = None  # up to the one before this place
    league: int | None = None  # in any of its stages
    variant: Variant | None = None
    series: bool = True  # whether games of play, compare and tune are meant too

    @property
    def by_kind(self) -> bool:
        """Whether matches of the same kind are all meant, or none of them."""
        return self.entrant is None and not self.faulty and self.since is self.before is None


ALL: Final = MatchFilter()


def kind_conditions(
    which: MatchFilter, table: type[MatchRow] | type[MatchCountRow] = MatchRow
) -> list[sa.ColumnElement[bool]]:
    """That a match, or a count of matches, is of the kind that is meant."""
    found = [
        column == value
        for column, value in (
            (col(table.tournament), which.tournament),
            (col(table.game), which.game),
            (col(table.players), which.players),
            (col(table.edition), which.edition),
            (col(table.stage), which.stage),
        )
        if value is not None
    ]
    if which.variant is not None:
        variant = which.variant
        found += [col(table.game) == variant.game, col(table.expert) == variant.expert]
        found.append(col(table.edition).is_not_distinct_from(variant.edition))
        found.append(col(table.expansions) == json.dumps(list(variant.expansions)))
    if which.league is not None:
        stages = sa.select(col(StageRow.tournament)).where(col(StageRow.league) == which.league)
        found.append(col(table.tournament).in_(stages))
    if not which.series:
        alone = sa.select(col(TournamentRow.id)).where(is_series())
        found.append(col(table.tournament).not_in(alone))
    return found


def is_series() -> sa.ColumnElement[bool]:
    """That a tournament has games of play, compare or tune."""
    return col(TournamentRow.config).contains(SERIES, autoescape=True)


def conditions(which: MatchFilter) -> list[sa.ColumnElement[bool]]:
    """That a match is meant."""
    found = kind_conditions(which)
    if which.since is not None:
        found.append(col(MatchRow.number) >= which.since)
    if which.before is not None:
        found.append(col(MatchRow.number) < which.before)
    other = aliased(SeatRow)
    here = sa.exists().where(col(other.match) == col(MatchRow.id))
    if which.entrant is not None:
        found.append(here.where(col(other.entrant) == which.entrant))
    if which.faulty:
        found.append(here.where(col(other.fault).is_not(None)))
    return found


def excluded_matches(connection: sa.Connection, until: int | None = None) -> set[int]:
    """The matches whose last event took them out, of all events or of those up to one."""
    query = sa.select(col(ExclusionRow.match), col(ExclusionRow.excluded)).order_by(
        col(ExclusionRow.id)
    )
    if until is not None:
        query = query.where(col(ExclusionRow.id) <= until)
    found: set[int] = set()
    for match, excluded in connection.execute(query):
        if excluded:
            found.add(match)
        else:
            found.discard(match)
    return found
