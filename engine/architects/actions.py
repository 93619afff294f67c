"""How an action lies in its integer."""

from typing import Final

from mypy_extensions import i64

# The questions, in the order of the game's prompts.
DRAW: Final[i64] = 0
ACT: Final[i64] = 1
ANY: Final[i64] = 2
PROGRESS: Final[i64] = 3
SIDE: Final[i64] = 4
PICK: Final[i64] = 5
STEAL: Final[i64] = 6
OVER: Final[i64] = 7
PROMPTS: Final = ("draw", "act", "any", "progress", "side", "pick", "steal")

# Which of the three available decks.
LEFT: Final[i64] = 0
RIGHT: Final[i64] = 1
CENTRE: Final[i64] = 2

TAKE: Final[i64] = 0  # + which
END: Final[i64] = 3
LOOK: Final[i64] = 4  # + which of the two sides
TAKE_DECK: Final[i64] = 8  # + the seat whose deck it is
TOKEN: Final[i64] = 32  # + token
TOKEN_STACK: Final[i64] = 63
KEEP: Final[i64] = 64  # + kind
STUDY: Final[i64] = 96  # + science for two alike, + 3 for three different
EXTRA: Final[i64] = 128  # + token * 4 + which
STEAL_FROM: Final[i64] = 256  # + seat * 16 + kind
BUILD: Final[i64] = 1 << 24  # | payment

# A payment: three bits for each grey kind, then these.
COINS_AT: Final[i64] = 15
STAGE_AT: Final[i64] = 18
BY_ECONOMY: Final[i64] = 1 << 22
BY_ENGINEERING: Final[i64] = 1 << 23
