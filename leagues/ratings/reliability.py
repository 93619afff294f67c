"""How bots behave: how often they fail, and how long they think."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import sqlalchemy as sa
from sqlmodel import col

from leagues.storage.codec import MICRO
from leagues.storage.database import translate_db_errors
from leagues.storage.models import Match, Seat, Stage
from leagues.storage.results import Store

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


class Faults:
    """Games and faults of a league's entrants, counted on: each match is read once.

    Writers take turns and number matches as they come, so none appears below one that was read.
    """

    def __init__(self, store: Store, league: int) -> None:
        self._store = store
        self._league = league
        self._last = 0  # the match up to which all is counted
        self._since: dict[int, int] = {}
        self._counts: dict[int, Counter[str | None]] = {}

    def count(self, since: Mapping[int, int]) -> dict[int, tuple[int, Counter[str]]]:
        """Of these entrants, each from a time of day on, its games and its faults by kind."""
        known = {id: at for id, at in since.items() if self._since.get(id) == at}
        others = {id: at for id, at in since.items() if id not in known}
        counts = {id: Counter(self._counts[id]) for id in known}
        counts |= {id: Counter() for id in others}
        with translate_db_errors(self._store.engine), self._store.engine.connect() as connection:
            last = connection.execute(sa.select(sa.func.max(col(Match.id)))).scalar() or 0
            if last > self._last:
                self._add(connection, counts, known, self._last, last)
            self._add(connection, counts, others, 0, last)
        self._last, self._since, self._counts = last, dict(since), counts
        return {
            id: (seen.total(), Counter({kind: seen[kind] for kind in seen if kind is not None}))
            for id, seen in counts.items()
        }

    def _add(
        self,
        connection: sa.Connection,
        counts: dict[int, Counter[str | None]],
        since: Mapping[int, int],
        after: int,
        last: int,
    ) -> None:
        """Count the matches after one, up to the last."""
        if not since:
            return
        stages = sa.select(col(Stage.tournament)).where(col(Stage.league) == self._league)
        entrant = col(Seat.entrant)
        query = (
            sa.select(entrant, col(Seat.fault), sa.func.count())
            .join(Match, col(Match.id) == col(Seat.match))
            .where(
                col(Match.id) > after,
                col(Match.id) <= last,
                col(Match.tournament).in_(stages),
                entrant.in_(list(since)),
                col(Match.played_at) >= sa.case(dict(since), value=entrant),
            )
            .group_by(entrant, col(Seat.fault))
        )
        for id, fault, count in connection.execute(query):
            counts[id][fault] += count


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
    with translate_db_errors(store.engine), store.engine.connect() as connection:
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
