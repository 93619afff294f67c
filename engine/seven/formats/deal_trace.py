"""The deal of a game by its ids, as a trace tells it."""

from typing import Final

from mypy_extensions import u8

from engine.errors import HiddenError, TraceError
from engine.seven.components.lookup import (
    AGES,
    CARD_IDS,
    COLOUR,
    EDITION_CARDS,
    HAND,
    HIDDEN,
    deck,
)
from engine.seven.components.rows import PURPLE
from engine.seven.deal import sort_hands
from engine.seven.state import SevenPosition

_ROWS: Final = tuple({CARD_IDS[row]: row for row in rows} for rows in EDITION_CARDS)


def deal_facts(p: SevenPosition) -> dict[str, object]:
    """What every seat is dealt in every Age."""
    if HIDDEN in list(p.dealt):
        raise HiddenError("expected the whole deal, got a view of it")
    ids = [CARD_IDS[card] for card in p.dealt]
    size = p.players * HAND
    return {
        "hands": [
            [ids[at : at + HAND] for at in range(start, start + size, HAND)]
            for start in range(0, AGES * size, size)
        ]
    }


def lay_as_recorded(p: SevenPosition, recorded: dict[str, object]) -> None:
    """Deal these hands; TraceError if no shuffle can."""
    hands = recorded.get("hands")
    if list(recorded) != ["hands"] or not _is_list(hands, AGES):
        raise TraceError("expected the hands of three ages, got something else")
    assert isinstance(hands, list)
    at = 0
    for age in range(AGES):
        rows = _rows_of(p, hands[age])
        base = [row for row in rows if COLOUR[row] != PURPLE]
        guilds = {row for row in rows if COLOUR[row] == PURPLE}
        wanted = sorted(deck(p.edition, age, p.players))
        if sorted(base) != wanted or len(guilds) + len(base) != len(rows):
            raise TraceError(f"expected the deck of age {age + 1}, got other cards")
        if guilds and age < AGES - 1:
            raise TraceError(f"expected no guilds in age {age + 1}, got {len(guilds)}")
        for row in rows:
            p.dealt[at] = u8(row)
            at += 1
    sort_hands(p.dealt)


def _rows_of(p: SevenPosition, hands: object) -> list[int]:
    if not _is_list(hands, p.players):
        raise TraceError(f"expected {p.players} hands, got {hands}")
    assert isinstance(hands, list)
    rows: list[int] = []
    for hand in hands:
        if not _is_list(hand, HAND):
            raise TraceError(f"expected hands of {HAND} cards, got {hand}")
        for id in hand:
            row = _ROWS[p.edition].get(id) if isinstance(id, str) else None
            if row is None:
                raise TraceError(f"expected the id of a card here, got {id}")
            rows.append(row)
    return rows


def _is_list(value: object, length: int) -> bool:
    return isinstance(value, list) and len(value) == length
