"""The course of a game: names, chains, the order of a turn, the end of an Age."""

import random

import pytest

from engine.match import Variant
from engine.seven.components.lookup import CARD_IDS, HAND
from engine.seven.game import SEVEN
from engine.seven.state import (
    AT_DEFEATS,
    AT_SHIELDS,
    AT_VICTORIES,
    CITY,
    ENTRY,
    KIND,
    LEFT_OVER,
    hand_at,
)
from tests.engine.seven.table import coins_of, number, options, play, table


def test_a_name_stands_once_in_a_city() -> None:
    state = table(cities={0: ["loom_1"]}, hands={0: ["loom"]}, age=2)
    assert options(state, 0, "loom") == ["sell loom"]
    state = table(
        ("gizah:night", "ephesos:day", "rhodos:day"),
        hands={0: ["loom"]},
        age=2,
        cities={0: ["loom_1", "sawmill"]},
    )
    assert options(state, 0, "loom") == ["stage loom", "sell loom"]


@pytest.mark.parametrize(
    ("edition", "giver", "card", "age"),
    [
        ("2nd", "east_trading_post", "forum", 2),
        ("2nd", "west_trading_post", "forum", 2),
        ("2nd", "altar", "pantheon", 3),
        ("2nd", "well", "statue", 2),
        ("2nd", "theater", "gardens", 3),
        ("1st", "altar", "temple", 2),
        ("1st", "temple", "pantheon", 3),
        ("1st", "theater", "statue", 2),
        ("1st", "statue", "gardens", 3),
        ("1st", "school", "study", 3),
    ],
)
def test_chains_make_a_card_free(edition: str, giver: str, card: str, age: int) -> None:
    with_chain = table(edition=edition, cities={0: [giver]}, hands={0: [card]}, age=age)
    without = table(edition=edition, hands={0: [card]}, age=age)
    assert [o for o in options(with_chain, 0, card) if o.startswith("build")] == [f"build {card}"]
    assert f"build {card}" not in options(without, 0)


def test_a_chain_needs_its_giver_before_the_turn() -> None:
    state = table(edition="1st", cities={0: ["altar"]}, hands={0: ["pantheon"]}, age=3)
    assert "build pantheon" not in options(state, 0)


def test_every_card_is_offered_once_however_often_it_is_held() -> None:
    state = table(
        ("gizah:day", "ephesos:day", "rhodos:day", "alexandria:day"),
        hands={0: ["altar"]},
    )
    at = hand_at(4, 0, 0, 0) * HAND
    for i in range(HAND):
        state.hands[at + i] = CARD_IDS.index("ore_vein", 78)
    assert options(state, 0) == ["build ore_vein", "sell ore_vein"]


def test_who_has_no_choice_is_not_asked() -> None:
    wonders = ("gizah:day", "ephesos:day", "rhodos:day", "alexandria:day")
    state = table(wonders, age=2, turn=5, cities={0: ["bazar"]})
    bazar = CARD_IDS.index("bazar", 78)
    at = hand_at(4, 1, 4, 1) * HAND
    state.hands[at] = state.hands[at + 1] = bazar
    state.hands[at + 2] = CARD_IDS.index("vineyard", 78)
    play(state, "", "sell vineyard", "", "")
    assert state.turn == 5
    assert state.pending() == [1, 2, 3]
    assert SEVEN.text(state.commits[0]) == "sell bazar"


def test_hands_go_left_right_left() -> None:
    for age, receiver in ((1, 1), (2, 2), (3, 1)):
        state = table(age=age, turn=1)
        held = {text.split()[1] for text in options(state, 0)}
        play(state)
        passed = {text.split()[1] for text in options(state, receiver)}
        assert passed < held
        assert len(passed) == 6


def test_leftover_cards_are_discarded_without_coins() -> None:
    state = table(turn=6, coins={0: 0, 1: 0, 2: 0})
    play(state)
    assert coins_of(state) == [3, 3, 3]
    assert (state.age, state.turn) == (1, 0)
    kinds = [state.log[(6 * 3 + seat) * ENTRY + KIND] for seat in range(3)]
    assert kinds == [LEFT_OVER] * 3


@pytest.mark.parametrize(
    ("age", "shields", "victories", "defeats"),
    [
        (1, (2, 1, 0), (2, 1, 0), (0, 1, 2)),
        (2, (2, 1, 0), (6, 3, 0), (0, 1, 2)),
        (3, (2, 1, 0), (10, 5, 0), (0, 1, 2)),
        (2, (4, 5, 2), (3, 6, 0), (1, 0, 2)),
        (1, (3, 3, 3), (0, 0, 0), (0, 0, 0)),
        (1, (0, 0, 1), (0, 0, 2), (1, 1, 0)),
        (3, (4, 4, 1), (5, 5, 0), (0, 0, 2)),
    ],
)
def test_conflicts(
    age: int,
    shields: tuple[int, ...],
    victories: tuple[int, ...],
    defeats: tuple[int, ...],
) -> None:
    state = table(age=age, turn=6)
    for seat, strength in enumerate(shields):
        state.city[seat * CITY + AT_SHIELDS] = strength
    play(state)
    assert tuple(number(state, seat, AT_VICTORIES) for seat in range(3)) == victories
    assert tuple(number(state, seat, AT_DEFEATS) for seat in range(3)) == defeats
    assert (state.pending() == []) == (age == 3)


def test_conflicts_are_between_neighbours_only() -> None:
    wonders = ("gizah:day", "ephesos:day", "rhodos:day", "alexandria:day")
    state = table(wonders, turn=6)
    for seat, strength in enumerate((3, 1, 2, 1)):
        state.city[seat * CITY + AT_SHIELDS] = strength
    play(state)
    assert [number(state, seat, AT_VICTORIES) for seat in range(4)] == [2, 0, 2, 0]
    assert [number(state, seat, AT_DEFEATS) for seat in range(4)] == [0, 2, 0, 2]


def test_commits_take_effect_together() -> None:
    state = table(hands={0: ["altar"]})
    before = coins_of(state)
    state.apply(0, SEVEN.parse("build altar"))
    assert state.pending() == [1, 2]
    assert coins_of(state) == before
    assert state.turn == 0


@pytest.mark.parametrize("edition", ["1st", "2nd"])
def test_commits_commute(edition: str) -> None:
    dice = random.Random(3)
    for seed in range(3):
        state = SEVEN.deal(SEVEN.setup(5, seed, (), Variant("seven", edition)), seed)
        while seats := state.pending():
            answers = {seat: dice.choice(state.legal(seat)) for seat in seats}
            other = state.clone()
            for seat in seats:
                state.apply(seat, answers[seat])
            for seat in dice.sample(seats, len(seats)):
                other.apply(seat, answers[seat])
            assert other.dump() == state.dump()
