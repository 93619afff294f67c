"""What every card and every stage does, against a plain reading of its row."""

import pytest

from engine.seven.build import earn, newest_stage, place_stage
from engine.seven.components.lookup import (
    BOARD_IDS,
    BOARDS,
    CARD_IDS,
    CARDS,
    EDITION_BOARDS,
    EDITION_CARDS,
    STAGE_COUNT,
)
from engine.seven.components.rows import (
    BLUE,
    COINS,
    COINS_EACH,
    POINTS,
    POWER,
    REVIVE,
    SCIENCE,
    SHIELDS,
    Gives,
)
from engine.seven.game import SEVEN, SevenState
from engine.seven.state import (
    AT_CIVIL,
    AT_COINS,
    AT_COLOURS,
    AT_POWERS,
    AT_SCIENCE,
    AT_SHIELDS,
    AT_STAGES,
    AT_WONDER,
)
from tests.engine.seven.slow_rules import count_things
from tests.engine.seven.slow_score import towns_of
from tests.engine.seven.table import build_now, coins_of, number, options, play, table

editions = pytest.mark.parametrize("edition", ["1st", "2nd"])
NEIGHBOURHOOD = {
    0: ["clay_pool", "loom_1", "tavern", "barracks"],
    1: ["ore_vein", "stone_pit", "press_1", "glassworks_1"],
    2: ["lumber_yard", "loom_1", "marketplace"],
}


def amount(gives: Gives, kind: str) -> int:
    return sum(e.amount for e in gives if e.kind == kind)


def counted(state: SevenState, seat: int, gives: Gives) -> int:
    """Coins for things counted, after the card has been placed."""
    towns = towns_of(state)
    each = [e for e in gives if e.kind == COINS_EACH]
    return sum(e.amount * count_things(towns, seat, e.where, e.what) for e in each)


@editions
def test_every_card_gives_what_its_row_says(edition: str) -> None:
    for row in EDITION_CARDS[("1st", "2nd").index(edition)]:
        card = CARDS[row]
        if CARD_IDS[row] in NEIGHBOURHOOD[0]:
            continue
        state = table(edition=edition, cities=NEIGHBOURHOOD, stages={0: 2})
        before = state.clone()
        build_now(state, 0, CARD_IDS[row], edition)

        def more(field: int, before: SevenState = before, state: SevenState = state) -> int:
            return number(state, 0, field) - number(before, 0, field)

        assert more(AT_SHIELDS) == amount(card.gives, SHIELDS)
        assert more(AT_CIVIL) == (amount(card.gives, POINTS) if card.colour == BLUE else 0)
        assert more(AT_COLOURS + card.colour) == 1
        assert more(AT_COINS) == amount(card.gives, COINS) + counted(state, 0, card.gives)
        symbols = [e.what[0] for e in card.gives if e.kind == SCIENCE]
        assert [more(AT_SCIENCE + kind) for kind in range(4)] == [
            symbols.count(kind) for kind in range(4)
        ]


@editions
def test_every_stage_gives_what_its_row_says(edition: str) -> None:
    for number_ in EDITION_BOARDS[("1st", "2nd").index(edition)]:
        id = BOARD_IDS[number_].split(":")[0]
        side = BOARD_IDS[number_].split(":")[1]
        others = [w for w in ("gizah", "rhodos", "alexandria") if w != id][:2]
        state = table((f"{id}:{side}", *(f"{w}:{side}" for w in others)), edition)
        for stage in BOARDS[number_].stages:
            before = state.clone()
            place_stage(state, 0)
            earn(state, 0, newest_stage(state, 0))
            gives = stage.gives
            assert number(state, 0, AT_STAGES) == number(before, 0, AT_STAGES) + 1
            for field, kind in (
                (AT_WONDER, POINTS),
                (AT_SHIELDS, SHIELDS),
                (AT_COINS, COINS),
            ):
                assert number(state, 0, field) - number(before, 0, field) == amount(gives, kind)
            powers = amount(gives, POWER)
            assert state.reviver == (0 if powers == REVIVE else -1)
            assert number(state, 0, AT_POWERS) & powers & ~REVIVE == powers & ~REVIVE
            state.reviver = -1
        assert number(state, 0, AT_STAGES) == STAGE_COUNT[number_]


@pytest.mark.parametrize(
    ("card", "age", "coins"),
    [
        ("tavern", 1, 5),
        ("vineyard", 2, 4),
        ("bazar", 2, 8),
        ("haven", 3, 1),
        ("chamber_of_commerce", 3, 2),
        ("lighthouse", 3, 2),
        ("arena", 3, 6),
        ("ludus", 3, 3),
    ],
)
def test_coins_at_once(card: str, age: int, coins: int) -> None:
    city = dict(NEIGHBOURHOOD)
    if card == "tavern":
        city[0] = city[0][:2]
    state = table(cities=city, stages={0: 2}, age=age)
    before = number(state, 0, AT_COINS)
    build_now(state, 0, card)
    assert number(state, 0, AT_COINS) - before == coins


def test_coins_count_what_everybody_builds_in_the_same_turn() -> None:
    state = table(
        cities={0: ["clay_pool"]},
        hands={0: ["vineyard"], 1: ["sawmill"], 2: ["quarry"]},
        age=2,
    )
    play(state, "build vineyard", "build sawmill", "build quarry")
    assert coins_of(state) == [6, 2, 2]


def test_a_stage_completed_this_turn_counts_for_a_neighbours_arena_only_at_home() -> None:
    state = table(
        cities={0: ["dispensary"], 1: ["clay_pool", "tree_farm"]},
        hands={0: ["arena"]},
        stages={0: 1},
        age=3,
    )
    play(state, "build arena", "stage " + first_card(state, 1), "")
    assert coins_of(state)[0] == 3 + 3


def first_card(state: SevenState, seat: int) -> str:
    return SEVEN.text(state.legal(seat)[-1]).split()[1]


def test_the_lighthouse_counts_itself() -> None:
    state = table(cities={0: ["caravansery", "tavern"]}, hands={0: ["lighthouse"]}, age=3)
    play(state, "build lighthouse")
    assert coins_of(state)[0] == 3 + 3


def test_what_a_neighbour_pays_and_a_sale_come_after_the_turn() -> None:
    state = table(
        hands={0: ["stockade"], 1: ["clay_pit"], 2: ["altar"]},
        cities={1: ["lumber_yard"]},
        coins={0: 2, 1: 0, 2: 3},
    )
    assert "build clay_pit" not in options(state, 1)
    play(state, "build stockade pay 2+0", "sell clay_pit", "build altar")
    assert coins_of(state) == [0, 5, 3]


def test_what_is_built_this_turn_is_not_for_sale_yet() -> None:
    state = table(hands={0: ["stockade"], 1: ["lumber_yard"]}, turn=1)
    assert not [t for t in options(state, 0) if t.startswith("build stockade")]
    play(state, "sell stockade", "build lumber_yard")
    fresh = table(hands={0: ["stockade"]}, cities={1: ["lumber_yard"]})
    assert "build stockade pay 2+0" in options(fresh, 0)
