"""Progress tokens: taking them, and what those do that work from then on."""

import pytest

from .table import START, asked, choose, face_up, front, knows, options, stack, table, tokens

# face up, stack, the options
ON_OFFER = [
    (
        "decor politics strategy",
        "education",
        "token decor, token politics, token strategy, token stack",
    ),
    ("decor politics strategy", "", "token decor, token politics, token strategy"),
    ("decor politics", "", "token decor, token politics"),
    ("culture culture decor", "tactics", "token culture, token decor, token stack"),
    ("decor culture culture", "", "token decor, token culture"),
    ("culture culture culture", "tactics", "token culture, token stack"),
]


@pytest.mark.parametrize(
    ("up", "down", "expected"), ON_OFFER, ids=[f"{r[0]} / {r[1] or 'no stack'}" for r in ON_OFFER]
)
def test_every_different_token_is_offered_once(up: str, down: str, expected: str) -> None:
    state = table(ask="progress", face_up=up, stack=down)
    assert sorted(options(state)) == sorted(expected.split(", "))


# face up, stack, the answer, what is face up then, what is in the stack, what the seat has
TAKEN = [
    (
        "decor politics strategy",
        "tactics crafts",
        "token decor",
        "tactics politics strategy",
        "crafts",
        "decor",
    ),
    (
        "decor politics strategy",
        "tactics crafts",
        "token strategy",
        "decor politics tactics",
        "crafts",
        "strategy",
    ),
    (
        "decor politics strategy",
        "tactics crafts",
        "token stack",
        "decor politics strategy",
        "crafts",
        "tactics",
    ),
    ("decor politics strategy", "", "token politics", "decor - strategy", "", "politics"),
    ("decor politics strategy", "crafts", "token stack", "decor politics strategy", "", "crafts"),
    ("culture culture decor", "culture", "token culture", "culture culture decor", "", "culture"),
    ("decor culture culture", "tactics", "token culture", "decor culture tactics", "", "culture"),
]


@pytest.mark.parametrize(
    ("up", "down", "answer", "up_then", "down_then", "owned"),
    TAKEN,
    ids=[f"{r[0]} / {r[1]}: {r[2]}" for r in TAKEN],
)
def test_a_face_up_token_taken_is_replaced_from_the_stack(
    up: str, down: str, answer: str, up_then: str, down_then: str, owned: str
) -> None:
    state = choose(table(ask="progress", face_up=up, stack=down), answer)
    left = sorted(token or "-" for token in face_up(state))
    assert left == sorted(up_then.split())
    assert stack(state) == down_then.split()
    assert tokens(state, 0) == [owned]


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_a_seat_may_own_every_copy_of_culture(copies: int) -> None:
    owned = " ".join(["culture"] * (copies - 1))
    state = table(ask="progress", tokens={0: owned}, face_up="culture decor politics", medals={})
    choose(state, "token culture")
    assert tokens(state, 0) == ["culture"] * copies


def test_a_study_brings_one_token_and_the_next_study_is_due() -> None:
    state = table(front={0: "gear gear compass compass"})
    choose(state, "study gear+gear", "token stack")
    # One study is left: it is made without asking.
    assert asked(state) == (0, "progress")
    choose(state, "token decor")
    assert tokens(state, 0) == ["decor", "education"]
    assert asked(state) == (1, "draw")


def test_the_last_token_is_taken_without_asking_and_the_rest_of_the_cards_stay() -> None:
    state = table(front={0: "gear gear compass compass"}, face_up="decor", stack="")
    choose(state, "study gear+gear")
    assert tokens(state, 0) == ["decor"]
    assert front(state, 0) == "compass compass"
    assert asked(state) == (1, "draw")


@pytest.mark.parametrize(
    ("token", "cards", "option"),
    [
        ("economy", "coin", "build 1 with coin by economy"),
        ("engineering", "wood wood", "build 1 with wood+wood by engineering"),
    ],
)
def test_a_token_that_pays_works_at_once(token: str, cards: str, option: str) -> None:
    state = table(
        front={0: f"{cards} gear gear compass compass"}, face_up=f"{token} decor politics"
    )
    choose(state, "study gear+gear", f"token {token}")
    assert option in options(state)


def test_tactics_counts_in_the_battle_of_the_turn_it_is_taken() -> None:
    state = table(front={0: "gear gear", 1: "red0"}, face_up="tactics decor politics", flipped=3)
    choose(state, "study gear+gear", "token tactics")
    assert list(state.military) == [2, 0]


@pytest.mark.parametrize(
    ("owner", "left"),
    [("", "red0"), ("entrenchment", "red0 red1 red2")],
    ids=["without", "with Entrenchment"],
)
def test_entrenchment_keeps_horned_cards_through_a_battle(owner: str, left: str) -> None:
    state = table(
        front={0: "red0 red1 red2", 1: "red0 red1 red2"}, tokens={0: owner}, medals={}, flipped=3
    )
    choose(state, "end")
    assert front(state, 0) == left
    assert front(state, 1) == "red0"


def test_entrenched_cards_give_shields_again_and_sound_no_more_horns() -> None:
    state = table(
        front={0: "red1 red2", 1: "red0"},
        tokens={0: "entrenchment"},
        medals={},
        decks={1: "red1 civ3"},
        flipped=3,
    )
    choose(state, "end")
    assert list(state.military) == [2, 0]
    assert state.flipped == 0
    state.flipped = 2
    choose(state, "take left")
    # Two shields against two.
    assert list(state.military) == [2, 0]
    assert state.flipped == 0
    assert (front(state, 0), front(state, 1)) == ("red1 red2", "red0")


def test_domestication_looks_at_the_centre_at_the_start_of_the_turn() -> None:
    state = table(ask=START, tokens={0: "domestication"}, centre="red2 civ3", medals={})
    assert knows(state, 0) == "red2"
    assert knows(state, 1) == "?"


def test_domestication_taken_in_a_turn_waits_for_the_next() -> None:
    state = table(
        front={0: "gear gear"},
        face_up="domestication decor politics",
        centre="red2 civ3",
        medals={},
    )
    choose(state, "study gear+gear", "token domestication")
    assert asked(state) == (1, "draw")
    assert knows(state, 0) == "?"
    choose(state, "take left")
    assert asked(state) == (0, "draw")
    assert knows(state, 0) == "red2"


def test_a_token_of_the_stack_works_like_any_other() -> None:
    state = table(front={0: "gear gear coin"}, stack="economy decor")
    choose(state, "study gear+gear", "token stack")
    # Economy pays both missing resources with one coin, and must.
    assert state.built[0] == 1
