"""The test keeps the risks it promises, and spares games; by simulation with fixed seeds."""

import math
import random
from collections.abc import Iterator
from statistics import NormalDist

import pytest

from arena.compare.sprt import MAX_ELO, MIN_BLOCKS, RunningMoments, Sample, Sprt, excess, to_elo
from engine.errors import ArenaError

TESTS = 500
# The spread of a block at tables of four: sixths of rank points, self and mirror.
SELF = (0.28, 2 / 3)
MIRROR = (0.39, 1 / 2)


def scores(dice: random.Random, mean: float, spread: float) -> Iterator[float]:
    """Scores in whole sixths with this mean, as tables of four give them."""
    while True:
        sixths = 6 * dice.gauss(mean, spread)
        low = math.floor(sixths)
        yield max(-6, min(6, low + (dice.random() < sixths - low))) / 6


def run(sprt: Sprt, stream: Iterator[float], factor: float) -> tuple[bool, Sample]:
    sample = Sample()
    while (answer := sprt.decide(sample)) is None:
        sample.add(next(stream), factor)
    return answer, sample


def simulate(sprt: Sprt, gain: float, spread: float, factor: float) -> tuple[float, float]:
    """The share of tests that say yes, and their mean length as a share of the fixed size."""
    dice = random.Random(f"{gain} {spread}")
    mean = factor * excess(gain)
    found = [run(sprt, scores(dice, mean, spread), factor) for _ in range(TESTS)]
    lengths = [sample.blocks for _, sample in found]
    fixed = [sprt.fixed_blocks(sample) for _, sample in found]
    return sum(answer for answer, _ in found) / TESTS, sum(lengths) / sum(fixed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sprt", "table"), [(Sprt(), SELF), (Sprt(0, 40), MIRROR)], ids=["self", "mirror"]
)
def test_errors_are_rare_and_games_are_spared(sprt: Sprt, table: tuple[float, float]) -> None:
    false, length = simulate(sprt, sprt.elo0, *table)
    assert false <= 0.08
    assert length <= 0.60
    right, length = simulate(sprt, sprt.elo1, *table)
    assert right >= 0.92
    assert length <= 0.60


@pytest.mark.slow
def test_no_regression_keeps_the_same_risks() -> None:
    sprt = Sprt(elo0=-40, elo1=0)
    assert simulate(sprt, -40, *SELF)[0] <= 0.08
    assert simulate(sprt, 0, *SELF)[0] >= 0.92


def test_smaller_risks_are_kept_too_at_the_cost_of_blocks() -> None:
    strict = Sprt(elo0=0, elo1=40, alpha=0.01, beta=0.01)
    yes, _ = simulate(strict, 0, *SELF)
    assert yes <= 0.02
    loose, _ = run(Sprt(0, 40), scores(random.Random(1), 0.1, 0.28), 2 / 3)
    assert loose
    lengths = [
        run(sprt, scores(random.Random(1), 0.1, 0.28), 2 / 3)[1].blocks
        for sprt in (Sprt(0, 40), strict)
    ]
    assert lengths[0] < lengths[1]


@pytest.mark.parametrize("factor", [1, 2 / 3, 7 / 12, 1 / 2])
def test_identical_bots_are_found_out_soon(factor: float) -> None:
    answer, sample = run(Sprt(), iter(lambda: 0.0, None), factor)
    assert answer is False
    assert MIN_BLOCKS <= sample.blocks <= 100


def test_nothing_is_decided_early() -> None:
    answer, sample = run(Sprt(), iter(lambda: 1.0, None), 1.0)
    assert answer is True
    assert sample.blocks == MIN_BLOCKS


@pytest.mark.slow
def test_the_interval_holds_at_all_times() -> None:
    """A look at every block: the naive interval misses far more often than it says."""
    misses = naive = 0
    for test in range(200):
        stream = scores(random.Random(test), 0.05, 0.28)
        sample, missed, missed_naively = Sample(), False, False
        for _ in range(500):
            sample.add(next(stream), 2 / 3)
            low, high = sample.interval(0.05)
            missed |= not low <= 0.05 <= high
            width = NormalDist().inv_cdf(0.975) * math.sqrt(sample.variance / sample.blocks)
            missed_naively |= sample.blocks >= MIN_BLOCKS and abs(sample.mean - 0.05) > width
        misses += missed
        naive += missed_naively
    assert misses <= 0.05 * 200
    assert naive >= 0.20 * 200


def test_the_interval_narrows() -> None:
    stream = scores(random.Random(1), 0.05, 0.28)
    sample = Sample()
    assert sample.interval(0.05) == (-1, 1)
    margins = []
    for blocks in range(1, 1001):
        sample.add(next(stream), 2 / 3)
        if blocks in (10, 100, 1000):
            margins.append(sample.margin(0.05))
    assert margins[0] > margins[1] > margins[2]
    assert margins[2] < 0.05


def test_strata_that_differ_do_not_count_as_spread() -> None:
    apart, together = Sample(), Sample()
    for number in range(100):
        value = 0.4 if number % 2 else -0.4
        apart.add(value, 0.5, stratum=number % 2)
        together.add(value, 0.5)
    assert apart.mean == pytest.approx(together.mean)
    assert apart.variance < together.variance / 10


def test_moments_are_those_of_the_numbers() -> None:
    moments = RunningMoments()
    assert moments.error == 0
    for value in (1, 2, 3, 6):
        moments.add(value)
    assert (moments.count, moments.mean) == (4, 3)
    assert moments.squares == pytest.approx(14)
    assert moments.error == pytest.approx(math.sqrt(14 / 3 / 4))


def test_elo_is_the_odds_of_finishing_above() -> None:
    assert excess(0) == 0
    assert excess(400) == pytest.approx(10 / 11 - 1 / 11)
    for elo in (-300, -20, 0, 5, 120):
        assert to_elo(excess(elo)) == pytest.approx(elo)
    assert to_elo(2) == pytest.approx(MAX_ELO)


def test_the_fixed_size_is_the_textbook_one() -> None:
    sample = Sample()
    assert Sprt().fixed_blocks(sample) == 0
    for number in range(1000):
        sample.add(0.28 if number % 2 else -0.28, 2 / 3)
    quantile = NormalDist().inv_cdf(0.95)
    assert sample.observed_variance == pytest.approx(0.28**2, rel=0.01)
    expected = sample.observed_variance * (2 * quantile / (2 / 3 * excess(20))) ** 2
    assert Sprt().fixed_blocks(sample) == math.ceil(expected)


@pytest.mark.parametrize(
    ("sprt", "words"),
    [
        ({"alpha": 0}, "expected a risk between 0.0005 and 0.5, got 0"),
        ({"beta": 0.5}, "expected a risk between 0.0005 and 0.5, got 0.5"),
        ({"alpha": math.nan}, "expected a risk between 0.0005 and 0.5, got nan"),
        ({"elo1": 0}, "expected a gain from 1 to 400 Elo, got 0"),
        ({"elo1": math.inf}, "expected a gain from 1 to 400 Elo, got inf"),
    ],
)
def test_questions_that_make_no_sense(sprt: dict[str, float], words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        Sprt(**sprt)
