"""What is not skill: wonders, seats and neighbours, and how much each seems to matter."""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from leagues.ratings.result_log import Bools, Ints, ResultLog
from leagues.ratings.statistics import Estimate, Sums, group_sums, tally_games

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class EffectEstimate:
    """How seats with one wonder, or in one place, came out; nothing of those never played."""

    name: str
    games: int
    lift: Estimate | None  # wins by players: 1 is fair
    rank_points: Estimate | None  # one half is fair
    score: Estimate | None


def wonder_effects(log: ResultLog) -> list[EffectEstimate]:
    """Of every wonder; fair to the wonders where every bot had them equally often."""
    return _effects(log, log.wonder.astype(np.int64), list(log.wonders))


def seat_effects(log: ResultLog) -> list[EffectEstimate]:
    """Of every seat, from 0."""
    seat = np.arange(len(log.entrant)) - np.repeat(log.start, log.size)
    return _effects(log, seat, [str(number) for number in range(max(log.counts(), default=0))])


def own_effects(log: ResultLog, entrant: int) -> dict[str, list[EffectEstimate]]:
    """How one entrant came out, by wonder, by seat and by number of players, where it played."""
    if entrant not in log.entrants:
        return {}
    own = log.entrant == log.entrants.index(entrant)
    most = max(log.counts(), default=0)
    seat = np.arange(len(log.entrant)) - np.repeat(log.start, log.size)
    counts = [str(number) for number in range(most + 1)]
    found = {
        "wonder": _effects(log, log.wonder.astype(np.int64), list(log.wonders), own),
        "seat": _effects(log, seat, counts[:-1], own),
        "players": _effects(log, np.repeat(log.size, log.size), counts, own),
    }
    return {by: [each for each in effects if each.games] for by, effects in found.items()}


def _effects(
    log: ResultLog, group: Ints, names: list[str], seats: Bools | None = None
) -> list[EffectEstimate]:
    counted = tally_games(log, group, len(names), seats)
    return [
        EffectEstimate(
            name=name,
            games=int(counted.wins.games[at]),
            lift=counted.lift.estimate(at, 0.0),
            rank_points=counted.points.estimate(at, 0.0, 1.0),
            score=counted.score.estimate(at),
        )
        for at, name in enumerate(names)
    ]


@dataclass(frozen=True, slots=True)
class BotWonder:
    """One bot with one wonder."""

    entrant: int
    wonder: str
    games: int
    rank_points: Estimate
    shrunk: float  # rank points by empirical Bayes: drawn to the bot's mean as far as luck explains


def bot_wonders(log: ResultLog) -> list[BotWonder]:
    """Every bot with every wonder it had."""
    size = len(log.wonders)
    group = log.entrant.astype(np.int64) * size + log.wonder
    points = tally_games(log, group, len(log.entrants) * size).points
    own = tally_games(log, log.entrant.astype(np.int64), len(log.entrants)).points
    cells = [
        (entrant, wonder, entrant * size + wonder)
        for entrant, wonder in product(range(len(log.entrants)), range(size))
        if points.games[entrant * size + wonder] > 0
    ]
    real = _real_variance([(points.mean(at) - own.mean(e), points.error(at)) for e, _, at in cells])
    found = []
    for entrant, wonder, at in cells:
        estimate = points.estimate(at, 0.0, 1.0)
        assert estimate is not None
        mean = own.mean(entrant)
        noise = points.error(at) ** 2
        trust = real / (real + noise) if real > 0.0 else 0.0
        found.append(
            BotWonder(
                entrant=log.entrants[entrant],
                wonder=log.wonders[wonder],
                games=int(points.games[at]),
                rank_points=estimate,
                shrunk=mean + trust * (estimate.value - mean),
            )
        )
    return found


def _real_variance(deviations: list[tuple[float, float]]) -> float:
    """The variance between cells beyond their own errors, by the method of moments."""
    weights = [1.0 / error**2 for _, error in deviations if error > 0.0]
    excess = [(off**2 - error**2) / error**2 for off, error in deviations if error > 0.0]
    return max(0.0, sum(excess) / sum(weights)) if weights else 0.0


@dataclass(frozen=True, slots=True)
class Neighbour:
    """How one bot did with another to its left."""

    entrant: int
    left: int
    games: int
    rank_points: Estimate


def neighbours(log: ResultLog) -> list[Neighbour]:
    """Every bot with every neighbour it had on its left, the next seat clockwise."""
    size = len(log.entrants)
    sums: Sums = group_sums(
        (
            (
                (tables.entrant * size + np.roll(tables.entrant, -1, axis=1)).ravel(),
                (tables.above() / (tables.players - 1)).ravel(),
            )
            for tables in log.each_tables()
            if tables.players > 1
        ),
        size * size,
    )
    found = []
    for at in np.flatnonzero(sums.games).tolist():
        estimate = sums.estimate(at, 0.0, 1.0)
        assert estimate is not None
        entrant, left = divmod(at, size)
        found.append(
            Neighbour(log.entrants[entrant], log.entrants[left], int(sums.games[at]), estimate)
        )
    return found


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """How one bot's scores are spread."""

    entrant: int
    games: int
    quantiles: tuple[float, float, float, float, float]  # 5, 25, 50, 75 and 95 in 100
    behind: float  # the best score of the table, in the mean; 0 for one who is always best


def score_spreads(log: ResultLog) -> list[ScoreSpread]:
    """Of every bot that has played."""
    if not len(log):
        return []
    best = np.repeat(np.maximum.reduceat(log.score, log.start), log.size)
    found = []
    for place in np.flatnonzero(log.games()).tolist():
        own = log.entrant == place
        low, lower, middle, upper, high = np.quantile(log.score[own], QUANTILES).tolist()
        found.append(
            ScoreSpread(
                entrant=log.entrants[place],
                games=int(own.sum()),
                quantiles=(low, lower, middle, upper, high),
                behind=float(np.mean(best[own] - log.score[own])),
            )
        )
    return found
