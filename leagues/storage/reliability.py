"""How bots behave: how often they fail, and how long they think."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.records import Reliability
from leagues.storage.codec import MICRO
from leagues.storage.database import Database
from leagues.storage.models.results import MatchRow, SeatRow, StageRow

QUANTILES: Final = (0.5, 0.9, 0.99, 1.0)


class FaultCounter:
    """Games and faults of a league's entrants, counted incrementally: each match is read once.

    Writers take turns and number matches as they come, so none appears below one that was read.
    """

    def __init__(self, database: Database, league: int) -> None:
        self._database = database
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
        with self._database.reading() as connection:
            last = connection.execute(sa.select(sa.func.max(col(MatchRow.id)))).scalar() or 0
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
        stages = sa.select(col(StageRow.tournament)).where(col(StageRow.league) == self._league)
        entrant = col(SeatRow.entrant)
        query = (
            sa.select(entrant, col(SeatRow.fault), sa.func.count())
            .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
            .where(
                col(MatchRow.id) > after,
                col(MatchRow.id) <= last,
                col(MatchRow.tournament).in_(stages),
                entrant.in_(list(since)),
                col(MatchRow.played_at) >= sa.case(dict(since), value=entrant),
            )
            .group_by(entrant, col(SeatRow.fault))
        )
        for id, fault, count in connection.execute(query):
            counts[id][fault] += count


class ResultCounter:
    """All matches and faults of a database, counted incrementally: each match is read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last = 0  # the match up to which all is counted
        self._matches = 0
        self._faults: Counter[str] = Counter()

    def count(self) -> tuple[int, Counter[str]]:
        """How many matches are stored, and the faults in them by kind."""
        with self._database.reading() as connection:
            last = connection.execute(sa.select(sa.func.max(col(MatchRow.id)))).scalar() or 0
            matches = sa.select(sa.func.count()).where(
                col(MatchRow.id) > self._last, col(MatchRow.id) <= last
            )
            self._matches += int(connection.execute(matches).scalar_one())
            faults = (
                sa.select(col(SeatRow.fault), sa.func.count())
                .where(
                    col(SeatRow.match) > self._last,
                    col(SeatRow.match) <= last,
                    col(SeatRow.fault).is_not(None),
                )
                .group_by(col(SeatRow.fault))
            )
            for kind, number in connection.execute(faults):
                self._faults[str(kind)] += number
            self._last = last
        return self._matches, Counter(self._faults)


def reliability(
    database: Database, league: int, entrant: int | None = None, since: int = 0
) -> dict[int, Reliability]:
    """Of every entrant of a league that has played, or of one; from a time of day on."""
    stages = sa.select(col(StageRow.tournament)).where(col(StageRow.league) == league)
    query = (
        sa.select(
            col(SeatRow.entrant),
            col(SeatRow.fault),
            col(SeatRow.asked),
            col(SeatRow.computed),
            col(SeatRow.longest),
        )
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .where(col(MatchRow.tournament).in_(stages), col(MatchRow.played_at) >= since)
    )
    if entrant is not None:
        query = query.where(col(SeatRow.entrant) == entrant)
    rows: dict[int, list[tuple[str | None, int | None, int | None, int | None]]] = {}
    with database.reading() as connection:
        for id, fault, asked, computed, longest in connection.execute(query):
            rows.setdefault(id, []).append((fault, asked, computed, longest))
    return {id: _reliability(rows[id]) for id in sorted(rows)}


def _reliability(rows: list[tuple[str | None, int | None, int | None, int | None]]) -> Reliability:
    faults: dict[str, int] = {}
    for fault, *_ in rows:
        if fault is not None:
            faults[fault] = faults.get(fault, 0) + 1
    timed = [(asked, computed, longest) for _, asked, computed, longest in rows if asked]
    return Reliability(
        games=len(rows),
        faults=faults,
        longest=_quantiles([longest or 0 for *_, longest in timed]),
        match=_quantiles([computed or 0 for _, computed, _ in timed]),
    )


def _quantiles(values: list[float]) -> tuple[float, ...]:
    if not values:
        return ()
    import numpy as np  # which states of bots do not need

    found = np.quantile(np.array(values, dtype=np.float64) / MICRO, QUANTILES)
    return tuple(float(value) for value in found)
