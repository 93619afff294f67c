"""Payments the slow and obvious way: try every symbol of every city for every unit asked."""

from engine.seven.components.lookup import BOARDS, CARDS
from engine.seven.components.rows import (
    BROWN,
    CHOICE,
    DISCOUNT,
    GREY,
    LEFT,
    MAKES,
    RIGHT,
    Effect,
    Gives,
)

Symbols = list[str]


def symbols_of(gives: Gives) -> Symbols:
    """The resources of a card, a string of alternatives each."""
    made = [letter for e in gives if e.kind == MAKES for letter in e.letters]
    return made + [e.letters for e in gives if e.kind == CHOICE]


class City:
    """A board, some stages and some cards, as rows."""

    def __init__(self, board: int, stages: int, rows: list[int]) -> None:
        start = [BOARDS[board].start]
        built = [stage.gives for stage in BOARDS[board].stages[:stages]]
        cards = [CARDS[row] for row in rows]
        for_sale = [card for card in cards if card.colour in (BROWN, GREY)]
        all_gives = [card.gives for card in cards] + built
        self.sold = start + [s for card in for_sale for s in symbols_of(card.gives)]
        self.own = start + [s for gives in all_gives for s in symbols_of(gives)]
        self.discounts: list[Effect] = [e for g in all_gives for e in g if e.kind == DISCOUNT]

    def price(self, letter: str, side: int) -> int:
        cheap = any(letter in e.letters and e.where & side for e in self.discounts)
        return 1 if cheap else 2


def payments(cost: str, city: City, left: City, right: City, purse: int) -> list[tuple[int, int]]:
    """All undominated (left, right), least left first."""
    supply = [(s, 0) for s in city.own]
    supply += [(s, LEFT) for s in left.sold] + [(s, RIGHT) for s in right.sold]
    found: set[tuple[int, int]] = set()
    seen: set[tuple[int, frozenset[int], int, int]] = set()

    def cover(unit: int, used: frozenset[int], to_left: int, to_right: int) -> None:
        if to_left + to_right > purse or (unit, used, to_left, to_right) in seen:
            return
        seen.add((unit, used, to_left, to_right))
        if unit == len(cost):
            found.add((to_left, to_right))
            return
        tried = set()
        for i, (letters, side) in enumerate(supply):
            if i in used or cost[unit] not in letters or (letters, side) in tried:
                continue
            tried.add((letters, side))
            price = city.price(cost[unit], side) if side else 0
            more = (price, 0) if side == LEFT else (0, price)
            cover(unit + 1, used | {i}, to_left + more[0], to_right + more[1])

    cover(0, frozenset(), 0, 0)
    return sorted(pay for pay in found if not any(_beats(other, pay) for other in found))


def _beats(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]
