"""A generalised sequential probability ratio test (GSPRT), and a confidence sequence.

The test ends as soon as it is sure, and the interval is valid at any time. Scores are differences
in rank points, at most 1 either way, one for every block of games; blocks of one stratum are
alike. Gains are in Elo: a gain of E is to finish above the other in 1 / (1 + 10 ** (-E / 400)) of
the games in which they meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Final

from engine.errors import ArenaError

MIN_BLOCKS: Final = 32  # blocks before which nothing is decided
# The spread is not believed at once: so many blocks are added to those seen, with a variance that
# is about the largest bots have where they meet often; in units of the factor squared.
PRIOR_BLOCKS: Final = 8
PRIOR_VARIANCE: Final = 0.5
# Where the interval is narrowest for its age: after some 9 / MIXTURE blocks, as verdicts take.
MIXTURE: Final = 0.05
MAX_ELO: Final = 1200.0
_SCALE: Final = math.log(10) / 800


def excess(elo: float) -> float:
    """How much more often one finishes above the other than below, from -1 to 1."""
    return math.tanh(elo * _SCALE)


def to_elo(excess: float) -> float:
    """The inverse of `excess`; what goes beyond all bounds is MAX_ELO."""
    most = math.tanh(MAX_ELO * _SCALE)
    return math.atanh(min(max(excess, -most), most)) / _SCALE


@dataclass
class RunningMoments:
    """Count, mean and sum of squared deviations, by Welford's algorithm: values are not kept."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.squares += step * (value - self.mean)

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 while there is no telling."""
        if self.count < 2:
            return 0.0
        return math.sqrt(self.squares / (self.count - 1) / self.count)


@dataclass
class Sample:
    """Scores of blocks by stratum, and the score that an excess of 1 would have meant."""

    strata: dict[int, RunningMoments] = field(default_factory=dict)
    factors: RunningMoments = field(default_factory=RunningMoments)
    total: float = 0.0

    def add(self, score: float, factor: float, stratum: int = 0) -> None:
        self.strata.setdefault(stratum, RunningMoments()).add(score)
        self.factors.add(factor)
        self.total += score

    @property
    def blocks(self) -> int:
        """How many scores there are."""
        return self.factors.count

    @property
    def factor(self) -> float:
        """Score for each unit of excess, over the blocks seen."""
        return self.factors.mean

    @property
    def mean(self) -> float:
        """The mean score; strata count by their blocks."""
        return self.total / self.blocks if self.blocks else 0.0

    @property
    def variance(self) -> float:
        """Of one block within its stratum, the prior included."""
        return self._variance(PRIOR_BLOCKS)

    @property
    def observed_variance(self) -> float:
        """The variance without the prior."""
        return self._variance(0)

    def _variance(self, prior: int) -> float:
        squares = sum(moments.squares for moments in self.strata.values())
        freedom = max(self.blocks - len(self.strata), 0)
        more = prior * PRIOR_VARIANCE * self.factor**2
        return (squares + more) / max(freedom + prior, 1)

    def margin(self, risk: float) -> float:
        """Half the width of an interval that holds the true mean at all times but for this risk.

        The normal-mixture confidence sequence: looking as often as one likes costs nothing.
        """
        if not self.blocks:
            return 1.0
        age = self.blocks * MIXTURE
        width = 2 * (age + 1) / (self.blocks * age) * math.log(math.sqrt(age + 1) / risk)
        return math.sqrt(self.variance * width)

    def interval(self, risk: float) -> tuple[float, float]:
        """Where the true mean score lies, good at any time."""
        margin = self.margin(risk)
        return max(self.mean - margin, -1.0), min(self.mean + margin, 1.0)

    def elo(self, score: float) -> float:
        """The gain that a mean score tells of."""
        return to_elo(score / (self.factor or 1.0))


@dataclass(frozen=True)
class Sprt:
    """The hypotheses H0, a gain of `elo0`, and H1, a gain of `elo1`, with the risks of error.

    A bot that gains `elo0` or less is called better with probability `alpha` at most (type I), one
    that gains `elo1` or more is not called better with probability `beta` at most (type II).
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for risk in (self.alpha, self.beta):
            if not 0.0005 <= risk < 0.5:
                raise ArenaError(f"expected a risk between 0.0005 and 0.5, got {risk:g}")
        if not self.elo0 + 1 <= self.elo1 <= self.elo0 + 400:
            raise ArenaError(f"expected a gain from 1 to 400 Elo, got {self.elo1 - self.elo0:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 is accepted, and H1.

        Wald's are a little nearer; these keep the risks whatever the test overshoots them by.
        """
        return math.log(self.beta), -math.log(self.alpha)

    def llr(self, sample: Sample) -> float:
        """The log-likelihood ratio of H1 to H0, generalised to any variance of scores."""
        if not sample.blocks:
            return 0.0
        mean0, mean1 = (sample.factor * excess(elo) for elo in (self.elo0, self.elo1))
        middle = 2 * sample.mean - mean0 - mean1
        return (mean1 - mean0) * middle * sample.blocks / (2 * sample.variance)

    def decide(self, sample: Sample) -> bool | None:
        """Whether H1 is accepted, or H0; None while the test goes on."""
        if sample.blocks < MIN_BLOCKS:
            return None
        lower, upper = self.bounds
        llr = self.llr(sample)
        return True if llr >= upper else False if llr <= lower else None

    def fixed_blocks(self, sample: Sample) -> int:
        """Blocks that a test of fixed size with the same risks would need, by the spread seen."""
        if not sample.blocks:
            return 0
        quantiles = sum(NormalDist().inv_cdf(1 - risk) for risk in (self.alpha, self.beta))
        gap = sample.factor * (excess(self.elo1) - excess(self.elo0))
        return math.ceil(sample.observed_variance * (quantiles / gap) ** 2)
