"""Payments against a judge that tries everything."""

import random

import pytest

import engine
from engine.seven.actions import LEFT_SHIFT, PAY_BITS, RIGHT_SHIFT
from engine.seven.build import place_building, place_stage
from engine.seven.components.lookup import (
    BOARDS,
    CARDS,
    COSTS,
    EDITION_BOARDS,
    EDITION_CARDS,
    NAME,
    SET_BITS,
    STAGE_COUNT,
)
from engine.seven.components.rows import BROWN, GREY, MADE, RAW, YELLOW
from engine.seven.deal import lay_boards
from engine.seven.game import SevenState
from engine.seven.options import new_option_buffer
from engine.seven.state import OWN_RAW
from engine.seven.trade import (
    MOST_MADE,
    MOST_RAW,
    add_payments,
    add_symbols,
    joined,
    largest,
    less,
    meets,
    symbols_for,
)
from tests.engine.seven import slow_trade
from tests.engine.seven.table import options, table

SETS = 15  # of raw resources; there are fewer of the others


def random_city(dice: random.Random, edition: int, board: int) -> tuple[int, int, list[int]]:
    rows = [r for r in EDITION_CARDS[edition] if CARDS[r].colour in (BROWN, GREY, YELLOW)]
    chosen: dict[int, int] = {}
    for row in dice.sample(rows, dice.choice((0, 2, 4, 7, 10))):
        chosen[NAME[row]] = row
    return board, dice.randint(0, STAGE_COUNT[board]), list(chosen.values())


@pytest.mark.parametrize("edition", [0, 1])
def test_payments_are_those_of_the_slow_judge(edition: int) -> None:
    dice = random.Random(edition)
    several = 0
    for _ in range(5000 if engine.COMPILED else 2000):
        numbers = [n * 2 + dice.randint(0, 1) for n in dice.sample(range(7), 3)]
        boards = [EDITION_BOARDS[edition][n] for n in numbers]
        plans = [random_city(dice, edition, board) for board in boards]
        state = SevenState(None)
        lay_boards(state, edition, boards)
        for seat, (_, stages, rows) in enumerate(plans):
            for _ in range(stages):
                place_stage(state, seat)
            for row in rows:
                place_building(state, seat, row)
        own, left, right = [slow_trade.City(*plan) for plan in plans]
        for row in dice.sample(range(len(COSTS)), 4):
            purse = dice.choice((0, 1, 2, 3, 4, 6, 9, 14))
            wanted = slow_trade.payments(COSTS[row].replace("$", ""), own, left, right, purse)
            out = new_option_buffer()
            count = add_payments(state, 0, row, purse, 0, out, 0)
            got = [
                (action >> LEFT_SHIFT & PAY_BITS, action >> RIGHT_SHIFT & PAY_BITS)
                for action in out[:count]
            ]
            assert got == wanted, (COSTS[row], plans, purse)
            several += len(got) > 1
    assert several > 50  # else the hard part was not tried


def packed(counts: list[int]) -> int:
    return sum(count << SET_BITS * at for at, count in enumerate(counts))


def test_counts_of_all_sets_are_taken_away_joined_and_compared_at_once() -> None:
    dice = random.Random(3)
    for _ in range(500):
        most = dice.randint(0, 7)
        some, others = ([dice.randint(0, most) for _ in range(SETS)] for _ in range(2))
        lacking = [max(0, a - b) for a, b in zip(some, others, strict=True)]
        together = [min(7, a + b) for a, b in zip(some, others, strict=True)]
        assert less(packed(some), packed(others)) == packed(lacking)
        assert joined(packed(some), packed(others)) == packed(together)
        assert largest(packed(some)) == max(some)
        assert meets(packed(others), 0, packed(some), 0) == (max(lacking) == 0)
        assert meets(0, packed(others), 0, packed(some)) == (max(lacking) == 0)


def test_more_symbols_than_any_cost_asks_for_are_not_counted() -> None:
    state = table()
    for _ in range(9):
        add_symbols(state.reach, OWN_RAW, 1, 2)
    assert [symbols_for(state, 0, place) for place in (1, 3, 15)] == [7, 7, 7]
    for cost in COSTS:
        assert sum(letter in RAW for letter in cost) <= MOST_RAW <= 7
        assert sum(letter in MADE for letter in cost) <= MOST_MADE <= 7


def test_a_symbol_of_choice_is_not_wasted_on_what_another_symbol_makes() -> None:
    # Wood or clay, and wood: the guard tower's clay must come from the first.
    state = table(cities={0: ["tree_farm", "lumber_yard"]}, hands={0: ["stables"]}, age=2)
    assert "build stables" not in options(state, 0)
    state = table(
        cities={0: ["tree_farm", "lumber_yard", "ore_vein"]}, hands={0: ["stables"]}, age=2
    )
    assert options(state, 0, "stables")[0] == "build stables"


def test_a_dearer_total_stands_beside_a_cheaper_one() -> None:
    # Clay is for sale on both sides, at one coin on the right and two on the left.
    state = table(
        cities={0: ["east_trading_post"], 1: ["clay_pool"], 2: ["clay_pool"]},
        hands={0: ["guard_tower"]},
    )
    builds = [text for text in options(state, 0, "guard_tower") if text.startswith("build")]
    assert builds == ["build guard_tower pay 0+1", "build guard_tower pay 2+0"]


def test_left_and_right_posts_and_the_marketplace_make_their_goods_cheaper() -> None:
    for post, side in (("west_trading_post", "1+0"), ("east_trading_post", "0+1")):
        seller = 1 if side == "1+0" else 2
        state = table(cities={0: [post], seller: ["clay_pool"]}, hands={0: ["guard_tower"]})
        assert f"build guard_tower pay {side}" in options(state, 0)
    state = table(
        ("gizah:day", "alexandria:day", "rhodos:day"),
        cities={0: ["marketplace"]},
        hands={0: ["workshop"]},
    )
    assert "build workshop pay 1+0" in options(state, 0)


def test_discounts_do_not_add_up() -> None:
    state = table(
        ("olympia:b", "gizah:a", "rhodos:a"),
        "1st",
        cities={0: ["west_trading_post"]},
        stages={0: 1},
        hands={0: ["baths", "barracks"]},
    )
    assert "build baths pay 1+0" in options(state, 0)
    assert "build barracks pay 0+1" in options(state, 0)


def test_the_same_symbol_is_bought_once() -> None:
    # Two ore are asked; the neighbours have one each.
    state = table(
        ("gizah:day", "rhodos:day", "ephesos:day"),
        cities={0: ["lumber_yard"]},
        hands={0: ["training_ground"]},
        age=2,
        coins={0: 9},
    )
    assert not [o for o in options(state, 0, "training_ground") if o.startswith("build")]
    state = table(
        ("gizah:day", "rhodos:day", "ephesos:day"),
        cities={0: ["lumber_yard"], 2: ["ore_vein"]},
        hands={0: ["training_ground"]},
        age=2,
        coins={0: 9},
    )
    assert "build training_ground pay 2+2" in options(state, 0)


def test_yellow_cards_and_stages_are_not_for_sale() -> None:
    state = table(
        ("gizah:day", "alexandria:night", "ephesos:day"),
        cities={1: ["caravansery", "forum"]},
        stages={1: 2},
        hands={0: ["guard_tower", "stockade", "apothecary"]},
        coins={0: 20},
    )
    assert not [text for text in options(state, 0) if text.startswith("build") and "pay" in text]


def test_coins_must_be_there_before_the_turn() -> None:
    state = table(hands={0: ["clay_pit"]}, coins={0: 0})
    assert options(state, 0, "clay_pit") == ["sell clay_pit"]
    state = table(hands={0: ["clay_pit"]}, coins={0: 1})
    assert options(state, 0, "clay_pit")[0] == "build clay_pit"


def test_every_board_starts_with_its_resource_and_sells_it() -> None:
    for number, board in enumerate(BOARDS):
        city = slow_trade.City(number, 0, [])
        assert city.own == city.sold == [board.start]
