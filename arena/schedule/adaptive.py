"""Games where they tell most: the next batch of tables, and when enough is known.

A batch follows from the seed, its number and what was believed before it began. Who resumes in
the middle of a batch fits the results of the batches before, and gets the same tables.
"""

from collections.abc import Iterable
from math import erfc, pi, sqrt
from typing import Final

import numpy as np

from arena.schedule import Balanced, Cycle, Fixture, Schedule, Track, match_spec
from arena.schedule.fixtures import weighted_round_robin
from arena.schedule.goal import Goal, check_goal
from arena.schedule.wonders import shuffled
from engine.errors import ArenaError
from engine.rng import Rng, derive
from leagues.ratings.result_log import Bools, Floats
from leagues.ratings.thurstone import SHARED_LUCK, normal_cdf
from leagues.ratings.trueskill_fold import BETA

OPENING_ROUNDS: Final = 2  # balanced rounds of a track before there is something to go by
OFF_GOAL_WEIGHT: Final = 0.02  # what a pair is worth that the goal does not ask about
# Differences nobody is asked to tell, in betas: without them equals would play for ever.
TOP_MARGIN: Final = 0.1
ORDER_MARGIN: Final = 0.2
# Looking again and again finds a good moment by luck: the top is declared when this much of the
# doubt allowed is left.
TOP_STRICTNESS: Final = 0.4
DRAWS: Final = 4000
SEED: Final = 11


def weights(mean: Floats, covariance: Floats, goal: Goal, beta: float = BETA) -> Floats:
    """What a game would tell, for every pair: how likely its order is wrong, times information.

    The covariance is believed as it is: that pairs of one game share its luck is in it already.
    """
    gap = mean[:, None] - mean[None, :]
    variance = _difference_variance(covariance)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.where(variance > 0.0, np.abs(gap) / np.sqrt(variance), np.inf)
    worth = normal_cdf(-score) * variance / (variance + 2.0 * beta * beta)
    np.fill_diagonal(worth, 0.0)
    if goal.top is not None:
        inside = np.zeros(len(mean), dtype=bool)
        inside[best_first(mean)[: goal.top]] = True
        worth = np.where(inside[:, None] == inside[None, :], OFF_GOAL_WEIGHT * worth, worth)
    return np.asarray(worth, dtype=np.float64)


def choose_tables(
    mean: Floats,
    covariance: Floats,
    goal: Goal,
    players: int,
    count: int,
    beta: float = BETA,
    barred: Bools | None = None,
) -> list[tuple[int, ...]]:
    """So many tables, unseated: each of most worth after what the ones before will have told.

    Barred pairs share none. To be barred is to be of one kind, such as one owner's, and there
    are kinds enough for a table.
    """
    tables = []
    for _ in range(count):
        worth = weights(mean, covariance, goal, beta)
        if barred is not None:
            worth = np.where(barred | np.eye(len(mean), dtype=bool), -1e9, worth)
        table = _best_table(worth, players)
        covariance = _covariance_after(mean, covariance, table, beta)
        tables.append(table)
    return tables


def _best_table(worth: Floats, players: int) -> tuple[int, ...]:
    """The pair of most worth, then whoever adds most."""
    # The last digits of a fit depend on the machine, and may not decide.
    worth = np.round(worth, 12)
    first, second = divmod(int(np.argmax(worth)), len(worth))
    table = [first, second] if first != second else [0, 1]
    while len(table) < players:
        gain = worth[table].sum(axis=0)
        gain[table] = -np.inf
        table.append(int(np.argmax(np.round(gain, 12))))
    return tuple(table)


def _covariance_after(
    mean: Floats, covariance: Floats, table: tuple[int, ...], beta: float
) -> Floats:
    """What will be left of the covariance when a table has played, whatever comes out."""
    luck = SHARED_LUCK.get(len(table), SHARED_LUCK[7])
    for at, one in enumerate(table):
        for other in table[:at]:
            x = float(mean[one] - mean[other]) / (sqrt(2.0) * beta)
            below = max(0.5 * erfc(abs(x) / sqrt(2.0)), 1e-300)
            told = np.exp(-x * x) / (2.0 * pi) / (below * (1.0 - below)) / (2.0 * beta**2 * luck)
            along = covariance[:, one] - covariance[:, other]
            left = 1.0 / max(told, 1e-12) + along[one] - along[other]
            covariance = covariance - np.outer(along, along) / left
    return covariance


def confidence(mean: Floats, covariance: Floats, goal: Goal, beta: float = BETA) -> float:
    """How sure the goal is by now, differences nobody asks about aside.

    Of a top: the chance that none of the others is better. Of the order: the chance that two
    neighbours in it are in this order, for the pair of which that is least sure.
    """
    order = best_first(mean)
    if goal.top is None:
        gap = mean[order[:-1]] - mean[order[1:]] + ORDER_MARGIN * beta
        variance = _difference_variance(covariance)[order[:-1], order[1:]]
        score = gap / np.sqrt(np.maximum(variance, 1e-18))
        return float(np.min(normal_cdf(score), initial=1.0))
    root = np.linalg.cholesky(covariance[np.ix_(order, order)] + 1e-12 * np.eye(len(mean)))
    luck = np.random.default_rng(SEED).standard_normal((DRAWS, len(mean)))
    skill = mean[order] + luck @ root.T
    worst_in = skill[:, : goal.top].min(axis=1)
    best_out = skill[:, goal.top :].max(axis=1)
    return float(np.mean(worst_in > best_out - TOP_MARGIN * beta))


def required_confidence(goal: Goal, bots: int) -> float:
    """The confidence at which the goal is reached."""
    doubt = 1.0 - goal.sure
    return 1.0 - (doubt / max(bots - 1, 1) if goal.top is None else TOP_STRICTNESS * doubt)


def is_reached(mean: Floats, covariance: Floats, goal: Goal, beta: float = BETA) -> bool:
    """Whether no more games are needed."""
    return confidence(mean, covariance, goal, beta) >= required_confidence(goal, len(mean))


def best_first(mean: Floats) -> list[int]:
    """The bots by their means; equals in the order of the field."""
    return [int(at) for at in np.argsort(-mean, kind="stable")]


def _difference_variance(covariance: Floats) -> Floats:
    own = np.diag(covariance)
    variance = own[:, None] + own[None, :] - 2.0 * covariance
    return np.asarray(np.maximum(variance, 0.0), dtype=np.float64)


class Adaptive:
    """Balanced rounds to begin with, then batch after batch; a value: nothing in it changes."""

    stage: Final = "adaptive"

    def __init__(
        self,
        labels: tuple[str, ...],
        tracks: tuple[Track, ...],
        goal: Goal,
        seed: int,
        tables: int | None = None,
        cycles: Iterable[Cycle] = (),
    ) -> None:
        check_goal(goal, len(labels))
        if tables is not None and tables < 1:
            raise ArenaError(f"expected at least 1 table a batch, got {tables}")
        self.opening = Schedule(labels, tracks, Balanced(seed, cycles), seed, OPENING_ROUNDS)
        self.labels = labels
        self.tracks = tracks
        self.goal = goal
        self.seed = seed
        self._tables = tables
        self._turns = weighted_round_robin([track.weight for track in tracks])

    def track(self, batch: int) -> Track:
        """What a batch plays: tracks take turns by their weights."""
        return self.tracks[self._turns[batch % len(self._turns)][0]]

    def tables(self, batch: int) -> int:
        """Games of a batch: as many as seat the whole field once, unless told otherwise."""
        track = self.track(batch)
        return self._tables or max(1, len(track.bots) // track.players)

    def first(self, batch: int) -> int:
        """The number of a batch's first game; they go on from the opening's."""
        period, rest = divmod(batch, len(self._turns))
        games = period * sum(self.tables(each) for each in range(len(self._turns)))
        return len(self.opening) + games + sum(self.tables(each) for each in range(rest))

    def batch(self, number: int, mean: Floats, covariance: Floats) -> list[Fixture]:
        """The games of a batch, from what was believed of the whole field before it."""
        track = self.track(number)
        period, at = divmod(number, len(self._turns))
        turn = period * track.weight + self._turns[at][1]
        bots = list(track.bots)
        chosen = choose_tables(
            mean[bots],
            covariance[np.ix_(bots, bots)],
            self.goal if self.goal.top is None or self.goal.top < len(bots) else Goal(),
            track.players,
            self.tables(number),
        )
        fixtures = []
        for table, places in enumerate(chosen):
            seats = shuffled(places, Rng(derive(self.seed, f"seats/{track.name}/{number}/{table}")))
            entrants = tuple(bots[place] for place in seats)
            deal = OPENING_ROUNDS * track.weight + turn * self.tables(number) + table
            spec = match_spec(track, self.seed, deal, tuple(self.labels[bot] for bot in entrants))
            id = f"{self.stage}-{track.name}-{number}-{table}"
            place = self.first(number) + table
            fixtures.append(Fixture(place, id, self.stage, number, entrants, spec))
        return fixtures
