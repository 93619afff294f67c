"""What is in the box of Architects and Medals, written down a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

GREY = ("wood", "stone", "clay", "papyrus", "glass")
GREEN = ("gear", "compass", "tablet")
HORNED = ("red1", "red2")
COLOURS = {
    "grey": GREY,
    "yellow": ("coin",),
    "blue": ("civ3", "civ2cat"),
    "green": GREEN,
    "red": ("red0", "red1", "red2"),
}
KINDS = [kind for kinds in COLOURS.values() for kind in kinds]
BLUE_POINTS = {"civ3": 3, "civ2cat": 2}
HORNS = {"red1": 1, "red2": 2}

# How often each kind is in a deck, in the order of KINDS:
# wood stone clay papyrus glass | coin | civ3 civ2cat | gear compass tablet | red0 red1 red2
DECKS = {
    "alexandria": (2, 2, 2, 2, 1, 4, 2, 2, 2, 1, 1, 2, 1, 1),
    "babylon": (2, 1, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2, 1, 1),
    "ephesus": (2, 2, 2, 2, 2, 3, 1, 2, 1, 2, 2, 2, 1, 1),
    "giza": (2, 2, 1, 2, 2, 3, 2, 3, 1, 2, 1, 2, 2, 0),
    "halicarnassus": (2, 2, 2, 1, 2, 3, 2, 2, 1, 1, 2, 2, 2, 1),
    "olympia": (1, 2, 2, 2, 2, 3, 1, 3, 1, 1, 2, 2, 2, 1),
    "rhodes": (2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 1),
    "rome": (2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 3, 2, 1),  # provisional: the real deck is unknown
    "ur": (2, 2, 2, 2, 2, 2, 1, 4, 1, 1, 2, 2, 1, 1),  # provisional: the real deck is unknown
}
CENTRE = (4, 4, 4, 4, 4, 6, 4, 8, 4, 4, 4, 4, 4, 2)

# The stages 1 to 5 of each wonder: cost, points, "*" where the wonder's effect fires, and the
# numbers of the stages that must stand before.  Rome and Ur are provisional: the printed ones
# are unknown.
STAGE_TABLE = """
alexandria    | 2≠ 4 - - | 2= 3 * 1 | 3≠ 6 - 2   | 3= 5 * 3   | 4≠ 7 - 4
babylon       | 2≠ 3 - - | 2= 0 * 1 | 3≠ 5 - 2   | 3= 5 * 3   | 4≠ 7 - 3
ephesus       | 2≠ 3 - - | 2= 3 * 1 | 3≠ 4 * 1   | 3= 5 * 1   | 4≠ 7 - 234
giza          | 2≠ 4 - - | 2= 5 - 1 | 3≠ 6 - 2   | 3= 7 - 3   | 4≠ 8 - 4
halicarnassus | 2≠ 3 - - | 2= 3 * 1 | 3≠ 6 - 2   | 3= 5 * 2   | 4≠ 7 - 34
olympia       | 2≠ 3 - - | 2= 2 * 1 | 3≠ 5 - 1   | 3= 5 * 23  | 4≠ 7 - 4
rhodes        | 2≠ 4 - - | 2= 4 * - | 3≠ 5 - 12  | 3= 6 * 3   | 4≠ 7 - 4
rome          | 2≠ 4 - - | 2= 3 * - | 3≠ 5 - -   | 3= 4 * 123 | 4≠ 7 - 123
ur            | 2≠ 3 - - | 2= 3 * 1 | 3≠ 6 - 2   | 3= 5 * 3   | 4≠ 7 - 4
"""
MEDALS_WONDERS = ("rome", "ur")

# Tokens that give an extra card, with the cards that arm them (a built stage arms Architecture).
ARMED_BY: dict[str, tuple[str, ...]] = {
    "urbanism": ("wood", "clay"),
    "crafts": ("papyrus", "glass"),
    "jewellery": ("stone", "coin"),
    "science": GREEN,
    "propaganda": HORNED,
    "architecture": (),
}
OTHER_TOKENS = ("economy", "engineering", "tactics")
SCORING_TOKENS = ("decor", "politics", "strategy", "education", "culture", "culture")
MEDALS_TOKENS = ("logistics", "domestication", "entrenchment", "culture")
CULTURE_POINTS = {0: 0, 1: 4, 2: 12, 3: 16}

# What a medal asks for, in the terms of ``facts``.
MEDALS: dict[str, dict[str, int]] = {
    "blue3": {"blue": 3},
    "green3": {"green": 3},
    "grey3": {"grey": 3},
    "red3": {"red": 3},
    "four_colors": {"green": 1, "yellow": 1, "blue": 1, "red": 1},
    "coin_cat_horn": {"yellow": 1, "cat icons": 1, "horned": 1},
    "cards7": {"cards": 7},
    "stages3": {"stages": 3},
    "stages2_cat": {"stages": 2, "cat": 1},
    "progress2": {"progress": 2},
    "progress_military_cat": {"progress": 1, "military": 1, "cat": 1},
    "military2_one_battle": {"won at once": 2},
}
BATTLE_MEDAL = "military2_one_battle"
CONFLICT_TOKENS = {2: 3, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6}
SCORE_KEYS = ("wonder", "cat", "blue", "military", "progress", "medals", "total")


class Stage(NamedTuple):
    cost: str
    points: int
    effect: bool
    rests_on: frozenset[int]


def read_stages(row: str) -> dict[int, Stage]:
    """The stages of one row of STAGE_TABLE, by number."""
    stages = {}
    for number, cell in enumerate(row.split("|")[1:], start=1):
        cost, points, effect, below = cell.split()
        rests_on = frozenset(int(digit) for digit in below if digit != "-")
        stages[number] = Stage(cost, int(points), effect == "*", rests_on)
    return stages


STAGES = {row.split()[0]: read_stages(row) for row in STAGE_TABLE.strip().splitlines()}


def cards_of(amounts: Sequence[int]) -> Counter[str]:
    """The cards of a row of DECKS."""
    return +Counter(dict(zip(KINDS, amounts, strict=True)))


def progress_tokens(expanded: bool) -> list[str]:
    """All Progress tokens in play: 15, or 19 with the expansion."""
    tokens = [*ARMED_BY, *OTHER_TOKENS, *SCORING_TOKENS]
    return tokens + list(MEDALS_TOKENS) if expanded else tokens
