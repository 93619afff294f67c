"""7 Wonders for learners: every action in a row, and what an observation is made of."""

from functools import partial

from arena.adapters.layout import UNKNOWN, FeatureBlock, Layout
from engine.seven.actions import (
    BUILD,
    FREE,
    LEFT_SHIFT,
    PASS,
    PROMPTS,
    RIGHT_SHIFT,
    SELL,
    STAGE,
    TAKE,
)
from engine.seven.components.lookup import (
    AGES,
    BOARD_IDS,
    BOARDS,
    CARD_IDS,
    COSTS,
    EDITION_BOARDS,
    EDITION_CARDS,
    GUILDS,
    HAND,
    NAME,
    STAGE_PLACES,
    deck,
)
from engine.seven.components.rows import MADE, RAW
from engine.seven.deal import UNIT_PRICE
from engine.seven.formats.notation import split
from engine.seven.setup import edition_named


def layout(players: int, edition: str | None) -> Layout:
    """What a table of so many looks like in an edition."""
    number = edition_named(edition)
    return Layout(_table(number, players), _seat(number), partial(actions, number, players))


def actions(edition: int, players: int) -> list[int]:
    """Every action of a table of so many, by what is done, the card, and the payment."""
    cards = set(GUILDS[edition]).union(*(deck(edition, age, players) for age in range(AGES)))
    stages = set[int]()
    for board in EDITION_BOARDS[edition]:
        for stage in BOARDS[board].stages:
            stages |= payments(stage.cost)
    found = {PASS}
    for card in cards:
        name = NAME[card]
        found |= {SELL | name, FREE | name, TAKE | name}
        found |= {BUILD | name | payment for payment in payments(COSTS[card])}
        found |= {STAGE | name | payment for payment in stages}
    return sorted(found, key=split)


def payments(cost: str) -> set[int]:
    """What the neighbours may get for any part of a cost, at the full price or one less a unit."""
    raw = sum(letter in RAW for letter in cost)
    made = sum(letter in MADE for letter in cost)
    prices = (UNIT_PRICE - 1, UNIT_PRICE)
    return {
        (raw_left * left + made_left * each) << LEFT_SHIFT
        | (raw_right * right + made_right * each) << RIGHT_SHIFT
        for left in prices
        for right in prices
        for each in prices
        for raw_left, raw_right in _shares(raw)
        for made_left, made_right in _shares(made)
    }


def _shares(units: int) -> list[tuple[int, int]]:
    """How many of them may come from the left, and how many from the right."""
    return [(left, right) for left in range(units + 1) for right in range(units + 1 - left)]


def _table(edition: int, players: int) -> tuple[FeatureBlock, ...]:
    """What lies before nobody, and which seat is looking."""
    return (
        FeatureBlock("prompt", PROMPTS),
        FeatureBlock("age", tuple(range(1, AGES + 1))),
        FeatureBlock("turn", tuple(range(1, HAND + 1))),
        FeatureBlock("discards", _cards(edition)),
        FeatureBlock("discards", UNKNOWN, 20),
        FeatureBlock("seat", tuple(range(players))),
    )


def _seat(edition: int) -> tuple[FeatureBlock, ...]:
    """What lies before one seat."""
    boards = EDITION_BOARDS[edition]
    cards = _cards(edition)
    return (
        FeatureBlock("wonder", tuple(BOARD_IDS[board] for board in boards)),
        FeatureBlock("stages", most=STAGE_PLACES),
        FeatureBlock("cards", cards),
        FeatureBlock("coins", most=20),
        FeatureBlock("shields", most=10),
        FeatureBlock("victories", most=18),
        FeatureBlock("defeats", most=6),
        FeatureBlock("points", most=50),
        FeatureBlock("hand", cards),
        FeatureBlock("hand", UNKNOWN, HAND),
        FeatureBlock("hand_may_hold", cards),
    )


def _cards(edition: int) -> tuple[str, ...]:
    rows = EDITION_CARDS[edition]
    return tuple(CARD_IDS[row] for row in rows)
