"""Every action of a table: each card with each payment its cost could ever lead to."""

from engine.seven.actions import BUILD, FREE, LEFT_SHIFT, PASS, RIGHT_SHIFT, SELL, STAGE, TAKE
from engine.seven.components.lookup import (
    AGES,
    BOARDS,
    COSTS,
    EDITION_BOARDS,
    GUILDS,
    NAME,
    deck,
)
from engine.seven.components.rows import MADE, RAW
from engine.seven.deal import UNIT_PRICE
from engine.seven.formats.notation import split


def list_actions(edition: int, players: int) -> list[int]:
    """Every action of a table of so many, by what is done, the card, and the payment."""
    cards = set(GUILDS[edition]).union(*(deck(edition, age, players) for age in range(AGES)))
    stages = set[int]()
    for board in EDITION_BOARDS[edition]:
        for stage in BOARDS[board].stages:
            stages |= _payments(stage.cost)
    found = {PASS}
    for card in cards:
        name = NAME[card]
        found |= {SELL | name, FREE | name, TAKE | name}
        found |= {BUILD | name | payment for payment in _payments(COSTS[card])}
        found |= {STAGE | name | payment for payment in stages}
    return sorted(found, key=split)


def _payments(cost: str) -> set[int]:
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
