"""Tournaments as they are listed: each in a few numbers."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from leagues.records import Tournament, TournamentSummary
from leagues.storage.database import Database
from leagues.storage.match_filter import is_series
from leagues.storage.models.results import (
    ExclusionRow,
    MatchCountRow,
    MatchRow,
    ParticipantRow,
    StageRow,
    TournamentRow,
)


def own_tournaments() -> sa.ColumnElement[bool]:
    """The condition that a tournament is no part of a league, and no series."""
    stages = sa.exists().where(col(StageRow.tournament) == col(TournamentRow.id))
    return ~stages & ~is_series()


def summaries(database: Database, tournaments: Sequence[Tournament]) -> list[TournamentSummary]:
    """These tournaments in a few numbers, in three queries however many they are."""
    ids = [tournament.id for tournament in tournaments]
    entrants: dict[int, list[int]] = {id: [] for id in ids}
    played: dict[int, list[tuple[str, bool, int, int]]] = {id: [] for id in ids}
    with database.reading() as connection:
        for id, entrant in connection.execute(_participants(ids)):
            entrants[id].append(entrant)
        excluded = {tuple(kind): count for *kind, count in connection.execute(_excluded(ids))}
        for id, game, rated, count in connection.execute(_counts(ids)):
            kept = count - excluded.get((id, game, rated), 0)
            played[id].append((game, rated, count, kept))
    return [_summary(each, entrants[each.id], played[each.id]) for each in tournaments]


def _participants(ids: list[int]) -> "sa.Select[int, int]":
    return (
        sa.select(col(ParticipantRow.tournament), col(ParticipantRow.entrant))
        .where(col(ParticipantRow.tournament).in_(ids))
        .order_by(col(ParticipantRow.tournament), col(ParticipantRow.position))
    )


def _counts(ids: list[int]) -> "sa.Select[Any]":
    """The matches of every tournament and game, by whether they are rated."""
    columns: list[Any] = [
        col(getattr(MatchCountRow, name)) for name in ("tournament", "game", "rated")
    ]
    return (
        sa.select(*columns, sa.func.sum(col(MatchCountRow.matches)))
        .where(col(MatchCountRow.tournament).in_(ids))
        .group_by(*columns)
        .order_by(*columns)
    )


def _excluded(ids: list[int]) -> "sa.Select[Any]":
    """The same of those matches that are excluded."""
    last = sa.select(sa.func.max(col(ExclusionRow.id))).group_by(col(ExclusionRow.match))
    excluded = sa.select(col(ExclusionRow.match)).where(
        col(ExclusionRow.id).in_(last), col(ExclusionRow.excluded)
    )
    columns: list[Any] = [col(getattr(MatchRow, name)) for name in ("tournament", "game", "rated")]
    return (
        sa.select(*columns, sa.func.count())
        .where(col(MatchRow.id).in_(excluded), col(MatchRow.tournament).in_(ids))
        .group_by(*columns)
    )


def _summary(
    tournament: Tournament, entrants: list[int], played: list[tuple[str, bool, int, int]]
) -> TournamentSummary:
    kept = [(game, rated) for game, rated, _, count in played if count]
    rated = not kept or any(rated for _, rated in kept)
    return TournamentSummary(
        tournament=tournament,
        entrants=tuple(entrants),
        matches=sum(matches for _, _, matches, _ in played),
        games=tuple(sorted({game for game, is_rated in kept if is_rated or not rated})),
        rated=rated,
    )
