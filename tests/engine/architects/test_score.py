"""Points by category, and who stands ahead of whom."""

from typing import Any

import pytest

from engine.architects.game import ARCHITECTS

from .table import table

CATEGORIES = ["wonder", "cat", "blue", "military", "progress", "medals", "total"]


def sheet(wonder: str = "giza", **has: Any) -> dict[str, int]:
    """The score sheet of seat 0."""
    cat = has.pop("cat", False)
    own: dict[str, Any] = {name: {0: value} for name, value in has.items()}
    other = "giza" if wonder != "giza" else "rhodes"
    return ARCHITECTS.score_sheet(table((wonder, other), cat=0 if cat else -1, **own))[0]


def test_the_sheet_has_these_categories_for_every_seat() -> None:
    sheets = ARCHITECTS.score_sheet(table(("giza", "rhodes", "olympia")))
    assert [list(row) for row in sheets] == [CATEGORIES] * 3
    assert all(value == 0 for row in sheets for value in row.values())


# wonder, stages built, points
WONDERS = [
    ("giza", "", 0),
    ("giza", "1", 4),
    ("giza", "12", 9),
    ("giza", "123", 15),
    ("giza", "1234", 22),
    ("giza", "12345", 30),
    ("alexandria", "12345", 25),
    ("babylon", "12", 3),
    ("babylon", "1235", 15),
    ("babylon", "12345", 20),
    ("ephesus", "134", 12),
    ("ephesus", "12345", 22),
    ("halicarnassus", "124", 11),
    ("halicarnassus", "12345", 24),
    ("olympia", "13", 8),
    ("olympia", "12345", 22),
    ("rhodes", "2", 4),
    ("rhodes", "12345", 26),
    ("rome", "12345", 23),
    ("ur", "12345", 24),
]


@pytest.mark.parametrize(
    ("wonder", "stages", "points"), WONDERS, ids=[f"{r[0]} {r[1]}" for r in WONDERS]
)
def test_the_points_of_built_stages(wonder: str, stages: str, points: int) -> None:
    score = sheet(wonder, built=[int(stage) for stage in stages])
    assert (score["wonder"], score["total"]) == (points, points)


# category, points, what the seat has
ROWS: list[tuple[str, int, dict[str, Any]]] = [
    ("cat", 2, {"cat": True}),
    ("cat", 0, {"front": "civ2cat"}),
    ("blue", 2, {"front": "civ2cat"}),
    ("blue", 3, {"front": "civ3"}),
    ("blue", 10, {"front": "civ3 civ3 civ2cat civ2cat"}),
    ("blue", 0, {"front": "wood coin gear red0 red1 red2"}),
    ("military", 3, {"military": 1}),
    ("military", 15, {"military": 5}),
    ("medals", 4, {"won": 1}),
    ("medals", 16, {"won": 4}),
    ("progress", 4, {"tokens": "decor"}),
    ("progress", 4, {"tokens": "decor", "built": (1, 2, 3, 4)}),
    ("progress", 6, {"tokens": "decor", "built": (1, 2, 3, 4, 5)}),
    ("progress", 0, {"tokens": "politics", "cat": True}),
    ("progress", 0, {"tokens": "politics", "front": "civ3 civ3"}),
    ("progress", 1, {"tokens": "politics", "front": "civ2cat"}),
    ("progress", 3, {"tokens": "politics", "front": "civ2cat civ2cat civ2cat civ3"}),
    ("progress", 0, {"tokens": "strategy"}),
    ("progress", 4, {"tokens": "strategy", "military": 4}),
    ("progress", 2, {"tokens": "education"}),
    ("progress", 6, {"tokens": "education urbanism tactics"}),
    ("progress", 10, {"tokens": "education decor science"}),
    ("progress", 4, {"tokens": "culture"}),
    ("progress", 12, {"tokens": "culture culture"}),
    ("progress", 16, {"tokens": "culture culture culture"}),
    ("progress", 18, {"tokens": "culture culture education"}),
    ("progress", 24, {"tokens": "culture culture culture education"}),
    ("progress", 0, {"tokens": "logistics", "front": "coin gear civ3"}),
    ("progress", 2, {"tokens": "logistics", "front": "wood"}),
    ("progress", 10, {"tokens": "logistics", "front": "wood stone clay papyrus glass"}),
    ("progress", 6, {"tokens": "logistics", "front": "glass glass glass coin"}),
    (
        "progress",
        0,
        {
            "tokens": "urbanism crafts jewellery science propaganda architecture economy "
            "engineering tactics domestication entrenchment",
            "military": 2,
            "front": "wood civ2cat",
        },
    ),
]


@pytest.mark.parametrize(
    ("category", "points", "has"), ROWS, ids=[f"{r[0]} {r[1]} {r[2]}" for r in ROWS]
)
def test_the_points_of_a_category(category: str, points: int, has: dict[str, Any]) -> None:
    assert sheet(**has)[category] == points


def test_the_total_is_the_sum_of_the_categories() -> None:
    state = table(
        ("rhodes", "giza"),
        built={0: (1, 2, 3)},
        front={0: "civ3 civ2cat wood red0"},
        military={0: 3},
        tokens={0: "decor education logistics"},
        won={0: 2},
        cat=0,
        medals={},
    )
    assert ARCHITECTS.score_sheet(state)[0] == {
        "wonder": 13,
        "cat": 2,
        "blue": 5,
        "military": 9,
        "progress": 4 + 6 + 2,
        "medals": 8,
        "total": 49,
    }
    assert state.scores() == [49, 0]


def test_points_go_to_their_owner_alone() -> None:
    state = table(
        ("giza", "rhodes", "olympia"),
        front={1: "civ3"},
        military={2: 1},
        tokens={1: "strategy"},
        cat=2,
    )
    assert state.scores() == [0, 3, 5]


# by seat: stages of wonders that score alike for stage 1, blue cards; the ranks
SIX = ("giza", "rhodes", "alexandria", "olympia", "ephesus", "babylon")
RANKS = [
    # Giza, Rhodes and Alexandria have 4 points for stage 1, the others 3.
    ("the most points win", ((), (), ()), ("civ3", "civ3 civ3", ""), [1, 0, 2]),
    ("two winners and a third", ((1,), (1,), ()), ("", "", ""), [0, 0, 2]),
    ("everybody alike", ((), (), ()), ("civ3", "civ3", "civ3"), [0, 0, 0]),
    ("a winner and two seconds", ((), (), ()), ("civ3", "", ""), [0, 1, 1]),
    ("more stages break a tie", ((1,), (), ()), ("", "civ2cat civ2cat", ""), [0, 1, 2]),
    ("stages do not outweigh points", ((1,), (), ()), ("", "civ3 civ3", ""), [1, 0, 2]),
    (
        "a tie for the last places",
        ((), (), (), (1,), (), ()),
        ("civ3 civ3", "civ3", "civ3", "", "", ""),
        [0, 2, 2, 1, 4, 4],
    ),
    (
        "stages break the tie of some, the others share",
        ((1,), (1,), (), ()),
        ("", "", "civ2cat civ2cat", "civ2cat civ2cat"),
        [0, 0, 2, 2],
    ),
]


@pytest.mark.parametrize(
    ("stages", "cards", "ranks"), [row[1:] for row in RANKS], ids=[row[0] for row in RANKS]
)
def test_ranks(
    stages: tuple[tuple[int, ...], ...], cards: tuple[str, ...], ranks: list[int]
) -> None:
    state = table(
        SIX[: len(ranks)],
        built=dict(enumerate(stages)),
        front=dict(enumerate(cards)),
    )
    assert state.ranks() == ranks


def test_the_number_of_stages_counts_not_their_points() -> None:
    # Babylon's two stages are 3 points, Giza's one is 4; a blue card makes up for it.
    state = table(("giza", "babylon"), built={0: (1,), 1: (1, 2)}, front={0: "civ2cat", 1: "civ3"})
    assert state.scores() == [6, 6]
    assert state.ranks() == [1, 0]
