"""How bots behave: how often they fail, and how long they think."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import sqlalchemy as sa
from sqlmodel import col

from leagues.database import told
from leagues.packing import MICRO
from leagues.store import Store
from leagues.tables import Match, Seat, Stage

QUANTILES: Final = (0.5, 0.9, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Conduct:
    """Of one entrant in a league; times in seconds of computing."""

    games: int
    faults: Mapping[str, int]  # by kind
    longest: tuple[float, ...]  # the longest answer of a match: the quantiles of `QUANTILES`
    match: tuple[float, ...]  # a whole match, the start included: likewise

    @property
    def failed(self) -> int:
        """Games in which it failed."""
        return sum(self.faults.values())


def fault_counts(store: Store, league: int) -> dict[int, tuple[int, int]]:
    """Of every entrant of a league its games, and those in which it failed."""
    query = (
        sa.select(col(Seat.entrant), sa.func.count(), sa.func.count(col(Seat.fault)))
        .join(Match, col(Match.id) == col(Seat.match))
        .join(Stage, col(Stage.tournament) == col(Match.tournament))
        .where(col(Stage.league) == league)
        .group_by(col(Seat.entrant))
    )
    with told(store.engine), store.engine.connect() as connection:
        return {int(id): (int(n), int(failed)) for id, n, failed in connection.execute(query)}


def conduct(
    store: Store, league: int, entrant: int | None = None, since: int = 0
) -> dict[int, Conduct]:
    """Of every entrant of a league that has played, or of one; from a time of day on."""
    stages = sa.select(col(Stage.tournament)).where(col(Stage.league) == league)
    query = (
        sa.select(
            col(Seat.entrant),
            col(Seat.fault),
            col(Seat.asked),
            col(Seat.computed),
            col(Seat.longest),
        )
        .join(Match, col(Match.id) == col(Seat.match))
        .where(col(Match.tournament).in_(stages), col(Match.played_at) >= since)
    )
    if entrant is not None:
        query = query.where(col(Seat.entrant) == entrant)
    rows: dict[int, list[tuple[str | None, int | None, int | None, int | None]]] = {}
    with told(store.engine), store.engine.connect() as connection:
        for id, fault, asked, computed, longest in connection.execute(query):
            rows.setdefault(id, []).append((fault, asked, computed, longest))
    return {id: _conduct(rows[id]) for id in sorted(rows)}


def _conduct(rows: list[tuple[str | None, int | None, int | None, int | None]]) -> Conduct:
    faults: dict[str, int] = {}
    for fault, *_ in rows:
        if fault is not None:
            faults[fault] = faults.get(fault, 0) + 1
    timed = [(asked, computed, longest) for _, asked, computed, longest in rows if asked]
    return Conduct(
        games=len(rows),
        faults=faults,
        longest=_quantiles([longest or 0 for *_, longest in timed]),
        match=_quantiles([computed or 0 for _, computed, _ in timed]),
    )


def _quantiles(values: list[float]) -> tuple[float, ...]:
    if not values:
        return ()
    found = np.quantile(np.array(values, dtype=np.float64) / MICRO, QUANTILES)
    return tuple(float(value) for value in found)
