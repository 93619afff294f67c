"""Whether one bot's presence lifts another more than strength explains.

For every two entrants: the rank points of the one in games where the other sits at the table, or
beside it, less what their skills and the others' promise. Skills are fitted to all results, so a
lift that is there in every game looks like strength; what is found is a lift that depends on who
is there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import erfc, sqrt
from typing import Final

import numpy as np

from leagues.ratings.result_log import Floats, ResultLog, SeatArrays
from leagues.ratings.thurstone import SCALE, Fit, count_pairs, fit_skills, normal_cdf

ALARM: Final = 0.01  # chance to raise a single false alarm in a whole league of honest bots
FEWEST: Final = 10  # games of a pair that say anything


@dataclass(frozen=True, slots=True)
class Lift:
    """What an entrant got in games with another, beyond what was to be expected."""

    entrant: int
    other: int
    beside: bool  # as neighbours only, or anywhere at the table
    games: int
    lift: float  # mean residual of rank points against third parties, from -1 to 1
    score: float  # in deviations
    chance: float  # that luck does as much, for the most striking of all that were looked at

    @property
    def alarming(self) -> bool:
        return self.chance < ALARM


def estimate_lifts(log: ResultLog, parents: Mapping[int, int] | None = None) -> list[Lift]:
    """Every pair of entrants that met often enough, both ways round, the most striking first."""
    fitted = fit_skills(count_pairs(log), parents=parents)
    size = len(log.entrants)
    sums = np.zeros((2, 3, size, size))  # at the table, beside; games, residuals, their squares
    for tables in log.each_tables():
        if tables.players > 2:  # of two, one is lifted by strength alone
            _add(sums, tables, fitted)
    return _judge(sums, log.entrants)


def by_owner(found: Iterable[Lift], owners: Mapping[int, str]) -> dict[tuple[str, str], Lift]:
    """For every two owners, and each with itself, the bot of the first that is lifted most.

    The chance allows for all pairs that were looked at, so it holds for the one that is picked.
    """
    most: dict[tuple[str, str], Lift] = {}
    for lift in found:
        if lift.entrant in owners and lift.other in owners:
            pair = owners[lift.entrant], owners[lift.other]
            if pair not in most or lift.score > most[pair].score:
                most[pair] = lift
    return most


def _add(sums: Floats, tables: SeatArrays, fitted: Fit) -> None:
    """Add the residuals of every seat towards every other: of its games with third parties."""
    players = tables.players
    size = sums.shape[-1]
    ahead = np.sign(tables.rank[:, None, :] - tables.rank[:, :, None])  # 1 where the row is ahead
    skill = fitted.mean[tables.entrant]
    expected = normal_cdf((skill[:, :, None] - skill[:, None, :]) / SCALE)
    residual = (1.0 + ahead) / 2.0 - expected
    residual[:, range(players), range(players)] = 0.0
    total = residual.sum(axis=2)
    who = tables.entrant
    for seat, other in permutations(range(players), 2):
        # What it won from or lost to the other itself is the two's own affair.
        third = (total[:, seat] - residual[:, seat, other]) / (players - 2)
        pair = who[:, seat] * size + who[:, other]
        beside = (seat - other) % players in (1, players - 1)
        for kind in (0, 1) if beside else (0,):
            for at, value in enumerate((np.ones(len(third)), third, third * third)):
                sums[kind, at] += np.bincount(pair, value, size * size).reshape(size, size)


def _judge(sums: Floats, names: Sequence[int]) -> list[Lift]:
    looked_at = int(np.count_nonzero(sums[:, 0] >= FEWEST))
    found = []
    for kind in (0, 1):
        games, total, squares = sums[kind]
        # Against the entrant's own games with everybody: what is common to them is no collusion.
        all_games = np.maximum(games.sum(axis=1), 1.0)
        level = total.sum(axis=1) / all_games
        spread = squares.sum(axis=1) / all_games - level**2
        for one, other in zip(*np.nonzero(games >= FEWEST), strict=True):
            n = float(games[one, other])
            rest = all_games[one] - n
            if rest < FEWEST or spread[one] <= 0.0:
                continue
            base = (total[one].sum() - total[one, other]) / rest
            lift = float(total[one, other] / n - base)
            score = lift / sqrt(float(spread[one]) * (1.0 / n + 1.0 / rest))
            single = erfc(abs(score) / sqrt(2.0))
            chance = min(1.0, single * looked_at)  # Bonferroni's correction
            found.append(
                Lift(names[one], names[other], kind == 1, int(n), lift, float(score), chance)
            )
    found.sort(key=lambda each: (-abs(each.score), each.entrant, each.other))
    return found
