"""TrueSkill (Gaussian skills, a factor graph a match), folded over results in their order.

The package `trueskill`, imported here alone, rates one match in a millisecond, so a fold leaves
the arithmetic to its twin in `trueskill_kernel`; a sample of every fold goes through the package
too, and both must agree.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import erfc, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from engine.errors import ArenaError
from leagues.ratings.result_log import Ints, ResultLog
from leagues.ratings.trueskill_kernel import Skills

with warnings.catch_warnings():  # of escapes in its texts, wherever it is not compiled yet
    warnings.simplefilter("ignore")  # SyntaxWarning, before Python 3.12 DeprecationWarning
    import trueskill

MU: Final = 25.0
SIGMA: Final = 25.0 / 3.0
BETA: Final = 25.0 / 3.0  # how far luck moves a single game; bots differ less than people do
TAU: Final = 0.0  # bots do not change: a version is an entrant of its own
DRAW: Final = 0.03  # of a pair to tie, before there are results to count
DRAW_PAIRS: Final = 100  # results outweigh that guess beyond so many pairs
FIRST_LOOK: Final = 64  # matches after which draws are counted first, then after twice as many
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
    backend = (_normal_cdf, _NORMAL.pdf, _NORMAL.inv_cdf)
    return trueskill.TrueSkill(MU, SIGMA, BETA, TAU, draw, backend)


_STANDARD: Final = environment(DRAW)


def draw_of(tied: float, pairs: float) -> float:
    """How often two seats of a match tie, by counted pairs; never quite never, nor always."""
    return max(MIN_DRAW, float((tied + DRAW * DRAW_PAIRS) / (pairs + DRAW_PAIRS)))


def draw_rate(log: ResultLog) -> float:
    """How often two seats of a match tie, by all results."""
    tied, pairs = tied_pairs(log)
    return draw_of(int(tied.sum()), int(pairs.sum()))


def tied_pairs(log: ResultLog) -> tuple[Ints, Ints]:
    """Of every match the pairs of seats that tie, and all its pairs."""
    tied = np.zeros(len(log), dtype=np.int64)
    for tables in log.each_tables():
        equal = tables.rank[:, :, None] == tables.rank[:, None, :]
        tied[tables.where] = (equal.sum(axis=(1, 2)) - tables.players) // 2
    return tied, log.size * (log.size - 1) // 2


@dataclass(frozen=True, slots=True)
class Belief:
    """A rating as a fold goes on from it: the numbers it computes with, to the last digit."""

    precision: float
    pull: float  # precision times mu
    games: int

    @property
    def rating(self) -> Rating:
        return Rating(self.pull / self.precision, sqrt(1.0 / self.precision), self.games)


@dataclass(frozen=True, slots=True)
class FoldState:
    """A fold that has come so far: all that the matches to come need to know."""

    matches: int = 0
    tied: int = 0  # pairs of seats, in all matches so far
    pairs: int = 0
    draw_tied: int = 0  # the same, when the rate of draws was last looked at
    draw_pairs: int = 0
    beliefs: Mapping[int, Belief] = field(default_factory=dict)  # of whoever has played


@dataclass(frozen=True, slots=True)
class FoldRules:
    """What a fold knows besides results."""

    priors: Mapping[int, Rating] = field(default_factory=dict)
    parents: Mapping[int, int] = field(default_factory=dict)  # of new versions
    drift: float = 0.0  # betas that skills may have moved when a season begins


class Fold:
    """TrueSkill ratings on their way through a log: a sequential update, match after match.

    Nothing that comes later tells on what was folded, so a fold that was stopped can be gone on
    with. The rate of draws is that of the matches before, looked at whenever they have doubled. A
    new version begins where its parent is at that moment.
    """

    def __init__(
        self,
        log: ResultLog,
        rules: FoldRules | None = None,
        state: FoldState | None = None,
        seasons: Sequence[int] = (),
        draw: float | None = None,
    ) -> None:
        self.log = log
        self.at = 0  # the next match
        self._next_check = 0
        self.draw = DRAW if draw is None else draw
        self._rules = rules or FoldRules()
        self._before = state or FoldState()
        self._place = {entrant: place for place, entrant in enumerate(log.entrants)}
        tied, pairs = tied_pairs(log)
        self._tied = self._before.tied + np.concatenate([[0], np.cumsum(tied)])
        self._pairs = self._before.pairs + np.concatenate([[0], np.cumsum(pairs)])
        self._looked = self._before.draw_tied, self._before.draw_pairs
        start = [self._rules.priors.get(entrant, Rating()) for entrant in log.entrants]
        self._skills = Skills(
            [prior.mu for prior in start],
            [prior.sigma for prior in start],
            BETA,
            _margin(self.draw),
            max(log.counts(), default=2),
        )
        self._games = np.zeros(len(log.entrants), dtype=np.int64)
        for entrant, belief in self._before.beliefs.items():
            self._skills.believe(self._place[entrant], belief.precision, belief.pull)
            self._games[self._place[entrant]] = belief.games
        self._constant = draw is not None
        if not self._constant:
            self._set_draw(*self._looked)
        self._events = self._find_events(seasons)

    def _find_events(self, seasons: Sequence[int]) -> dict[int, list[Callable[[], None]]]:
        """What is to be done before matches, by their places."""
        found: dict[int, list[Callable[[], None]]] = {}
        if self._rules.drift:
            for place in seasons:
                found.setdefault(place, []).append(self._drift)
        first = np.full(len(self.log.entrants), len(self.log))
        matches = np.repeat(np.arange(len(self.log)), self.log.size)
        np.minimum.at(first, self.log.entrant, matches)
        for entrant in self._rules.parents:
            if entrant not in self._place:
                continue
            place = self._place[entrant]
            if not self._games[place] and first[place] < len(self.log):
                found.setdefault(int(first[place]), []).append(partial(self._begin, place))
        if not self._constant:
            look = FIRST_LOOK
            while look < self._before.matches + len(self.log):
                if look >= self._before.matches:
                    found.setdefault(look - self._before.matches, []).append(self._look)
                look *= 2
        return found

    def _look(self) -> None:
        self._looked = int(self._tied[self.at]), int(self._pairs[self.at])
        self._set_draw(*self._looked)

    def _set_draw(self, tied: int, pairs: int) -> None:
        self.draw = draw_of(tied, pairs)
        self._skills.set_margin(_margin(self.draw))

    def _drift(self) -> None:
        for place in np.flatnonzero(self._games).tolist():
            self._set(place, self.belief(place).widened(self._rules.drift * BETA))

    def _begin(self, place: int) -> None:
        inherited = self._inherited(place)
        if inherited is not None:
            self._set(place, inherited)

    def _set(self, place: int, rating: Rating) -> None:
        precision = 1.0 / (rating.sigma * rating.sigma)
        self._skills.believe(place, precision, rating.mu * precision)

    def _inherited(self, place: int) -> Rating | None:
        """What the version before tells of one that has not played; None if it tells nothing."""
        entrant = self.log.entrants[place]
        if entrant in self._rules.priors:
            return None
        parents = self._rules.parents
        parent = parents.get(entrant)
        while parent is not None and parent not in self._place:  # one that was never let play
            parent = parents.get(parent)
        if parent is None:
            return None
        at = self._place[parent]
        if self._games[at] or parent in self._rules.priors:
            return child_rating(self.belief(at))
        inherited = self._inherited(at)
        return None if inherited is None else child_rating(inherited)

    def belief(self, place: int) -> Rating:
        """Of the entrant at this place in the log."""
        games = int(self._games[place])
        if not games:
            inherited = self._inherited(place)
            if inherited is not None:
                return inherited
        return Rating(self._skills.mean(place), self._skills.deviation(place), games)

    def state(self) -> FoldState:
        """All that is needed to go on from here."""
        beliefs = {
            self.log.entrants[place]: Belief(*self._skills.known(place), int(self._games[place]))
            for place in np.flatnonzero(self._games).tolist()
        }
        return FoldState(
            self._before.matches + self.at,
            int(self._tied[self.at]),
            int(self._pairs[self.at]),
            *self._looked,
            beliefs,
        )

    def advance(self, stop: int) -> None:
        """Take in the matches up to this one."""
        while self.at < stop:
            for event in self._events.pop(self.at, ()):
                event()
            end = min([stop, *(place for place in self._events if place > self.at)])
            seats = slice(*self._seats(self.at, end))
            self._skills.fold(
                self.log.size[self.at : end].tolist(),
                self.log.entrant[seats].tolist(),
                self.log.rank[seats].tolist(),
            )
            self._games += np.bincount(self.log.entrant[seats], minlength=len(self._games))
            self.at = end

    def advance_checked(self, stop: int, stride: int) -> None:
        """Take in the matches up to this one, of which the package rates one in every stride."""
        while self.at < stop:
            if self.at >= self._next_check:
                self._next_check = self.at + stride
                self._advance_one()
            self.advance(min(stop, self._next_check))

    def _advance_one(self) -> None:
        """Take in one match, and see that the package says the same of it."""
        for event in self._events.pop(self.at, ()):
            event()
        seats = slice(*self._seats(self.at, self.at + 1))
        places = self.log.entrant[seats].tolist()
        before = {
            place: Rating(self._skills.mean(place), self._skills.deviation(place))
            for place in places
        }
        self.advance(self.at + 1)
        spread = [rating.mu for rating in before.values()]
        if len(places) < 2 or max(spread) - min(spread) > FAR:
            return
        try:
            after = _rate(environment(self.draw), before, places, self.log.rank[seats].tolist())
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


def _margin(draw: float) -> float:
    """How close two performances are that tie."""
    if not 0.0 < draw < 1.0:
        raise RatingError(f"expected a draw probability between 0 and 1, got {draw}")
    return _NORMAL.inv_cdf((draw + 1.0) / 2.0) * sqrt(2.0) * BETA


def fold(
    log: ResultLog,
    priors: Mapping[int, Rating] | None = None,
    draw: float | None = None,
    parents: Mapping[int, int] | None = None,
    seasons: Sequence[int] = (),
    drift: float = 0.0,
) -> dict[int, Rating]:
    """Every entrant's TrueSkill rating after the matches of the log, in their order."""
    rules = FoldRules(priors or {}, parents or {}, drift)
    running = Fold(log, rules, seasons=seasons, draw=draw)
    running.advance_checked(len(log), max(1, len(log) // CONTROLS))
    return {entrant: running.belief(place) for place, entrant in enumerate(log.entrants)}


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
