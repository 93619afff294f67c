"""The questions of the game, and how an action lies in its integer."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

# Phases; the first three are also the prompts.
PLAY: Final = 0
LAST: Final = 1
REVIVING: Final = 2
OVER: Final = 3
PHASES: Final = ("play", "last", "revive", "over")
PROMPTS: Final = PHASES[:OVER]

# An action: the name of a card, what to do with it, and the coins for either neighbour.
BUILD: Final = 0 << 7
STAGE: Final = 1 << 7
SELL: Final = 2 << 7
FREE: Final = 3 << 7
TAKE: Final = 4 << 7
PASS: Final = 5 << 7
KIND_BITS: Final = 7 << 7
NAME_BITS: Final = 127
PAY_WIDTH: Final = 4
PAY_BITS: Final = (1 << PAY_WIDTH) - 1
LEFT_SHIFT: Final = 10
RIGHT_SHIFT: Final = LEFT_SHIFT + PAY_WIDTH
ACTIONS: Final = 1 << RIGHT_SHIFT + PAY_WIDTH  # every action is below
UNDECIDED: Final = -1


def is_among(options: vec[i64], count: i64, action: i64) -> bool:
    """Whether the action is one of so many options."""
    for at in range(count):
        if options[at] == action:
            return True
    return False
