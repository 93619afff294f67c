"""TrueSkill (Gaussian skills, a factor graph a match), folded over results in their order.

The package `trueskill`, imported here alone, rates one match in a millisecond, so a fold leaves
the arithmetic to its twin in `trueskill_kernel`; a sample of every fold goes through the package
too, and both must agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import erfc, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
import trueskill

from engine.errors import ArenaError
from leagues.ratings.result_log import ResultLog
from leagues.ratings.trueskill_kernel import Skills

MU: Final = 25.0
SIGMA: Final = 25.0 / 3.0
BETA: Final = 25.0 / 3.0  # how far luck moves a single game; bots differ less than people do
TAU: Final = 0.0  # bots do not change: a version is an entrant of its own
DRAW: Final = 0.03  # of a pair to tie, before there are results to count
DRAW_PAIRS: Final = 100  # results outweigh that guess beyond so many pairs
MIN_DRAW: Final = 0.001  # a tie that was held impossible would say too much
VERSION_STEP: Final = 0.5 * BETA  # between a version and its parent
COUNT_STEP: Final = 0.3 * BETA  # between one player count and the others
CONTROLS: Final = 100  # matches of a fold that the package rates as well
AGREEMENT: Final = 1e-6
FAR: Final = 15.0 * BETA  # apart; beyond it the package loses digits, then gives up


class RatingError(ArenaError):
    """Ratings that cannot be trusted."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of an entrant's skill, and from how many games."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0

    @property
    def shown(self) -> float:
        """A skill it has almost surely: three deviations below the mean."""
        return float(_STANDARD.expose(trueskill.Rating(self.mu, self.sigma)))

    def widened(self, step: float) -> "Rating":
        """The same belief about a relative of this entrant, a step away."""
        return Rating(self.mu, sqrt(self.sigma**2 + step**2))


def child_rating(parent: Rating) -> Rating:
    """Where a new version starts."""
    return parent.widened(VERSION_STEP)


_NORMAL: Final = NormalDist()


def _normal_cdf(x: float) -> float:
    return 0.5 * erfc(-x / sqrt(2.0))


def environment(draw: float) -> trueskill.TrueSkill:
    """The package with these constants, and with probabilities exact to the last digits."""
    if not 0.0 < draw < 1.0:
        raise RatingError(f"expected a draw probability between 0 and 1, got {draw}")
    backend = (_normal_cdf, _NORMAL.pdf, _NORMAL.inv_cdf)
    return trueskill.TrueSkill(MU, SIGMA, BETA, TAU, draw, backend)


_STANDARD: Final = environment(DRAW)


def draw_rate(log: ResultLog) -> float:
    """How often two seats of a match tie, by the results; never quite never, nor always."""
    tied = pairs = 0.0
    for tables in log.each_tables():
        rank = tables.rank
        equal = np.count_nonzero(rank[:, :, None] == rank[:, None, :]) - rank.size
        tied += equal / 2
        pairs += len(rank) * tables.players * (tables.players - 1) / 2
    return max(MIN_DRAW, float((tied + DRAW * DRAW_PAIRS) / (pairs + DRAW_PAIRS)))


class Fold:
    """TrueSkill ratings on their way through a log: a sequential update, match after match."""

    def __init__(self, log: ResultLog, priors: Mapping[int, Rating], draw: float) -> None:
        start = [priors.get(entrant, Rating()) for entrant in log.entrants]
        self.log = log
        self.environment = environment(draw)
        self.at = 0  # the next match
        self._skills = Skills(
            [prior.mu for prior in start],
            [prior.sigma for prior in start],
            BETA,
            _NORMAL.inv_cdf((draw + 1.0) / 2.0) * sqrt(2.0) * BETA,
            max(log.counts(), default=2),
        )

    def belief(self, place: int) -> Rating:
        """Of the entrant at this place in the log; games are not counted here."""
        return Rating(self._skills.mean(place), self._skills.deviation(place))

    def advance(self, stop: int) -> None:
        """Take in the matches up to this one."""
        seats = slice(*self._seats(self.at, stop))
        self._skills.fold(
            self.log.size[self.at : stop].tolist(),
            self.log.entrant[seats].tolist(),
            self.log.rank[seats].tolist(),
        )
        self.at = stop

    def advance_controlled(self) -> None:
        """Take in one match, and see that the package says the same of it."""
        seats = slice(*self._seats(self.at, self.at + 1))
        places = self.log.entrant[seats].tolist()
        before = {place: self.belief(place) for place in places}
        self.advance(self.at + 1)
        spread = [rating.mu for rating in before.values()]
        if len(places) < 2 or max(spread) - min(spread) > FAR:
            return
        try:
            after = _rate(self.environment, before, places, self.log.rank[seats].tolist())
        except FloatingPointError:  # no answer is no contradiction
            return
        for place in places:
            got = self.belief(place)
            gap = max(abs(got.mu - after[place].mu), abs(got.sigma - after[place].sigma))
            if not gap <= AGREEMENT * before[place].sigma:
                raise RatingError(
                    f"expected {after[place]} for entrant {self.log.entrants[place]} after match "
                    f"{self.log.match[self.at - 1]}, as trueskill has it, got {got}"
                )

    def _seats(self, first: int, stop: int) -> tuple[int, int]:
        if first == stop:
            return 0, 0
        last = stop - 1
        return int(self.log.start[first]), int(self.log.start[last] + self.log.size[last])


def fold(
    log: ResultLog, priors: Mapping[int, Rating] | None = None, draw: float | None = None
) -> dict[int, Rating]:
    """Every entrant's TrueSkill rating after the matches of the log, in their order."""
    running = Fold(log, priors or {}, draw_rate(log) if draw is None else draw)
    stride = max(1, len(log) // CONTROLS)
    for first in range(0, len(log), stride):
        running.advance_controlled()
        running.advance(min(first + stride, len(log)))
    games = log.games()
    return {
        entrant: replace(running.belief(place), games=int(games[place]))
        for place, entrant in enumerate(log.entrants)
    }


def _rate(
    environment: trueskill.TrueSkill, before: Mapping[int, Rating], ids: list[int], ranks: list[int]
) -> dict[int, Rating]:
    """One match through the package, tied players in an order of their own."""
    chain = sorted(
        zip(ranks, ids, strict=True),
        key=lambda seat: (seat[0], before[seat[1]].mu, before[seat[1]].sigma, seat[1]),
    )
    teams = [(trueskill.Rating(before[id].mu, before[id].sigma),) for _, id in chain]
    rated = environment.rate(teams, ranks=[rank for rank, _ in chain])
    return {
        id: Rating(float(rating.mu), float(rating.sigma))
        for (_, id), (rating,) in zip(chain, rated, strict=True)
    }
