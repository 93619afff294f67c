"""A small network over the features of a seat, computed in integers: the same on every machine.

One layer of rectifiers beside a linear part. Weights are multiples of 2**-12, so all sums are
exact, whatever their order. Its answer is what a seat may expect of a game: mostly the chance to
win, a little by the margin.
"""

import math
from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from engine.architects.state import ArchitectsPosition
from engine.contract import State
from engine.seven.state import SevenPosition

SHIFT: Final = 12  # a weight of 1 is 1 << SHIFT
ONE: Final = 1 << 24  # an expectation of 1: a win by 20 points or more

# The logistic function at multiples of 1/256, from -8 to 8.
_STEP_BITS: Final = 2 * SHIFT - 8
_STEPS: Final = 4096
_HALF: Final = 2048


def logistic(step: int) -> int:
    """The function at a step of the table; no step lies near the middle between two integers."""
    return round(ONE / (1.0 + math.exp(-step / 256)))


_TABLE: Final = vec[i64]([logistic(step - 2048) for step in range(4097)])


def squash(logit: i64) -> i64:
    """The logistic function of a sum, between the steps of the table on a straight line."""
    at = (logit >> _STEP_BITS) + _HALF
    if at < 0:
        return _TABLE[0]
    if at >= _STEPS:
        return _TABLE[_STEPS]
    low = _TABLE[at]
    part = logit & ((1 << _STEP_BITS) - 1)
    return low + ((_TABLE[at + 1] - low) * part >> _STEP_BITS)


class Net:
    """The weights of one network: by feature, a column for each rectifier and a linear one."""

    def __init__(self, features: int, hidden: int, numbers: list[int]) -> None:
        self.features: i64 = features
        self.hidden: i64 = hidden
        columns = hidden + 1
        # The row after the last feature is added always; then the weights of the rectifiers.
        size = (features + 1) * columns
        if len(numbers) != size + hidden:
            raise ValueError(f"expected {size + hidden} weights, got {len(numbers)}")
        self.inner: vec[i32] = vec[i32]([i32(number) for number in numbers[:size]])
        self.outer: vec[i64] = vec[i64](numbers[size:])
        self.start: vec[i64] = vec[i64](numbers[features * columns : size])

    def add(self, place: i64, number: i64, sums: vec[i64]) -> None:
        """Count so much more of a feature into the sums."""
        inner = self.inner
        columns = self.hidden + 1
        at = place * columns
        column: i64 = 0
        if number == 1:
            while column < columns:
                sums[column] += i64(inner[at + column])
                column += 1
            return
        while column < columns:
            sums[column] += number * i64(inner[at + column])
            column += 1

    def answer(self, sums: vec[i64]) -> i64:
        """What the sums of all features say: an expectation, out of ONE."""
        logit = sums[self.hidden] << SHIFT
        outer = self.outer
        at: i64 = 0
        while at < self.hidden:
            sum = sums[at]
            if sum > 0:
                logit += sum * outer[at]
            at += 1
        return squash(logit)


def part_of(state: State) -> int:
    """Which of its game's networks judges a position: one for each Age; two players, or more."""
    if isinstance(state, SevenPosition):
        return int(state.age)
    assert isinstance(state, ArchitectsPosition)
    return 0 if state.players == 2 else 1


def hides_nothing(state: State) -> bool:
    """Whether what a seat's own answer does, as its features tell it, is known to the seat."""
    return isinstance(state, SevenPosition)


PARTS: Final = {"seven": 3, "architects": 2}
