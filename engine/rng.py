"""Chance: one small integer, the same numbers on every machine, interpreted or compiled."""

import os
from _blake2 import blake2b  # hashlib's own; with all of hashlib comes OpenSSL
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

# Multiply with carry: the state is carry << 32 | digit. MULTIPLIER * 2**32 - 1 is a safe prime,
# so the period is close to 2**62, and no product reaches 2**63.
MULTIPLIER: Final[i64] = 2131995753
DIGIT: Final[i64] = 0xFFFFFFFF
STATES: Final = 2131995753 * 2**32 - 2


def draw_seed() -> int:
    """A seed nobody guesses: who knows the seed can deal the cards."""
    return int.from_bytes(os.urandom(8), "big") >> 2


def derive(seed: int, label: str) -> int:
    """Start a stream of its own for every label, so that no use of chance disturbs another."""
    digest = blake2b(f"{seed}/{label}".encode(), digest_size=16).digest()
    return 1 + int.from_bytes(digest, "big") % STATES


@mypyc_attr(acyclic=True)
class Rng:
    """A generator whose whole state is the integer `state`; 0 would draw 0 for ever, and is 1."""

    def __init__(self, state: i64) -> None:
        self.state: i64 = state if state != 0 else 1

    def word(self) -> i64:
        """Draw 32 uniform bits."""
        state = MULTIPLIER * (self.state & DIGIT) + (self.state >> 32)
        self.state = state
        return (state ^ (state >> 32)) & DIGIT

    def below(self, bound: i64) -> i64:
        """Draw a number from 0 to bound - 1, each exactly as likely."""
        product = self.word() * bound
        if (product & DIGIT) < bound:  # Lemire's rejection: rare, and without it a bias of 2**-26
            uneven = (DIGIT + 1) % bound
            while (product & DIGIT) < uneven:
                product = self.word() * bound
        return product >> 32

    def shuffle(self, cards: vec[u8], start: i64, stop: i64) -> None:
        """Put cards[start:stop] into a uniformly random order (Fisher and Yates)."""
        last = stop - 1
        while last > start:
            other = start + self.below(last - start + 1)
            card = cards[last]
            cards[last] = cards[other]
            cards[other] = card
            last -= 1

    def fork(self) -> i64:
        """Start another generator from this one: a state for it."""
        return (1 + self.below(MULTIPLIER - 1)) << 32 | self.word()
