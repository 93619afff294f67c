"""Skills from all results at once, in any order: Thurstone's model (a probit of differences).

Fitted to the counts of who finished above whom, with TrueSkill's prior: the mode of the posterior
(MAP) by Newton's method, and its covariance by Laplace's approximation. The TrueSkill fold rates
the same results match by match; how far apart the two are is part of the leaderboard.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import erfc, sqrt
from typing import Final

import numpy as np

from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.result_log import Bools, Floats, Ints, ResultLog, SeatArrays
from leagues.ratings.trueskill_fold import BETA, VERSION_STEP, Rating

# The design effect: pairs of one game share its luck, so many are worth one. Measured, by count.
SHARED_LUCK: Final = {2: 1.0, 3: 1.26, 4: 1.5, 5: 1.8, 6: 2.1, 7: 2.5}
SCALE: Final = sqrt(2.0) * BETA  # of the difference of two performances
STEPS: Final = 100
CLOSE: Final = 1e-9
DRAWS: Final = 2000
SEED: Final = 7
INTERVAL: Final = (0.05, 0.95)

_erfc: Final = np.frompyfunc(erfc, 1, 1)


def normal_cdf(x: Floats) -> Floats:
    """The standard normal's distribution function: its chance to stay below x."""
    return 0.5 * np.asarray(_erfc(-x * sqrt(0.5)), dtype=np.float64)


def _inverse_mills_ratios(x: Floats) -> tuple[Floats, Floats]:
    """The normal's density over its distribution function, at x and at -x.

    Far below zero it tends to -x. Both are made of the chance of the lesser side, which is exact.
    """
    far = np.abs(x)
    near = np.minimum(far, 25.0)
    density = np.exp(-0.5 * near * near) / sqrt(2.0 * np.pi)
    lesser = normal_cdf(-near)
    above = density / (1.0 - lesser)
    below = np.where(far < 25.0, density / lesser, far + 1.0 / np.maximum(far, 25.0))
    return np.where(x < 0.0, below, above), np.where(x < 0.0, above, below)


def _slope_and_curvature(gap: Floats, ahead: Floats, behind: Floats) -> tuple[Floats, Floats]:
    """Of the log-likelihood in the skill of the first of each pair; the curvature is negated."""
    up, down = _inverse_mills_ratios(gap)
    slope = (ahead * up - behind * down) / SCALE
    curvature = (ahead * up * (up + gap) + behind * down * (down - gap)) / SCALE**2
    return slope, curvature


class PairCounts:
    """How often each entrant finished above each other, by player count; a tie is half and half."""

    def __init__(self, entrants: Sequence[int]) -> None:
        self.entrants: Final = tuple(entrants)
        self.above: dict[int, Floats] = {}
        self._place = {entrant: place for place, entrant in enumerate(self.entrants)}

    def _of(self, players: int) -> Floats:
        size = len(self.entrants)
        return self.above.setdefault(players, np.zeros((size, size)))

    def add(self, placing: PlacedMatch) -> None:
        """Count one match, unless an entrant met itself in it."""
        places = [self._place[entrant] for entrant in placing.entrants]
        if len(set(places)) < len(places):
            return
        above = self._of(len(places))
        for seat, place in enumerate(places):
            for other in range(seat):
                ahead = placing.ranks[other] - placing.ranks[seat]
                share = 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
                above[place, places[other]] += share
                above[places[other], place] += 1.0 - share

    def add_tables(self, tables: SeatArrays) -> None:
        """Count many matches of one player count; entrants are places in these entrants."""
        self._add(tables.entrant, tables.rank)

    def add_ranks(self, places: Sequence[Sequence[int]], ranks: Sequence[Sequence[int]]) -> None:
        """Count matches of one player count by places in these entrants and ranks, seat by seat.

        Those in which an entrant met itself are left out.
        """
        entrant, rank = np.array(places), np.array(ranks)
        ordered = np.sort(entrant, axis=1)
        distinct = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
        if distinct.any():
            self._add(entrant[distinct], rank[distinct])

    def _add(self, entrant: Ints, rank: Ints) -> None:
        size, players = len(self.entrants), entrant.shape[1]
        above = self._of(players)
        for seat, other in permutations(range(players), 2):
            lead = np.sign(rank[:, other] - rank[:, seat])
            pair = entrant[:, seat] * size + entrant[:, other]
            above += np.bincount(pair, (1 + lead) / 2, size * size).reshape(size, size)

    def add_log(self, log: ResultLog) -> None:
        """Count all matches of a log, whose entrants are among these."""
        places = np.array([self._place[entrant] for entrant in log.entrants], dtype=np.int64)
        for tables in log.each_tables():
            self.add_tables(replace(tables, entrant=places[tables.entrant]))

    def total(self) -> Floats:
        """Over all player counts."""
        return sum(self.above.values(), start=np.zeros((len(self.entrants),) * 2))

    def worth(self) -> Floats:
        """Over all player counts, as many pairs as if each had had its own game."""
        worth = np.zeros((len(self.entrants),) * 2)
        for players, above in self.above.items():
            worth += above / SHARED_LUCK.get(players, SHARED_LUCK[7])
        return worth

    def only(self, *counts: int) -> "PairCounts":
        """The matches of these player counts."""
        part = PairCounts(self.entrants)
        part.above = {players: self.above[players] for players in counts if players in self.above}
        return part

    def without(self, one: int, other: int) -> "PairCounts":
        """All but the meetings of these two."""
        part = PairCounts(self.entrants)
        pair = [self._place[one], self._place[other]]
        for players, above in self.above.items():
            part.above[players] = above.copy()
            part.above[players][pair, pair[::-1]] = 0.0
        return part


def count_pairs(log: ResultLog) -> PairCounts:
    pairs = PairCounts(log.entrants)
    pairs.add_log(log)
    return pairs


@dataclass(frozen=True)
class Fit:
    """Skills of all entrants together: what is known of one depends on what is of the others."""

    entrants: tuple[int, ...]
    mean: Floats
    covariance: Floats

    def deviation(self) -> Floats:
        """One number an entrant, such that the squares of two add up to that of their difference.

        The level common to all is a convention, and how sure it is no concern of anybody.
        """
        size = len(self.entrants)
        own = np.diag(self.covariance)
        if size < 2:
            return np.asarray(np.sqrt(own))
        apart = self.difference_deviation() ** 2
        if size == 2:
            return np.asarray(np.sqrt(apart[0, 1] * own / own.sum()))
        square = (apart.sum(axis=1) - apart.sum() / (2.0 * (size - 1))) / (size - 2)
        np.fill_diagonal(apart, np.inf)
        least = apart.min(axis=1) / 4.0  # least squares may go below what is possible
        return np.asarray(np.sqrt(np.maximum(square, least)))

    def of(self, entrants: Sequence[int]) -> "Fit":
        """What is known of some of the entrants, in this order."""
        places = [self.entrants.index(entrant) for entrant in entrants]
        return Fit(tuple(entrants), self.mean[places], self.covariance[np.ix_(places, places)])

    def belief(self, entrant: int) -> Rating:
        place = self.entrants.index(entrant)
        return Rating(float(self.mean[place]), float(self.deviation()[place]))

    def difference_deviation(self) -> Floats:
        """Of every difference of two skills."""
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2.0 * self.covariance
        return np.sqrt(np.maximum(variance, 0.0))

    def superior(self, order: Sequence[int]) -> list[float]:
        """The likelihood of superiority: that each of an order has more skill than the next."""
        first, second = np.array(order[:-1], dtype=int), np.array(order[1:], dtype=int)
        gap = self.mean[first] - self.mean[second]
        spread = self.difference_deviation()[first, second]
        found: list[float] = normal_cdf(gap / np.where(spread > 0.0, spread, 1.0)).tolist()
        return found

    def expected(self) -> Floats:
        """The share of games in which the row finishes above the column."""
        return normal_cdf((self.mean[:, None] - self.mean[None, :]) / SCALE)

    def rank_intervals(self) -> dict[int, tuple[int, int]]:
        """Between which ranks each entrant is with nine chances in ten; 1 is the best.

        The rank by the most probable skill is always among them.
        """
        size = len(self.entrants)
        if size == 0:
            return {}
        # Drawn in the order of the means, so that numbering entrants anew changes nothing.
        order = np.argsort(-self.mean, kind="stable")
        root = np.linalg.cholesky(self.covariance[np.ix_(order, order)])
        luck = np.random.default_rng(SEED).standard_normal((DRAWS, size))
        skills = self.mean[order] + luck @ root.T
        ranks = np.argsort(np.argsort(-skills, axis=1, kind="stable"), axis=1) + 1
        low, high = np.quantile(ranks, INTERVAL, axis=0, method="nearest")
        return {
            self.entrants[place]: (min(int(low[at]), at + 1), max(int(high[at]), at + 1))
            for at, place in enumerate(order)
        }


def fit_skills(
    pairs: PairCounts,
    priors: Mapping[int, Rating] | None = None,
    near: Floats | None = None,
    parents: Mapping[int, int] | None = None,
    close: float = CLOSE,
) -> Fit:
    """The most probable skills (MAP) by Newton's method, and their covariance by Laplace's.

    Skills that are known to be near save steps, as does a last step that may be larger. A
    new version without a prior of its own is a step away from its parent, whatever that is.
    """
    start = [(priors or {}).get(entrant, Rating()) for entrant in pairs.entrants]
    prior = np.array([rating.mu for rating in start])
    trust = np.array([rating.sigma**-2.0 for rating in start])
    child, parent = version_links(pairs.entrants, priors or {}, parents or {})
    trust[child] = 0.0
    tie = VERSION_STEP**-2.0
    worth = pairs.worth()
    row, column = np.nonzero(np.triu(worth + worth.T, 1))
    ahead = worth[row, column]
    behind = worth[column, row]
    skill = prior.copy() if near is None else near.copy()
    size = len(prior)
    information = np.diag(trust)
    for _ in range(STEPS):
        gap = (skill[row] - skill[column]) / SCALE
        slope, curvature = _slope_and_curvature(gap, ahead, behind)
        gradient = trust * (prior - skill)
        gradient += np.bincount(row, slope, size) - np.bincount(column, slope, size)
        pull = tie * (skill[parent] - skill[child])
        gradient += np.bincount(child, pull, size) - np.bincount(parent, pull, size)
        information = np.diag(
            trust
            + np.bincount(row, curvature, size)
            + np.bincount(column, curvature, size)
            + tie * (np.bincount(child, minlength=size) + np.bincount(parent, minlength=size))
        )
        information[row, column] -= curvature
        information[column, row] -= curvature
        information[child, parent] -= tie
        information[parent, child] -= tie
        step = np.linalg.solve(information, gradient)
        skill += np.clip(step, -2.0 * BETA, 2.0 * BETA)
        if np.max(np.abs(step), initial=0.0) < close:
            break
    return Fit(pairs.entrants, skill, np.linalg.inv(information))


def version_links(
    entrants: Sequence[int], priors: Mapping[int, Rating], parents: Mapping[int, int]
) -> tuple[Ints, Ints]:
    """Places of the versions that are tied to their parent, and of the parents.

    Where the parent is not among the entrants, as it was never let play, its own parent counts.
    """
    place = {entrant: at for at, entrant in enumerate(entrants)}
    found: list[tuple[int, int]] = []
    for entrant in entrants:
        parent = parents.get(entrant)
        while parent is not None and parent not in place:
            parent = parents.get(parent)
        if parent is not None and entrant not in priors:
            found.append((place[entrant], place[parent]))
    links = np.array(found, dtype=np.int64).reshape(len(found), 2)
    return links[:, 0], links[:, 1]


@dataclass(frozen=True)
class Disagreement:
    """How far the fold is from the fit."""

    entrant: int | None  # the one where it is most
    deviations: float  # that far apart, in the fit's deviations
    reordered: bool  # whether the two put the entrants in another order


def measure_disagreement(folded: Mapping[int, Rating], fitted: Fit) -> Disagreement:
    if not fitted.entrants:
        return Disagreement(None, 0.0, False)
    means = np.array([folded[entrant].mu for entrant in fitted.entrants])
    means += np.mean(fitted.mean) - np.mean(means)  # a level common to all ranks nobody
    apart = np.abs(means - fitted.mean) / fitted.deviation()
    worst = int(np.argmax(apart))
    # Equal means are in no order that could differ.
    orders = (means[:, None] - means) * (fitted.mean[:, None] - fitted.mean)
    return Disagreement(fitted.entrants[worst], float(apart[worst]), bool(np.any(orders < -1e-12)))


def fit_seats(overall: Fit, log: ResultLog, seats: Bools, step: float) -> Fit:
    """Skills in the marked seats alone: how far each strays from its own skill, a step a priori."""
    ahead, behind = _marked_pairs(log, seats)
    size = len(log.entrants)
    stray = np.zeros(size)
    information = np.full(size, step**-2.0)
    for _ in range(STEPS):
        gap = ((overall.mean + stray)[:, None] - overall.mean) / SCALE
        slope, curvature = _slope_and_curvature(gap, ahead, behind)
        information = step**-2.0 + curvature.sum(axis=1)
        move = (slope.sum(axis=1) - stray * step**-2.0) / information
        stray += np.clip(move, -2.0 * BETA, 2.0 * BETA)
        if np.max(np.abs(move), initial=0.0) < CLOSE:
            break
    covariance = overall.covariance + np.diag(1.0 / information)
    return Fit(overall.entrants, overall.mean + stray, covariance)


def _marked_pairs(log: ResultLog, seats: Bools) -> tuple[Floats, Floats]:
    """How often the entrant of a marked seat came out above each other, and how often below."""
    size = len(log.entrants)
    ahead = np.zeros((size, size))
    behind = np.zeros((size, size))
    for tables in log.each_tables():
        marked = seats[tables.seats]
        worth = 0.5 / SHARED_LUCK.get(tables.players, SHARED_LUCK[7])
        for seat, other in permutations(range(tables.players), 2):
            chosen = marked[:, seat]
            lead = np.sign(tables.rank[chosen, other] - tables.rank[chosen, seat])
            pair = tables.entrant[chosen, seat] * size + tables.entrant[chosen, other]
            ahead += np.bincount(pair, worth * (1 + lead), size * size).reshape(size, size)
            behind += np.bincount(pair, worth * (1 - lead), size * size).reshape(size, size)
    return ahead, behind
