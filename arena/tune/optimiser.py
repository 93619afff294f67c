"""Where to look next for a better point; the only import of optuna."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from arena.tune.ranges import Point, Range

OPENING: Final = 10  # points by lot before there is something to go by


class Optimiser:
    """Proposes points one by one and learns what each was worth; the same again with its seed.

    The sampler is a tree-structured Parzen estimator: it takes whole numbers and log scales as
    they are, and bears with values that are uncertain.
    """

    def __init__(self, ranges: Sequence[Range], seed: int, first: Point) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.space = {each.name: _distribution(each) for each in ranges}
        sampler = optuna.samplers.TPESampler(
            seed=seed % 2**32, n_startup_trials=OPENING, multivariate=True
        )
        self.study = optuna.create_study(sampler=sampler, direction="maximize")
        self.study.enqueue_trial(dict(zip(self.space, first, strict=True)))

    def ask(self) -> tuple[int, Point]:
        """The number of a point, and the point."""
        trial = self.study.ask(self.space)
        return trial.number, tuple(float(trial.params[name]) for name in self.space)

    def tell(self, number: int, value: float) -> None:
        """What the point of this number was worth; the more the better."""
        self.study.tell(number, value)


def _distribution(range: Range) -> BaseDistribution:
    if range.choices:
        return CategoricalDistribution([float(place) for place, _ in enumerate(range.choices)])
    if range.whole:
        return IntDistribution(int(range.low), int(range.high), log=range.log)
    return FloatDistribution(range.low, range.high, log=range.log)
