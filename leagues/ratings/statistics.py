"""Plain counts per entrant and how sure they are: wins, ranks, scores, faults."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

import numpy as np

from leagues.ratings.result_log import Bools, Floats, Ints, ResultLog

SURE: Final = 1.959964  # deviations either side that hold 95 in 100
BORROWED: Final = 2.0  # games' worth of everybody's spread, for those who have few games


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a share, and where it is with 95 chances in 100."""

    value: float
    low: float
    high: float


def wilson(share: float, games: float) -> Estimate:
    """A share of games with Wilson's interval, sensible for few games and shares near 0 or 1."""
    if games <= 0:
        return Estimate(0.0, 0.0, 1.0)
    extra = SURE**2 / games
    middle = (share + extra / 2.0) / (1.0 + extra)
    reach = SURE / (1.0 + extra) * sqrt(share * (1.0 - share) / games + extra / (4.0 * games))
    return Estimate(
        share, max(0.0, min(middle - reach, share)), min(1.0, max(middle + reach, share))
    )


@dataclass(frozen=True)
class Sums:
    """Number, sum and sum of squares of some figure, in each of several groups."""

    games: Floats
    total: Floats
    squares: Floats

    def mean(self, group: int) -> float:
        return float(self.total[group] / self.games[group])

    def error(self, group: int) -> float:
        """The standard error of the mean; few games borrow from the spread of all."""
        games = float(self.games[group])
        own = self.squares[group] - self.total[group] ** 2 / games
        return sqrt((max(own, 0.0) + BORROWED * self._spread()) / (games - 1.0 + BORROWED) / games)

    def _spread(self) -> float:
        games = self.games.sum()
        return float(max(self.squares.sum() / games - (self.total.sum() / games) ** 2, 0.0))

    def estimate(self, group: int, least: float = -inf, most: float = inf) -> Estimate | None:
        """The mean with its interval, cut to values there can be; None of a group without games."""
        if self.games[group] == 0:
            return None
        mean = self.mean(group)
        reach = SURE * self.error(group)
        return Estimate(mean, max(least, mean - reach), min(most, mean + reach))


def group_sums(parts: Iterable[tuple[Ints, Floats]], groups: int) -> Sums:
    """Sums of values by group, from pieces of both."""
    sums = np.zeros((3, groups))
    for group, value in parts:
        sums[0] += np.bincount(group, minlength=groups)
        sums[1] += np.bincount(group, value, groups)
        sums[2] += np.bincount(group, value * value, groups)
    return Sums(sums[0], sums[1], sums[2])


@dataclass(frozen=True)
class GameTally:
    """Figures of some groups of seats: by entrant, by wonder, by seat, or by two of them."""

    wins: Sums
    fair: Sums  # the wins of one like all others
    lift: Sums  # wins by the number of players: 1 is fair at every table
    rank: Sums  # from 1; who ties has the mean of the ranks they share
    points: Sums  # the share of the others left behind
    score: Sums
    faults: Sums


def tally_games(log: ResultLog, group: Ints, groups: int, seats: Bools | None = None) -> GameTally:
    """Figures by the group of each seat in the log's row of seats, of all or of marked ones."""
    found = {name: np.zeros((3, groups)) for name in GameTally.__dataclass_fields__}
    for tables in log.each_tables():
        players = tables.players
        where = tables.seats
        kept = np.ones(where.shape, dtype=np.bool_) if seats is None else seats[where]
        above = tables.above()
        wins = tables.wins()
        figures: dict[str, Floats] = {
            "wins": wins,
            "fair": np.full(where.shape, 1.0 / players),
            "lift": wins * players,
            "rank": players - above,
            "points": above / max(players - 1, 1),
            "score": tables.score.astype(np.float64),
            "faults": tables.faulty.astype(np.float64),
        }
        of = group[where][kept]
        for name, figure in figures.items():
            part = group_sums([(of, figure[kept])], groups)
            found[name] += np.stack([part.games, part.total, part.squares])
    return GameTally(**{name: Sums(*sums) for name, sums in found.items()})
