"""7 Wonders for learners: what an observation is made of."""

from arena.adapters.layout import UNKNOWN, FeatureBlock, Layout
from engine.seven.actions import (
    PROMPTS,
)
from engine.seven.components.lookup import (
    AGES,
    BOARD_IDS,
    CARD_IDS,
    EDITION_BOARDS,
    EDITION_CARDS,
    HAND,
    STAGE_PLACES,
)
from engine.seven.setup import edition_named


def layout(players: int, edition: str | None) -> Layout:
    """What a table of so many looks like in an edition."""
    number = edition_named(edition)
    return Layout(_table(number, players), _seat(number))


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
