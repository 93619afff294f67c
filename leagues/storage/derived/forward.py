"""Stored ratings brought forward: what is new is folded, what changed is folded again.

Sums take in matches in any order. The fold goes in schedule order, from the last point before
anything that changed: a match that was excluded, restored, or stored later than the ones after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from sqlmodel import col

from leagues.ratings.result_log import Ints, ResultLog
from leagues.ratings.totals import Totals
from leagues.ratings.trueskill_fold import CONTROLS, Fold, FoldRules, FoldState
from leagues.storage.columns import Columns, read_seats
from leagues.storage.derived.boards import BoardKey, fold_rules, season_tournaments
from leagues.storage.match_filter import conditions, excluded_matches
from leagues.storage.models.results import ExclusionRow, MatchRow

FIRST_STEP: Final = 64  # matches between two points of a short history
MAX_POINTS: Final = 64  # of a history, besides those near its end
MATCHES_PER_CONTROL: Final = 500


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A fold that has come so far, and the last match it took in."""

    state: FoldState = field(default_factory=FoldState)
    match: int = 0
    tournament: int = 0  # the place of that match in the schedule
    number: int = -1

    @property
    def place(self) -> tuple[int, int]:
        return self.tournament, self.number


@dataclass
class RatedBoard:
    """The ratings of a board, as of some match and some exclusion."""

    rules: FoldRules
    last_match: int = 0
    last_exclusion: int = 0
    totals: Totals = field(default_factory=Totals)
    points: list[RatingPoint] = field(default_factory=list)  # new ones, the last is how far it is
    base: int = 0  # matches of the point that the new ones go on from

    @property
    def state(self) -> FoldState:
        return self.points[-1].state if self.points else FoldState()


@dataclass(frozen=True, slots=True)
class Horizon:
    """The last match and the last exclusion that are taken into account."""

    match: int
    exclusion: int


def newest(connection: sa.Connection) -> Horizon:
    """Everything that is stored."""
    last = [
        int(connection.execute(sa.select(sa.func.max(col(table.id)))).scalar() or 0)
        for table in (MatchRow, ExclusionRow)
    ]
    return Horizon(*last)


def point_places(matches: int) -> list[int]:
    """After how many matches there are points of a history of so many: evenly, and near the end.

    A longer history has fewer of the early ones, and none that a shorter one had not.
    """
    step = FIRST_STEP
    while matches > step * MAX_POINTS:
        step *= 2
    found = {matches, *range(step, matches, step)}
    near = FIRST_STEP
    while near < step:
        last = matches // near * near
        found |= {last, last - near}
        near *= 2
    return sorted(place for place in found if place > 0)


@dataclass(frozen=True)
class _Scheduled:
    """Matches in schedule order."""

    id: Ints
    tournament: Ints
    number: Ints

    def only(self, kept: Any) -> "_Scheduled":
        return _Scheduled(self.id[kept], self.tournament[kept], self.number[kept])

    def first_place(self) -> tuple[int, int]:
        return int(self.tournament[0]), int(self.number[0])

    def __len__(self) -> int:
        return len(self.id)


def changes(
    connection: sa.Connection, key: BoardKey, board: RatedBoard, horizon: Horizon
) -> tuple[_Scheduled, _Scheduled]:
    """The matches that a board has to take in, and those it has to let go."""
    out = excluded_matches(connection, horizon.exclusion)
    before = excluded_matches(connection, board.last_exclusion)
    back = [match for match in before - out if match <= board.last_match]
    gone = [match for match in out - before if match <= board.last_match]
    new = col(MatchRow.id).between(board.last_match + 1, horizon.match)
    found = _scheduled(connection, key, new)
    fresh = found.only(~np.isin(found.id, list(out)))
    if back:
        restored = _scheduled(connection, key, col(MatchRow.id).in_(back))
        fresh = _sorted(
            _Scheduled(
                np.concatenate([fresh.id, restored.id]),
                np.concatenate([fresh.tournament, restored.tournament]),
                np.concatenate([fresh.number, restored.number]),
            )
        )
    none = fresh.only(np.zeros(len(fresh), dtype=np.bool_))
    return fresh, _scheduled(connection, key, col(MatchRow.id).in_(gone)) if gone else none


def forward(
    connection: sa.Connection,
    key: BoardKey,
    board: RatedBoard,
    before: "PointSource",
    horizon: Horizon,
) -> RatedBoard:
    """The board as of the horizon, whatever it takes."""
    found = bring_forward(connection, key, board, before, horizon)
    assert found is not None
    return found


def bring_forward(
    connection: sa.Connection,
    key: BoardKey,
    board: RatedBoard,
    before: "PointSource",
    horizon: Horizon,
    most: int | None = None,
) -> RatedBoard | None:
    """The board as of the horizon; None if more matches had to be folded again than asked for."""
    if (board.last_match, board.last_exclusion) == (horizon.match, horizon.exclusion):
        return board
    fresh, gone = changes(connection, key, board, horizon)
    now = board.points[-1] if board.points else RatingPoint()
    if not len(fresh) and not len(gone):
        board.last_match, board.last_exclusion = horizon.match, horizon.exclusion
        return board
    first = min(each.first_place() for each in (fresh, gone) if len(each))
    base = now if first > now.place else before.last_before(first)
    if most is not None and now.state.matches - base.state.matches > most:
        return None
    totals = board.totals
    taken = _log(connection, key, fresh, ())
    totals.add(taken)
    if len(gone):
        totals.add(_log(connection, key, gone, ()), -1)
    totals.prune()
    if base is now:
        rest, log = fresh, _with_roster(taken, now.state.beliefs)
    else:
        rest = _rest(connection, key, base, horizon)
        log = _log(connection, key, rest, base.state.beliefs)
    rules = fold_rules(connection, key)
    seasons = _seasons(connection, key, rules, log, rest, base)
    points = _fold(log, rules, rest, base, seasons)
    return RatedBoard(rules, horizon.match, horizon.exclusion, totals, points, base.state.matches)


class PointSource:
    """Where older points of a board are found; by itself, there are none."""

    def last_before(self, place: tuple[int, int]) -> RatingPoint:
        """The last point that knows nothing of this place in the schedule or later ones."""
        return RatingPoint()


def _scheduled(
    connection: sa.Connection, key: BoardKey, *where: sa.ColumnElement[bool]
) -> _Scheduled:
    columns: list[Any] = [col(getattr(MatchRow, name)) for name in ("id", "tournament", "number")]
    query = sa.select(*columns).where(*conditions(key.which), *where)
    if not key.unrated:
        query = query.where(col(MatchRow.rated))
    found = Columns(connection, query)
    return _sorted(_Scheduled(*(found.numbers(name) for name in ("id", "tournament", "number"))))


def _sorted(found: _Scheduled) -> _Scheduled:
    return found.only(np.lexsort((found.number, found.tournament)))


def _rest(
    connection: sa.Connection, key: BoardKey, base: RatingPoint, horizon: Horizon
) -> _Scheduled:
    """All matches behind a point that count."""
    later = sa.or_(
        col(MatchRow.tournament) > base.tournament,
        sa.and_(col(MatchRow.tournament) == base.tournament, col(MatchRow.number) > base.number),
    )
    found = _scheduled(connection, key, later, col(MatchRow.id) <= horizon.match)
    return found.only(~np.isin(found.id, list(excluded_matches(connection, horizon.exclusion))))


def _log(
    connection: sa.Connection, key: BoardKey, matches: _Scheduled, roster: Iterable[int]
) -> ResultLog:
    seats = read_seats(connection, np.sort(matches.id))
    return seats.log(str(key.variant), matches.id, roster)


def _with_roster(log: ResultLog, roster: Iterable[int]) -> ResultLog:
    """The same matches, with more entrants listed."""
    everyone = np.union1d(log.entrants, np.array(list(roster), dtype=np.int64)).astype(np.int64)
    places = np.searchsorted(everyone, log.entrants).astype(np.int32)
    return ResultLog(
        log.game,
        tuple(everyone.tolist()),
        log.wonders,
        log.match,
        log.size,
        log.start,
        places[log.entrant],
        log.wonder,
        log.score,
        log.rank,
        log.faulty,
        log.unrated,
    )


def _seasons(
    connection: sa.Connection,
    key: BoardKey,
    rules: FoldRules,
    log: ResultLog,
    rest: _Scheduled,
    base: RatingPoint,
) -> list[int]:
    """Places in the log where a season begins."""
    if not rules.drift:
        return []
    begins = season_tournaments(connection, key)
    tournament = rest.tournament[np.isin(rest.id, log.match)]
    before = np.concatenate([[base.tournament], tournament[:-1]])
    changed = np.flatnonzero(tournament != before).tolist()
    return [place for place in changed if int(tournament[place]) in begins]


def _fold(
    log: ResultLog, rules: FoldRules, rest: _Scheduled, base: RatingPoint, seasons: list[int]
) -> list[RatingPoint]:
    """The points of a history from its base to its end."""
    running = Fold(log, rules, base.state, seasons)
    done = base.state.matches
    stride = max(1, len(log) // min(CONTROLS, 1 + len(log) // MATCHES_PER_CONTROL))
    kept = np.flatnonzero(np.isin(rest.id, log.match))
    points = [base] if done and not len(log) else []
    for place in point_places(done + len(log)):
        if place <= done:
            continue
        running.advance_checked(place - done, stride)
        last = kept[place - done - 1]
        points.append(
            RatingPoint(
                running.state(),
                int(rest.id[last]),
                int(rest.tournament[last]),
                int(rest.number[last]),
            )
        )
    return points
