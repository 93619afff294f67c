"""The twelve medals: objectives to be the first to reach."""

from dataclasses import dataclass
from typing import Final

# What an objective counts.
GREY_CARDS: Final = 0
YELLOW_CARDS: Final = 1
BLUE_CARDS: Final = 2
GREEN_CARDS: Final = 3
RED_CARDS: Final = 4
CAT_CARDS: Final = 5
HORNED_CARDS: Final = 6
ALL_CARDS: Final = 7
STAGES: Final = 8
PROGRESS_TOKENS: Final = 9
MILITARY_TOKENS: Final = 10
CAT_PAWN: Final = 11
BATTLE_TOKENS: Final = 12


@dataclass(frozen=True)
class Medal:
    """An objective: everything it counts must reach its least number."""

    id: str
    needs: tuple[tuple[int, int], ...]


MEDALS: Final = (
    Medal("blue3", ((BLUE_CARDS, 3),)),
    Medal("green3", ((GREEN_CARDS, 3),)),
    Medal("grey3", ((GREY_CARDS, 3),)),
    Medal("red3", ((RED_CARDS, 3),)),
    Medal("four_colors", ((GREEN_CARDS, 1), (YELLOW_CARDS, 1), (BLUE_CARDS, 1), (RED_CARDS, 1))),
    Medal("coin_cat_horn", ((YELLOW_CARDS, 1), (CAT_CARDS, 1), (HORNED_CARDS, 1))),
    Medal("cards7", ((ALL_CARDS, 7),)),
    Medal("stages3", ((STAGES, 3),)),
    Medal("stages2_cat", ((STAGES, 2), (CAT_PAWN, 1))),
    Medal("progress2", ((PROGRESS_TOKENS, 2),)),
    Medal("progress_military_cat", ((PROGRESS_TOKENS, 1), (MILITARY_TOKENS, 1), (CAT_PAWN, 1))),
    Medal("military2_one_battle", ((BATTLE_TOKENS, 2),)),
)
