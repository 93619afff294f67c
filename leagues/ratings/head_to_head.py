"""Who beats whom: head to head, against what skill alone predicts, and whether skill is enough."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from leagues.ratings.result_log import Floats, ResultLog, SeatArrays
from leagues.ratings.statistics import Estimate, wilson
from leagues.ratings.thurstone import Fit, PairCounts, count_pairs, fit_skills
from leagues.ratings.trueskill_fold import BETA, Rating

SEED: Final = 11
SAMPLE: Final = 10_000  # matches played again; the statistic does not grow with them


@dataclass(frozen=True, slots=True)
class Meeting:
    """One entrant against another, over all tables they shared."""

    entrant: int
    opponent: int
    games: int
    share: Estimate  # of games finished above the opponent; a tie is half of one
    expected: float  # by their skills

    @property
    def residual(self) -> float:
        return self.share.value - self.expected


def head_to_head(pairs: PairCounts, fitted: Fit) -> dict[tuple[int, int], Meeting]:
    """Every two entrants who met, both ways round."""
    above = pairs.total()
    games = above + above.T
    expected = fitted.expected()
    return {
        (pairs.entrants[row], pairs.entrants[column]): Meeting(
            entrant=pairs.entrants[row],
            opponent=pairs.entrants[column],
            games=int(games[row, column]),
            share=wilson(float(above[row, column] / games[row, column]), games[row, column]),
            expected=float(expected[row, column]),
        )
        for row, column in zip(*np.nonzero(games), strict=True)
    }


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """How far the meetings are from what one skill an entrant can explain."""

    statistic: float  # Pearson's: squared residuals in units of their variance, over pairs
    freedom: int  # degrees of freedom
    chance: float  # to be as far by luck alone
    residual: float  # the root mean square, in shares of games


def measure_intransitivity(
    log: ResultLog, priors: Mapping[int, Rating] | None = None, rounds: int = 199
) -> Intransitivity:
    """Pearson's chi-squared of the meetings, judged by a parametric bootstrap.

    The same tables are played again by skill alone, as pairs of a table are not independent.
    Simulated games never tie, which makes the judgement slightly milder.
    """
    pairs = count_pairs(log)
    fitted = fit_skills(pairs, priors)
    statistic, residual = _chi_squared(pairs, fitted)
    luck = np.random.default_rng(SEED)
    sample = log.only(np.arange(len(log)) % max(1, -(-len(log) // SAMPLE)) == 0)
    tables = list(sample.each_tables())
    as_far = 0
    for _ in range(rounds):
        again = PairCounts(log.entrants)
        for part in tables:
            again.add_tables(_played_again(part, fitted.mean, luck))
        as_far += _chi_squared(again, fit_skills(again, priors))[0] >= statistic
    met = pairs.total() + pairs.total().T > 0
    skills = max(1, int(met.any(axis=1).sum())) - 1  # but for their level
    freedom = max(0, int(met.sum()) // 2 - skills)
    return Intransitivity(statistic, freedom, (1 + as_far) / (1 + rounds), residual)


def _played_again(tables: SeatArrays, skill: Floats, luck: np.random.Generator) -> SeatArrays:
    performance = luck.normal(skill[tables.entrant], BETA)
    return replace(tables, rank=np.argsort(np.argsort(-performance, axis=1), axis=1))


def _chi_squared(pairs: PairCounts, fitted: Fit) -> tuple[float, float]:
    """Pearson's statistic of observed and expected shares, and their root mean square residual."""
    above = pairs.total()
    row, column = np.nonzero(np.triu(above + above.T, 1))
    if not len(row):
        return 0.0, 0.0
    games = above[row, column] + above[column, row]
    share = above[row, column] / games
    expected = np.clip(fitted.expected()[row, column], 1e-9, 1.0 - 1e-9)
    off = games * (share - expected) ** 2
    return (
        float(np.sum(off / (expected * (1.0 - expected)))),
        float(np.sqrt(np.sum(off) / np.sum(games))),
    )
