"""The tables of both editions as columns: one byte for every card and stage, indexed by its row.

Rows 0 up to CARD_COUNT are cards, those of the first edition before those of the second; the
stages follow, four places for every board. So a row says by itself which edition it is of.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.seven.components import cards_first, cards_second, wonders_first, wonders_second
from engine.seven.components.rows import (
    BROWN,
    CHOICE,
    COIN,
    COINS,
    COINS_EACH,
    DISCOUNT,
    GREY,
    LEFT,
    MADE,
    MAKES,
    POINTS,
    POINTS_EACH,
    POWER,
    PURPLE,
    RAW,
    REVIVE,
    RIGHT,
    SCIENCE,
    SHIELDS,
    Board,
    BoardStage,
    Card,
    Effect,
    Gives,
)

EDITIONS: Final = ("1st", "2nd")
FIRST: Final = 0
SECOND: Final = 1
AGES: Final = 3
HAND: Final = 7
MAX_PLAYERS: Final = 7
STAGE_PLACES: Final = 4

CARDS: Final[tuple[Card, ...]] = cards_first.CARDS + cards_second.CARDS
BOARDS: Final[tuple[Board, ...]] = wonders_first.BOARDS + wonders_second.BOARDS
CARD_COUNT: Final = 158
EDITION_CARDS: Final = (
    range(len(cards_first.CARDS)),
    range(len(cards_first.CARDS), len(CARDS)),
)
EDITION_BOARDS: Final = (
    range(len(wonders_first.BOARDS)),
    range(len(wonders_first.BOARDS), len(BOARDS)),
)

# No card of that kind, and a card that a view does not know.
NONE: Final = 254
HIDDEN: Final = 255


def _key(name: str) -> str:
    return name.lower().replace(" ", "_")


# A name is shared by the editions, and by the cards of two Ages: no city holds it twice.
NAMES: Final[tuple[str, ...]] = tuple(
    dict.fromkeys(_key(card.name) for card in cards_second.CARDS + cards_first.CARDS)
)
# One place more than there are names: always empty, the chain of a card without one.
NAME_PLACES: Final = 80
NO_NAME: Final = 79


def _id(card: Card) -> str:
    twice = [c.age for c in CARDS if c.name == card.name and c.age != card.age]
    return f"{_key(card.name)}_{card.age}" if twice else _key(card.name)


CARD_IDS: Final[tuple[str, ...]] = tuple(_id(card) for card in CARDS)
BOARD_IDS: Final[tuple[str, ...]] = tuple(f"{board.id}:{board.side}" for board in BOARDS)


# What a stage place without a stage holds.
_NO_STAGE: Final = BoardStage("", ())


def _places(board: Board) -> tuple[BoardStage, ...]:
    return board.stages + (_NO_STAGE,) * (STAGE_PLACES - len(board.stages))


_STAGES: Final[tuple[BoardStage, ...]] = tuple(s for board in BOARDS for s in _places(board))
COSTS: Final = tuple(c.cost for c in CARDS) + tuple(s.cost for s in _STAGES)
_GIVES: Final[tuple[Gives, ...]] = tuple(c.gives for c in CARDS) + tuple(s.gives for s in _STAGES)


def _amounts(kind: str) -> bytes:
    return bytes(sum(e.amount for e in gives if e.kind == kind) for gives in _GIVES)


def _only(gives: Gives, kind: str) -> Effect:
    return next((e for e in gives if e.kind == kind), Effect(kind))


# What a card is.
NAME: Final = bytes(NAMES.index(_key(card.name)) for card in CARDS)
AGE: Final = bytes(card.age - 1 for card in CARDS)
COLOUR: Final = bytes(card.colour for card in CARDS)
PRICE: Final = bytes(cost.count(COIN) for cost in COSTS)


def _givers(edition: tuple[Card, ...], place: int) -> list[int]:
    found = []
    for card in edition:
        givers = [NAMES.index(_key(giver.name)) for giver in edition if card.name in giver.chains]
        found.append(givers[place] if place < len(givers) else NO_NAME)
    return found


# The names that make a card free; there are at most two.
CHAIN: Final = bytes(_givers(cards_first.CARDS, 0) + _givers(cards_second.CARDS, 0))
OTHER_CHAIN: Final = bytes(_givers(cards_first.CARDS, 1) + _givers(cards_second.CARDS, 1))

# What a card or stage gives.
POINT: Final = _amounts(POINTS)
GAIN: Final = _amounts(COINS)
SHIELD: Final = _amounts(SHIELDS)
POWERS: Final = _amounts(POWER)
NO_SYMBOL: Final = 9
SYMBOL: Final = bytes(
    next((e.what[0] for e in gives if e.kind == SCIENCE), NO_SYMBOL) for gives in _GIVES
)


# Counting: how much for each, where, and of what (a bit for every colour, and three more).
def _what(kind: str) -> tuple[int, ...]:
    return tuple(sum(1 << what for what in _only(gives, kind).what) for gives in _GIVES)


COIN_EACH: Final = _amounts(COINS_EACH)
COIN_WHERE: Final = bytes(_only(gives, COINS_EACH).where for gives in _GIVES)
COIN_WHAT: Final = _what(COINS_EACH)
POINT_EACH: Final = _amounts(POINTS_EACH)
POINT_WHERE: Final = bytes(_only(gives, POINTS_EACH).where for gives in _GIVES)
POINT_WHAT: Final = _what(POINTS_EACH)
# Rows whose points wait for the end: in each edition those of yellow cards, then the guilds.
_LATE: Final = tuple(
    [row for row in rows if POINT_EACH[row] or COLOUR[row] == PURPLE] for rows in EDITION_CARDS
)
LATE_POINTS: Final = vec[i64](_LATE[FIRST] + _LATE[SECOND])
# Where those of an edition begin; the next one begins where they end.
LATE_STARTS: Final = vec[i64]([0, len(_LATE[FIRST]), len(_LATE[FIRST] + _LATE[SECOND])])

# Discounts, as bits.
RAW_LEFT_BIT: Final = 1
RAW_RIGHT_BIT: Final = 2
MADE_BIT: Final = 4


def _discount(effect: Effect) -> int:
    if effect.letters == MADE:
        return MADE_BIT
    left = RAW_LEFT_BIT if effect.where & LEFT else 0
    right = RAW_RIGHT_BIT if effect.where & RIGHT else 0
    return left + right


DISCOUNTS: Final = bytes(_discount(_only(gives, DISCOUNT)) for gives in _GIVES)

# Production. A set of resources is a place: 1 to 15 for the raw ones, 17 to 23 for the others.
# A symbol reaches a set if it can stand for one resource of the set.
PLACES: Final = 24
MADE_PLACES: Final = 16
# The sets of a kind lie in one number, four bits each: a count up to 7, and a bit to carry.
SET_BITS: Final = 4


def _place(letters: str) -> int:
    if any(letter in RAW for letter in letters):
        return sum(1 << RAW.index(letter) for letter in set(letters))
    return MADE_PLACES + sum(1 << MADE.index(letter) for letter in set(letters))


def shift_of(place: int) -> int:
    """Where the count of a set lies in the number of its kind."""
    return SET_BITS * ((place & (MADE_PLACES - 1)) - 1)


def _symbols(gives: Gives) -> list[str]:
    made = [letter for e in gives if e.kind == MAKES for letter in e.letters]
    return made + [e.letters for e in gives if e.kind == CHOICE]


# The set a symbol of the row stands for, 0 if it makes nothing, and how many such symbols.
SUPPLY: Final = bytes(_place(_symbols(gives)[0]) if _symbols(gives) else 0 for gives in _GIVES)
SUPPLIES: Final = bytes(len(_symbols(gives)) for gives in _GIVES)
TRADED: Final = bytes(card.colour in (BROWN, GREY) for card in CARDS) + bytes(len(_STAGES))
# For the set a symbol stands for, a one in every set of the kind that it reaches.
REACHED: Final = vec[i64](
    [
        sum(1 << shift_of(place) for place in range(1, places) if place & symbol)
        for places in (MADE_PLACES, PLACES - MADE_PLACES)
        for symbol in range(places)
    ]
)


def _need(cost: str, kind: str) -> int:
    letters = sorted({letter for letter in cost if letter in kind})
    need = 0
    for bits in range(1, 1 << len(letters)):
        chosen = [letter for i, letter in enumerate(letters) if bits >> i & 1]
        need |= sum(map(cost.count, chosen)) << shift_of(_place("".join(chosen)))
    return need


# Costs. By Hall's theorem a city meets a cost if it reaches every set as often as it is asked of.
RAW_NEED: Final = vec[i64]([_need(cost, RAW) for cost in COSTS])

# What else options look at, in one number for each row; the name of a card is in the lowest bits.
CHAIN_AT: Final = 7
OTHER_CHAIN_AT: Final = 14
PRICE_AT: Final = 21
MADE_NEED_AT: Final = 22
FACTS: Final = vec[i64](
    [
        NAME[row]
        | CHAIN[row] << CHAIN_AT
        | OTHER_CHAIN[row] << OTHER_CHAIN_AT
        | PRICE[row] << PRICE_AT
        | _need(COSTS[row], MADE) << MADE_NEED_AT
        for row in range(CARD_COUNT)
    ]
    + [_need(stage.cost, MADE) << MADE_NEED_AT for stage in _STAGES]
)

# Boards.
STARTS: Final = bytes(_place(board.start) for board in BOARDS)
STAGE_COUNT: Final = bytes(len(board.stages) for board in BOARDS)
# Whether any stage of the board looks into the discard pile.
REVIVES: Final = bytes(
    any(e.amount == REVIVE for stage in board.stages for e in stage.gives if e.kind == POWER)
    for board in BOARDS
)


def _deck(edition: int, age: int, players: int) -> bytes:
    return bytes(
        row
        for row in EDITION_CARDS[edition]
        for copy in CARDS[row].copies
        if CARDS[row].age == age and int(copy) <= players
    )


# Decks without guilds, by edition, Age and players; the guilds of an edition.
DECKS: Final = tuple(
    _deck(edition, age, players)
    for edition in (FIRST, SECOND)
    for age in (1, 2, 3)
    for players in range(MAX_PLAYERS + 1)
)
GUILDS: Final = tuple(bytes(row for row in rows if COLOUR[row] == PURPLE) for rows in EDITION_CARDS)
# The card of a name in one Age of one edition.
ROW_OF: Final = vec[i64](
    [
        next(
            (row for row in EDITION_CARDS[edition] if AGE[row] == age and NAME[row] == name),
            NONE,
        )
        for edition in (FIRST, SECOND)
        for age in range(AGES)
        for name in range(NAME_PLACES)
    ]
)


def deck(edition: int, age: int, players: int) -> bytes:
    """The cards of an Age, 0 to 2, without guilds."""
    return DECKS[(edition * AGES + age) * (MAX_PLAYERS + 1) + players]
