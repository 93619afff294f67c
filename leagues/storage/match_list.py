"""Tournaments as they are listed: each in a few numbers, and page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, select

from leagues.storage.database import translate_db_errors
from leagues.storage.models import Exclusion, Match, Participant, Stage, Tournament
from leagues.storage.results import Store


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament, who is in it, and what was played."""

    row: Tournament
    entrants: tuple[int, ...]
    matches: int  # all there are
    games: tuple[str, ...]  # of the matches that count: the rated, or where there are none all
    rated: bool  # whether those that count are rated


def own_tournaments(store: Store, limit: int, offset: int = 0) -> list[Listed]:
    """Those that are no part of a league, the latest first."""
    query = (
        select(Tournament)
        .where(_is_own())
        .order_by(col(Tournament.id).desc())
        .limit(limit)
        .offset(offset)
    )
    with translate_db_errors(store.engine), Session(store.engine) as session:
        rows = list(session.exec(query))
    return listed(store, rows)


def count_own(store: Store) -> int:
    """How many tournaments are no part of a league."""
    query = sa.select(sa.func.count()).select_from(Tournament).where(_is_own())
    with translate_db_errors(store.engine), store.engine.connect() as connection:
        return connection.execute(query).scalar_one()


def _is_own() -> sa.ColumnElement[bool]:
    return ~sa.exists().where(col(Stage.tournament) == col(Tournament.id))


def listed(store: Store, rows: Sequence[Tournament]) -> list[Listed]:
    """These tournaments in a few numbers, which takes two questions however many they are."""
    ids = [row.id or 0 for row in rows]
    entrants: dict[int, list[int]] = {id: [] for id in ids}
    played: dict[int, list[tuple[str, bool, int, int]]] = {id: [] for id in ids}
    with translate_db_errors(store.engine), store.engine.connect() as connection:
        for id, entrant in connection.execute(_participants(ids)):
            entrants[id].append(entrant)
        for id, *counted in connection.execute(_counts(ids)):
            played[id].append(tuple(counted))
    return [_listed(row, entrants[row.id or 0], played[row.id or 0]) for row in rows]


def _participants(ids: list[int]) -> "sa.Select[int, int]":
    return (
        sa.select(col(Participant.tournament), col(Participant.entrant))
        .where(col(Participant.tournament).in_(ids))
        .order_by(col(Participant.tournament), col(Participant.position))
    )


def _counts(ids: list[int]) -> "sa.Select[Any]":
    """Of every tournament and game the matches, and those that are not excluded."""
    last = sa.select(sa.func.max(col(Exclusion.id))).group_by(col(Exclusion.match))
    excluded = sa.select(col(Exclusion.match)).where(
        col(Exclusion.id).in_(last), col(Exclusion.excluded)
    )
    columns: list[Any] = [col(Match.tournament), col(Match.game), col(Match.rated)]
    kept = sa.func.sum(sa.case((col(Match.id).in_(excluded), 0), else_=1))
    return (
        sa.select(*columns, sa.func.count(), kept)
        .where(col(Match.tournament).in_(ids))
        .group_by(*columns)
        .order_by(*columns)
    )


def _listed(
    row: Tournament, entrants: list[int], played: list[tuple[str, bool, int, int]]
) -> Listed:
    kept = [(game, rated) for game, rated, _, count in played if count]
    rated = not kept or any(rated for _, rated in kept)
    return Listed(
        row=row,
        entrants=tuple(entrants),
        matches=sum(matches for _, _, matches, _ in played),
        games=tuple(sorted({game for game, is_rated in kept if is_rated or not rated})),
        rated=rated,
    )
