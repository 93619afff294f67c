"""Architects for learners: what an observation is made of."""

from arena.adapters.layout import UNKNOWN, FeatureBlock, Layout
from engine.architects.actions import PROMPTS
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_SIZE,
    DECK_SIZE,
    STAGE_COUNT,
)
from engine.architects.state import STACK_SIZE


def layout(players: int, _edition: str | None) -> Layout:
    """What a table of so many looks like, whatever the expansions."""
    return Layout(_table(players), _seat())


def _table(players: int) -> tuple[FeatureBlock, ...]:
    """What lies before nobody, and which seat is looking."""
    return (
        FeatureBlock("prompt", PROMPTS),
        FeatureBlock("progress.face_up", TOKEN_IDS),
        FeatureBlock("progress.stack", most=float(STACK_SIZE)),
        FeatureBlock("conflict.flipped", most=6),
        FeatureBlock("conflict.of", most=6),
        FeatureBlock("armed", TOKEN_IDS),
        FeatureBlock("used", TOKEN_IDS),
        FeatureBlock("centre_medals", MEDAL_IDS),
        FeatureBlock("centre.size", most=float(CENTRE_SIZE)),
        FeatureBlock("centre.top", KIND_IDS),
        FeatureBlock("centre.stock", KIND_IDS, 8),
        FeatureBlock("seat", tuple(range(players))),
    )


def _seat() -> tuple[FeatureBlock, ...]:
    """What lies before one seat."""
    return (
        FeatureBlock("to_move"),
        FeatureBlock("cat"),
        FeatureBlock("wonder", WONDER_IDS),
        FeatureBlock("stages", tuple(range(1, int(STAGE_COUNT) + 1))),
        FeatureBlock("cards", KIND_IDS, 4),
        FeatureBlock("tokens", TOKEN_IDS),
        FeatureBlock("shields", most=6),
        FeatureBlock("military", most=6),
        FeatureBlock("medals", most=6),
        FeatureBlock("points", most=50),
        FeatureBlock("deck.size", most=float(DECK_SIZE)),
        FeatureBlock("deck.top", KIND_IDS),
        FeatureBlock("deck.stock", KIND_IDS, 4),
        FeatureBlock("medal", MEDAL_IDS),
        FeatureBlock("face_down", KIND_IDS),
        FeatureBlock("face_down", UNKNOWN),
    )
