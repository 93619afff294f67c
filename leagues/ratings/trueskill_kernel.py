"""TrueSkill's message passing on its factor graph (expectation propagation), to be compiled.

Tables are of single players, never of teams.
The messages, their order and their end are those of the package `trueskill`; only the tails
differ: where probabilities vanish the package gives up, and here they are continued exactly.
"""

from math import cos, erfc, exp, pi, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

ROOT_HALF: Final = 0.7071067811865476
DENSITY: Final = 0.3989422804014327  # of the standard normal, at its middle
SWEEPS: Final[i64] = 10
SMALL: Final = 1e-4  # a sweep that changes no message by more is the last
TAIL: Final = -5.0  # from here on the continued fraction is exact to the last digit
FRACTIONS: Final[i64] = 30
REACH: Final = 40.0  # beyond this many powers of e nothing is left to add up


def _node(number: int, order: int) -> tuple[float, float]:
    """Where Gauss and Legendre look at a function between -1 and 1, and with which weight."""
    x = cos(pi * (float(number) + 0.75) / (float(order) + 0.5))
    slope = 0.0
    for _ in range(8):  # Newton, from a close guess
        before = 1.0
        value = x
        for degree in range(2, order + 1):
            d = float(degree)
            before, value = value, ((2.0 * d - 1.0) * x * value - (d - 1.0) * before) / d
        slope = float(order) * (x * value - before) / (x * x - 1.0)
        x -= value / slope
    return x, 2.0 / ((1.0 - x * x) * slope * slope)


NODES: Final = [_node(number, 32) for number in range(32)]


def above_zero(x: float) -> tuple[float, float]:
    """Mean and variance of a normal around x, variance 1, known to be positive."""
    if x > TAIL:
        v = DENSITY * exp(-0.5 * x * x) / (0.5 * erfc(-x * ROOT_HALF))
        return x + v, 1.0 - v * (v + x)
    # Laplace: the inverse of Mills' ratio at y is y + 1 / (y + 2 / (y + 3 / ...)).
    y = -x
    rest = y
    step = FRACTIONS
    while step > 2:
        rest = y + float(step) / rest
        step -= 1
    first = y + 2.0 / rest
    return 1.0 / first, (2.0 / rest - 1.0 / first) / first


def within(x: float, margin: float) -> tuple[float, float]:
    """Mean and variance of a normal around x, variance 1, known to be margin from 0 at most."""
    if x < 0.0:
        mean, variance = within(-x, margin)
        return -mean, variance
    slope = x - margin
    if margin > 1.0 and slope < 5.0:
        a = margin - x
        b = -margin - x
        mass = 0.5 * (erfc(-a * ROOT_HALF) - erfc(-b * ROOT_HALF))
        at_a = DENSITY * exp(-0.5 * a * a)
        at_b = DENSITY * exp(-0.5 * b * b)
        v = (at_b - at_a) / mass
        return x + v, 1.0 - v * v - (a * at_a - b * at_b) / mass
    # Differences of probabilities lose all digits in a narrow gap, a sum of densities none.
    half = margin
    if slope * margin > 0.5 * REACH:
        half = 0.5 * REACH / slope
    mass = 0.0
    moment = 0.0
    for node, weight in NODES:
        below = half * (1.0 - node)  # how far under the upper end
        density = weight * exp(-below * (slope + 0.5 * below))
        mass += density
        moment += density * below
    mean = moment / mass
    moment = 0.0
    for node, weight in NODES:
        below = half * (1.0 - node)
        density = weight * exp(-below * (slope + 0.5 * below))
        moment += density * (below - mean) * (below - mean)
    return margin - mean, moment / mass


def _zeros(size: int) -> vec[float]:
    return vec[float]([0.0] * size)


class Skills:
    """What is believed of players 0 to n - 1, each a normal: precision, and pull (that times mean).

    In a match they stand in a chain from the winner down, and every link is a comparison.
    """

    def __init__(
        self, means: list[float], deviations: list[float], beta: float, margin: float, seats: int
    ) -> None:
        self.noise: float = beta * beta
        self.margin: float = margin
        self.precision: vec[float] = vec[float]([1.0 / (d * d) for d in deviations])
        self.pull: vec[float] = vec[float](
            [m / (d * d) for m, d in zip(means, deviations, strict=True)]
        )
        self.chain: vec[i64] = vec[i64]([0] * seats)
        # By place in the chain: what the table knew before, and what the links tell it.
        self.own_precision: vec[float] = _zeros(seats)
        self.own_pull: vec[float] = _zeros(seats)
        self.up_precision: vec[float] = _zeros(seats)  # from the link to the place above
        self.up_pull: vec[float] = _zeros(seats)
        self.down_precision: vec[float] = _zeros(seats)  # from the link to the place below
        self.down_pull: vec[float] = _zeros(seats)
        # By link, numbered as the place above it: what the result says of the difference.
        self.told_precision: vec[float] = _zeros(seats)
        self.told_pull: vec[float] = _zeros(seats)

    def believe(self, player: i64, precision: float, pull: float) -> None:
        """What is known of a player from elsewhere, to the last digit."""
        self.precision[player] = precision
        self.pull[player] = pull

    def set_margin(self, margin: float) -> None:
        """How close two performances must be for a tie, from now on."""
        self.margin = margin

    def known(self, player: i64) -> tuple[float, float]:
        """Precision and pull, which `believe` takes."""
        return self.precision[player], self.pull[player]

    def mean(self, player: i64) -> float:
        return self.pull[player] / self.precision[player]

    def deviation(self, player: i64) -> float:
        return sqrt(1.0 / self.precision[player])

    def fold(self, sizes: list[int], players: list[int], ranks: list[int]) -> None:
        """Take in matches one after the other; seats of all of them in one row."""
        at: i64 = 0
        for size in sizes:
            self._rate(players, ranks, at, size)
            at += size

    def _rate(self, players: list[int], ranks: list[int], at: i64, size: i64) -> None:
        if size < 2:
            return
        self._line_up(players, ranks, at, size)
        last = size - 2
        if last == 0:
            self._compare(ranks, 0)
        else:
            self._sweep(ranks, last)
        self._tell_above(0)
        self._tell_below(last)
        for place in range(size):
            player: i64 = players[self.chain[place]]
            precision = self.up_precision[place] + self.down_precision[place]
            pull = self.up_pull[place] + self.down_pull[place]
            share = 1.0 / (1.0 + self.noise * precision)
            self.precision[player] += share * precision
            self.pull[player] += share * pull

    def _line_up(self, players: list[int], ranks: list[int], at: i64, size: i64) -> None:
        """Chain the seats by rank; tied ones by what they are, never by how they are listed."""
        for place in range(size):
            seat = at + place
            gap = place
            while gap > 0 and self._before(players, ranks, seat, self.chain[gap - 1]):
                self.chain[gap] = self.chain[gap - 1]
                gap -= 1
            self.chain[gap] = seat
        for place in range(size):
            player: i64 = players[self.chain[place]]
            share = 1.0 / (1.0 + self.noise * self.precision[player])
            self.own_precision[place] = share * self.precision[player]
            self.own_pull[place] = share * self.pull[player]
            self.up_precision[place] = 0.0
            self.up_pull[place] = 0.0
            self.down_precision[place] = 0.0
            self.down_pull[place] = 0.0
            self.told_precision[place] = 0.0
            self.told_pull[place] = 0.0

    def _before(self, players: list[int], ranks: list[int], seat: i64, other: i64) -> bool:
        rank: i64 = ranks[seat]
        their_rank: i64 = ranks[other]
        if rank != their_rank:
            return rank < their_rank
        player: i64 = players[seat]
        rival: i64 = players[other]
        mean = self.mean(player)
        their_mean = self.mean(rival)
        if mean != their_mean:
            return mean < their_mean
        deviation = self.deviation(player)
        their_deviation = self.deviation(rival)
        if deviation != their_deviation:
            return deviation < their_deviation
        return player < rival

    def _sweep(self, ranks: list[int], last: i64) -> None:
        for _ in range(SWEEPS):
            change = 0.0
            link: i64 = 0
            while link < last:
                change = max(change, self._compare(ranks, link))
                self._tell_below(link)
                link += 1
            while link > 0:
                change = max(change, self._compare(ranks, link))
                self._tell_above(link)
                link -= 1
            if change <= SMALL:
                return

    def _compare(self, ranks: list[int], link: i64) -> float:
        """Learn from who came first at this link; how much the message has changed."""
        a = self.own_precision[link] + self.up_precision[link]
        b = self.own_precision[link + 1] + self.down_precision[link + 1]
        precision = a * b / (a + b)
        root = sqrt(precision)
        pull_a = self.own_pull[link] + self.up_pull[link]
        pull_b = self.own_pull[link + 1] + self.down_pull[link + 1]
        x = root * (pull_a / a - pull_b / b)
        margin = root * self.margin
        rank: i64 = ranks[self.chain[link]]
        next_rank: i64 = ranks[self.chain[link + 1]]
        if rank == next_rank:
            mean, variance = within(x, margin)
        else:
            mean, variance = above_zero(x - margin)
            mean += margin
        told = max(0.0, precision * (1.0 - variance) / variance)
        pull = root * (mean - x * variance) / variance
        change = max(abs(pull - self.told_pull[link]), sqrt(abs(told - self.told_precision[link])))
        self.told_precision[link] = told
        self.told_pull[link] = pull
        return change

    def _tell_below(self, link: i64) -> None:
        a = self.own_precision[link] + self.up_precision[link]
        pull = self.own_pull[link] + self.up_pull[link]
        told = self.told_precision[link]
        self.up_precision[link + 1] = a * told / (a + told)
        self.up_pull[link + 1] = (pull * told - self.told_pull[link] * a) / (a + told)

    def _tell_above(self, link: i64) -> None:
        b = self.own_precision[link + 1] + self.down_precision[link + 1]
        pull = self.own_pull[link + 1] + self.down_pull[link + 1]
        told = self.told_precision[link]
        self.down_precision[link] = b * told / (b + told)
        self.down_pull[link] = (pull * told + self.told_pull[link] * b) / (b + told)
