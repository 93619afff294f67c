"""The rows of cards, wonders, tokens and medals as columns: flat tables the rules index by id."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.architects.components.cards import CENTRE_CARDS, COLOURS, KINDS
from engine.architects.components.medals import BATTLE_TOKENS, MEDALS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import IDENTICAL, WONDERS

# Sizes the layouts of state and actions rely on; the tests hold them to the rows.
KIND_COUNT: Final[i64] = 14
GREY_COUNT: Final[i64] = 5
STAGE_COUNT: Final[i64] = 5
TOKEN_COUNT: Final[i64] = 17
MEDAL_COUNT: Final[i64] = 12
DECK_SIZE: Final[i64] = 25
CENTRE_SIZE: Final[i64] = 60
FACE_UP: Final[i64] = 3
CENTRE_MEDALS: Final[i64] = 2
MAX_NEEDS: Final[i64] = 4

# Kinds, tokens and medals the rules speak of by their part in the game.
COIN: Final[i64] = 5
FIRST_SCIENCE: Final[i64] = 8
SCIENCES: Final[i64] = 3
HIDDEN: Final[i64] = 14  # in a view: a card the seat has not seen
NO_TOKEN: Final[i64] = 17  # an empty place among the face-up tokens
HIDDEN_TOKEN: Final[i64] = 18  # in a view: a token of the stack
NO_MEDAL: Final[i64] = 12

# Tokens by bit. A second and a third Culture take the bits after the last token.
EXTRA_TOKENS: Final[i64] = 6
ARCHITECTURE: Final[i64] = 1 << 5
ECONOMY: Final[i64] = 1 << 6
ENGINEERING: Final[i64] = 1 << 7
TACTICS: Final[i64] = 1 << 8
DECOR: Final[i64] = 1 << 9
POLITICS: Final[i64] = 1 << 10
STRATEGY: Final[i64] = 1 << 11
EDUCATION: Final[i64] = 1 << 12
CULTURE_ID: Final[i64] = 13
CULTURE: Final[i64] = 1 << 13
LOGISTICS: Final[i64] = 1 << 14
DOMESTICATION: Final[i64] = 1 << 15
ENTRENCHMENT: Final[i64] = 1 << 16
CULTURE_2: Final[i64] = 1 << 17
CULTURE_3: Final[i64] = 1 << 18


def _arms(kind: str) -> int:
    return sum(1 << at for at, token in enumerate(TOKENS) if kind in token.arms_on)


# By kind of card.
COLOUR: Final = bytes(COLOURS.index(kind.colour) for kind in KINDS)
POINTS: Final = bytes(kind.points for kind in KINDS)
CAT_ICON: Final = bytes(kind.cat for kind in KINDS)
SHIELDS: Final = bytes(kind.shields for kind in KINDS)
HORNS: Final = bytes(kind.horns for kind in KINDS)
ARMS: Final = bytes(_arms(kind.id) for kind in KINDS)

# By wonder * STAGE_COUNT + stage.
COST: Final = bytes(stage.count for wonder in WONDERS for stage in wonder.stages)
SAME: Final = bytes(stage.rule == IDENTICAL for wonder in WONDERS for stage in wonder.stages)
STAGE_POINTS: Final = bytes(stage.points for wonder in WONDERS for stage in wonder.stages)
HAS_EFFECT: Final = bytes(stage.effect for wonder in WONDERS for stage in wonder.stages)
RESTS_ON: Final = bytes(
    sum(1 << (below - 1) for below in stage.on) for wonder in WONDERS for stage in wonder.stages
)


def _available(row: int, built: int) -> int:
    """The stages to be built next, as bits like those that are built."""
    stages = 0
    for stage in range(int(STAGE_COUNT)):
        rests_on = RESTS_ON[row + stage]
        if not built >> stage & 1 and built & rests_on == rests_on:
            stages += 1 << stage
    return stages


# By wonder and what is built of it.
AVAILABLE: Final = vec[i64](
    [
        _available(wonder * int(STAGE_COUNT), built)
        for wonder in range(len(WONDERS))
        for built in range(1 << int(STAGE_COUNT))
    ]
)

# By wonder.
EFFECT: Final = bytes(wonder.effect for wonder in WONDERS)

# By wonder * KIND_COUNT + kind, the centre last.
STARTING: Final = bytes(n for wonder in WONDERS for n in wonder.deck) + bytes(CENTRE_CARDS)
CENTRE_DECK: Final[i64] = 9

# By token.
COPIES: Final = bytes(token.copies for token in TOKENS)
COPIES_EXPANDED: Final = bytes(token.copies_expanded for token in TOKENS)

# By medal * MAX_NEEDS + need: what is counted, and the least number; 0 where there is no more.
COUNTED: Final = bytes(
    what
    for medal in MEDALS
    for what, _ in (medal.needs + ((0, 0),) * int(MAX_NEEDS))[: int(MAX_NEEDS)]
)
NEEDED: Final = bytes(
    least
    for medal in MEDALS
    for _, least in (medal.needs + ((0, 0),) * int(MAX_NEEDS))[: int(MAX_NEEDS)]
)
AT_BATTLE: Final = bytes(medal.needs[0][0] == BATTLE_TOKENS for medal in MEDALS)

# By number of players.
CONFLICTS: Final = bytes((0, 0, 3, 3, 4, 5, 6, 6))

# By set of grey kinds: how many they are, and one card of each in the layout of a payment.
BITS: Final = bytes(bin(set_).count("1") for set_ in range(1 << GREY_COUNT))
ONE_OF_EACH: Final = vec[i64](
    [
        sum(1 << (3 * kind) for kind in range(GREY_COUNT) if set_ >> kind & 1)
        for set_ in range(1 << GREY_COUNT)
    ]
)
