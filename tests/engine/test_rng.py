"""Chance: the same numbers everywhere, and no number more likely than another."""

from collections import Counter
from itertools import permutations

import pytest
from librt.vecs import vec
from mypy_extensions import u8

from engine.rng import MULTIPLIER, STATES, Rng, derive


def test_the_first_numbers_are_fixed() -> None:
    rng = Rng(derive(1, "deal"))
    assert [rng.word() for _ in range(4)] == [3891447886, 400856698, 318481068, 2748074732]


def test_it_is_multiply_with_carry() -> None:
    state = derive(5, "check")
    rng = Rng(state)
    for _ in range(1000):
        state = MULTIPLIER * (state % 2**32) + state // 2**32
        assert rng.word() == (state % 2**32) ^ (state // 2**32)
        assert 0 < rng.state == state < 2**63


def test_the_modulus_is_a_safe_prime() -> None:
    """Fermat's test to several bases; so the period is (MULTIPLIER * 2**32 - 2) / 2."""
    prime = MULTIPLIER * 2**32 - 1
    for base in (2, 3, 5, 7, 11, 13, 17):
        assert pow(base, prime - 1, prime) == 1
        assert pow(base, (prime - 1) // 2 - 1, (prime - 1) // 2) == 1


def test_streams_differ_by_seed_and_by_label() -> None:
    starts = {derive(seed, label) for seed in range(50) for label in ("deal", "wonders", "bot 0")}
    assert len(starts) == 150
    assert all(1 <= start <= STATES for start in starts)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 25, 60, 2**31 + 1])
def test_below_stays_below(bound: int) -> None:
    rng = Rng(derive(bound, "below"))
    assert all(0 <= rng.below(bound) < bound for _ in range(2000))


def test_below_is_even() -> None:
    rng = Rng(derive(1, "even"))
    counts = Counter(rng.below(6) for _ in range(60000))
    expected = 10000
    chi_square = sum((counts[face] - expected) ** 2 / expected for face in range(6))
    assert chi_square < 20.5  # 5 degrees of freedom, one in a thousand


def test_every_order_is_as_likely() -> None:
    rng = Rng(derive(2, "orders"))
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24000):
        cards = vec[u8]([9, 0, 1, 2, 3, 9])
        rng.shuffle(cards, 1, 5)
        assert (cards[0], cards[5]) == (9, 9)
        counts[tuple(cards)[1:5]] += 1
    assert set(counts) == set(permutations(range(4)))
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 49.7  # 23 degrees of freedom, one in a thousand


def test_a_fork_is_another_stream() -> None:
    rng = Rng(derive(3, "fork"))
    forks = {rng.fork() for _ in range(1000)}
    assert len(forks) == 1000
    assert all(0 < fork <= STATES for fork in forks)


def test_zero_is_a_seed_like_any_other() -> None:
    rng = Rng(0)
    assert {rng.below(2) for _ in range(100)} == {0, 1}
