"""Medals: each objective just met and just missed, and when it is claimed by whom."""

from typing import Any

import pytest

from engine.architects.components.ids import MEDAL_IDS

from .table import START, asked, built, choose, front, medals, options, table, tokens

THREE = ("giza", "rhodes", "olympia")

# medal, met or missed, what the seat has
OBJECTIVES: list[tuple[str, bool, dict[str, Any]]] = [
    ("blue3", True, {"front": "civ3 civ3 civ2cat"}),
    ("blue3", True, {"front": "civ3 civ3 civ3 civ3"}),
    ("blue3", False, {"front": "civ3 civ2cat coin gear red0"}),
    ("green3", True, {"front": "gear compass compass"}),
    ("green3", True, {"front": "gear gear gear"}),
    ("green3", False, {"front": "gear compass wood"}),
    ("grey3", True, {"front": "wood stone glass"}),
    ("grey3", True, {"front": "papyrus papyrus clay"}),
    ("grey3", False, {"front": "wood stone coin"}),
    ("red3", True, {"front": "red0 red1 red2"}),
    ("red3", False, {"front": "red0 red2 civ3"}),
    ("four_colors", True, {"front": "gear coin civ3 red0"}),
    ("four_colors", True, {"front": "tablet coin civ2cat red2 wood"}),
    ("four_colors", False, {"front": "coin civ3 red0 wood"}),
    ("four_colors", False, {"front": "gear civ3 red0 wood"}),
    ("four_colors", False, {"front": "gear coin red0 wood"}),
    ("four_colors", False, {"front": "gear coin civ3 wood"}),
    ("coin_cat_horn", True, {"front": "coin civ2cat red1"}),
    ("coin_cat_horn", True, {"front": "coin civ2cat red2"}),
    ("coin_cat_horn", False, {"front": "coin civ2cat red0"}),
    ("coin_cat_horn", False, {"front": "coin civ3 red1", "cat": True}),
    ("coin_cat_horn", False, {"front": "wood civ2cat red1"}),
    ("cards7", True, {"front": "wood coin civ3 gear red0 red0 civ3"}),
    ("cards7", True, {"front": "civ3 civ3 civ3 civ3 civ3 civ3 civ3 civ3"}),
    ("cards7", False, {"front": "wood coin civ3 gear red0 red0"}),
    ("stages3", True, {"built": (1, 2, 3)}),
    ("stages3", True, {"built": (1, 2, 3, 4)}),
    ("stages3", False, {"built": (1, 2)}),
    ("stages2_cat", True, {"built": (1, 2), "cat": True}),
    ("stages2_cat", False, {"built": (1, 2)}),
    ("stages2_cat", False, {"built": (1,), "cat": True}),
    ("stages2_cat", False, {"built": (1, 2), "front": "civ2cat"}),
    ("progress2", True, {"tokens": "decor politics"}),
    ("progress2", True, {"tokens": "culture culture"}),
    ("progress2", False, {"tokens": "decor"}),
    ("progress_military_cat", True, {"tokens": "decor", "military": 1, "cat": True}),
    ("progress_military_cat", True, {"tokens": "decor tactics", "military": 4, "cat": True}),
    ("progress_military_cat", False, {"military": 1, "cat": True}),
    ("progress_military_cat", False, {"tokens": "decor", "cat": True}),
    ("progress_military_cat", False, {"tokens": "decor", "military": 1}),
    # Two tokens are not two tokens out of one battle.
    ("military2_one_battle", False, {"military": 2}),
    ("military2_one_battle", False, {"military": 6, "cat": True, "tokens": "decor tactics"}),
]


@pytest.mark.parametrize(
    ("medal", "met", "has"),
    OBJECTIVES,
    ids=[f"{medal} {'met' if met else 'missed'} {has}" for medal, met, has in OBJECTIVES],
)
def test_an_objective(medal: str, met: bool, has: dict[str, Any]) -> None:
    state = table(
        THREE,
        ask=START,
        front={0: has.get("front", "")},
        built={0: has.get("built", ())},
        tokens={0: has.get("tokens", "")},
        military={0: has.get("military", 0)},
        cat=0 if has.get("cat") else -1,
        medals={0: medal},
    )
    assert state.won[0] == (1 if met else 0)
    assert medals(state)[0] == (None if met else medal)


def test_every_objective_is_in_the_table() -> None:
    tried = {(medal, met) for medal, met, _ in OBJECTIVES}
    # Two tokens in one battle has tests of its own below.
    assert tried == {(id, met) for id in MEDAL_IDS for met in (True, False)} - {
        ("military2_one_battle", True)
    }


# players, the seat, the place of the medal, whether it is in reach
REACH = [
    (3, 0, 0, True),
    (3, 0, 1, False),
    (3, 0, 2, True),
    (3, 1, 0, True),
    (3, 1, 1, True),
    (3, 1, 2, False),
    (3, 2, 0, False),
    (3, 2, 1, True),
    (3, 2, 2, True),
    (2, 0, 0, True),
    (2, 0, 1, True),
    (2, 1, 0, True),
    (2, 1, 1, True),
    (3, 0, 3, True),
    (3, 1, 4, True),
    (3, 2, 3, True),
    (2, 1, 2, True),
]


@pytest.mark.parametrize(
    ("players", "seat", "place", "reached"),
    REACH,
    ids=[f"{r[0]} players, seat {r[1]}, medal {r[2]}" for r in REACH],
)
def test_a_seat_reaches_the_medals_beside_it_and_those_of_the_centre(
    players: int, seat: int, place: int, reached: bool
) -> None:
    # Filler medals nobody here can claim.
    places = dict.fromkeys(range(players), "military2_one_battle")
    centre = ["military2_one_battle"] * 2
    if place < players:
        places[place] = "blue3"
    else:
        centre[place - players] = "blue3"
    state = table(
        THREE[:players],
        seat,
        START,
        front={seat: "civ3 civ3 civ3"},
        medals=places,
        centre_medals=" ".join(centre),
    )
    assert state.won[seat] == (1 if reached else 0)
    assert (medals(state)[place] is None) == reached


def test_the_medal_is_claimed_before_the_progress_token_is_chosen() -> None:
    state = table(
        THREE, ask="draw", front={0: "gear compass"}, decks={0: "tablet civ3"}, medals={0: "green3"}
    )
    choose(state, "take left")
    # The green cards are spent, the medal is taken, the token is still to be chosen.
    assert asked(state) == (0, "progress")
    assert front(state, 0) == ""
    assert state.won[0] == 1


def test_the_medal_is_claimed_before_the_cards_pay_for_a_stage() -> None:
    state = table(
        THREE, ask="draw", front={0: "wood wood"}, decks={0: "stone civ3"}, medals={2: "grey3"}
    )
    choose(state, "take left")
    assert built(state, 0) == (1,)
    assert state.won[0] == 1


# what is claimed, the position, the answers that bring it
EVENTS: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("a card drawn", "blue3", {"ask": "draw", "front": {0: "civ3 civ3"}}, ["take left"]),
    (
        "an extra card",
        "red3",
        {
            "front": {0: "red0 red0"},
            "tokens": {0: "science"},
            "armed": "science",
            "decks": {0: "red0 civ3"},
        },
        ["extra science take left"],
    ),
    (
        "a stage",
        "stages3",
        {"front": {0: "wood stone clay papyrus"}, "built": {0: (1, 2)}},
        ["build 3 with wood+stone+clay"],
    ),
    (
        "a stage, before its effect is resolved",
        "stages3",
        {
            "wonders": ("alexandria", "rhodes", "olympia"),
            "front": {0: "wood wood wood stone stone stone"},
            "built": {0: (1, 2, 3)},
        },
        ["build 4 with wood+wood+wood"],
    ),
    (
        "a Progress token",
        "progress2",
        {"front": {0: "gear gear"}, "tokens": {0: "tactics"}},
        ["study gear+gear", "token decor"],
    ),
    (
        "the Cat",
        "stages2_cat",
        {"ask": "draw", "built": {0: (1, 2)}, "decks": {0: "civ2cat civ3"}},
        ["take left"],
    ),
    (
        "the Cat that Ur takes, before it draws",
        "stages2_cat",
        {
            "wonders": ("ur", "rhodes", "olympia"),
            "front": {0: "wood wood clay clay"},
            "built": {0: (1,)},
        },
        ["build 2 with wood+wood"],
    ),
    (
        "a stolen card",
        "blue3",
        {
            "wonders": ("rome", "rhodes", "olympia"),
            "front": {0: "wood wood clay clay civ3 civ3", 1: "civ3 red0"},
            "built": {0: (1, 3)},
        },
        ["build 2 with wood+wood", "steal 1 civ3"],
    ),
    (
        "a card of Ephesus",
        "red3",
        {
            "wonders": ("ephesus", "rhodes", "olympia"),
            "front": {0: "wood wood clay clay red0 red0"},
            "built": {0: (1,)},
            "centre": "red0 civ3",
        },
        ["build 2 with wood+wood"],
    ),
    (
        "a card kept by Halicarnassus",
        "red3",
        {
            "wonders": ("halicarnassus", "rhodes", "olympia"),
            "front": {0: "wood wood clay clay red0 red0"},
            "built": {0: (1,)},
            "decks": {0: "gear civ3 red0"},
        },
        ["build 2 with wood+wood", "look left", "keep red0"],
    ),
]


@pytest.mark.parametrize(
    ("medal", "position", "answers"), [row[1:] for row in EVENTS], ids=[row[0] for row in EVENTS]
)
def test_a_medal_is_claimed_as_soon_as_its_objective_is_reached(
    medal: str, position: dict[str, Any], answers: list[str]
) -> None:
    state = table(**{"wonders": THREE, "medals": {0: medal}, **position})
    assert medals(state)[0] == medal
    choose(state, *answers[:-1])
    assert state.won[0] == 0
    choose(state, answers[-1])
    assert state.won[0] == 1
    assert medals(state)[0] is None


def test_a_revealed_card_claims_at_the_start_of_the_turn() -> None:
    state = table(
        ("rome", "giza"),
        turn=1,
        ask=START,
        front={1: "civ3 civ3"},
        given=[(1, "civ3")],
        medals={0: "blue3"},
    )
    assert asked(state) == (1, "draw")
    assert state.won[1] == 1


def test_one_event_may_claim_several_medals() -> None:
    state = table(
        THREE,
        ask="draw",
        front={0: "civ3 civ3 gear coin red0 red0"},
        medals={0: "blue3", 2: "cards7"},
        centre_medals="red3 stages3",
    )
    choose(state, "take left")
    assert state.won[0] == 2
    assert medals(state) == [None, None, None, "red3", "stages3"]


def test_what_others_have_is_claimed_at_the_start_of_their_own_turn() -> None:
    state = table(THREE, front={1: "civ3 civ3 civ3"}, medals={1: "blue3"})
    assert state.won[1] == 0
    choose(state, "end")
    assert asked(state) == (1, "draw")
    assert state.won[1] == 1


def test_the_first_to_reach_it_has_it_alone() -> None:
    state = table(
        THREE, ask="draw", front={0: "civ3 civ3", 1: "civ3 civ3 civ3"}, medals={0: "blue3"}
    )
    choose(state, "take left")
    assert asked(state) == (1, "draw")
    assert list(state.won) == [1, 0, 0]


def test_without_the_expansion_nothing_is_claimed() -> None:
    state = table(THREE, ask=START, front={0: "civ3 civ3 civ3"})
    assert list(state.won) == [0, 0, 0]


# Battles


def test_the_active_seat_claims_on_the_tokens_it_just_won() -> None:
    state = table(
        THREE,
        front={0: "red0"},
        tokens={0: "decor"},
        cat=0,
        flipped=3,
        medals={0: "progress_military_cat"},
    )
    choose(state, "end")
    assert state.won[0] == 1


def test_the_active_seat_claims_at_the_battle_even_if_the_game_is_over() -> None:
    state = table(
        THREE,
        front={0: "red0"},
        tokens={0: "decor"},
        built={0: (1, 2, 3, 4, 5)},
        cat=0,
        flipped=3,
        medals={0: "progress_military_cat"},
    )
    choose(state, "end")
    assert asked(state) is None
    assert state.won[0] == 1


@pytest.mark.parametrize("stages", [(), (1, 2, 3, 4, 5)], ids=["it goes on", "the game is over"])
@pytest.mark.parametrize("seat", [1, 2])
def test_others_claim_on_the_tokens_of_a_battle_at_once(seat: int, stages: tuple[int, ...]) -> None:
    state = table(
        THREE,
        front={seat: "red0"},
        tokens={seat: "decor"},
        built={0: stages},
        cat=seat,
        flipped=3,
        medals={1: "progress_military_cat"},
    )
    choose(state, "end")
    assert asked(state) == (None if stages else (1, "draw"))
    assert state.military[seat] == 2
    assert state.won[seat] == 1
    assert medals(state)[1] is None


def test_what_lies_out_of_reach_is_not_claimed_at_a_battle() -> None:
    state = table(
        THREE,
        front={1: "red0"},
        tokens={1: "decor"},
        cat=1,
        flipped=3,
        medals={2: "progress_military_cat"},
    )
    choose(state, "end")
    assert list(state.won) == [0, 0, 0]


def test_others_claim_from_the_centre_at_a_battle() -> None:
    state = table(
        THREE,
        front={2: "red0"},
        tokens={2: "decor"},
        cat=2,
        flipped=3,
        medals={0: "stages3"},
        centre_medals="blue3 progress_military_cat",
    )
    choose(state, "end")
    assert list(state.won) == [0, 0, 1]


def test_horned_cards_are_gone_before_medals_are_claimed_at_a_battle() -> None:
    # Three red cards of which one is horned are two when the smoke clears.
    state = table(THREE, front={0: "red0 red0 red1"}, flipped=3, medals={0: "stages3", 2: "red3"})
    choose(state, "end")
    assert state.won[0] == 0


FOUR = ("giza", "rhodes", "olympia", "ephesus")

# red cards by seat, the place of the medal (4: the centre), medals won by seat
IN_ONE_BATTLE = [
    ("the active seat, on its left", (1, 0, 0, 0), 0, [1, 0, 0, 0]),
    ("the active seat, on its right", (1, 0, 0, 0), 3, [1, 0, 0, 0]),
    ("another seat, on its left", (0, 0, 1, 0), 2, [0, 0, 1, 0]),
    ("another seat, on its right", (0, 0, 1, 0), 1, [0, 0, 1, 0]),
    ("a winner that is not beside it", (0, 0, 1, 0), 0, [0, 0, 0, 0]),
    ("one of two winners beside it", (1, 0, 1, 0), 1, [0, 0, 1, 0]),
    ("one token only", (1, 1, 0, 0), 0, [0, 0, 0, 0]),
    ("nobody wins", (0, 0, 0, 0), 0, [0, 0, 0, 0]),
    ("in the centre, one winner", (0, 1, 0, 0), 4, [0, 1, 0, 0]),
    ("in the centre, two winners", (1, 0, 1, 0), 4, [1, 0, 1, 0]),
    ("in the centre, one token only", (0, 1, 1, 0), 4, [0, 0, 0, 0]),
]


@pytest.mark.parametrize("over", [False, True], ids=["", "last turn"])
@pytest.mark.parametrize(
    ("shields", "place", "won"),
    [row[1:] for row in IN_ONE_BATTLE],
    ids=[row[0] for row in IN_ONE_BATTLE],
)
def test_two_tokens_in_one_battle(
    shields: tuple[int, ...], place: int, won: list[int], over: bool
) -> None:
    places = dict.fromkeys(range(4), "stages2_cat")
    centre = ["stages2_cat", "stages2_cat"]
    if place < 4:
        places[place] = "military2_one_battle"
    else:
        centre[1] = "military2_one_battle"
        place = 5
    state = table(
        FOUR,
        front={seat: " ".join(["red0"] * count) for seat, count in enumerate(shields)},
        built={0: (1, 2, 3, 4, 5) if over else ()},
        flipped=4,
        medals=places,
        centre_medals=" ".join(centre),
    )
    choose(state, "end")
    assert (asked(state) is None) == over
    assert list(state.won) == won
    assert medals(state)[place] == (None if any(won) else "military2_one_battle")


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("shields", "won"),
    [((2, 1), [1, 0]), ((1, 2), [0, 1]), ((1, 0), [1, 0]), ((3, 2), [0, 0]), ((0, 0), [0, 0])],
)
def test_two_tokens_in_one_battle_of_two_players(
    place: int, shields: tuple[int, int], won: list[int]
) -> None:
    cards = {seat: " ".join(["red0"] * count) for seat, count in enumerate(shields)}
    state = table(front=cards, flipped=3, medals={place: "military2_one_battle"})
    choose(state, "end")
    assert list(state.won) == won


def test_two_tokens_out_of_two_battles_do_not_count() -> None:
    state = table(
        THREE,
        front={0: "red0", 1: "red0"},
        military={0: 1},
        flipped=3,
        medals={0: "military2_one_battle"},
    )
    choose(state, "end")
    assert state.military[0] == 2
    assert list(state.won) == [0, 0, 0]


def test_the_medal_for_a_battle_goes_by_tokens_and_entrenchment_changes_nothing() -> None:
    state = table(
        THREE,
        front={1: "red1"},
        tokens={1: "entrenchment"},
        flipped=3,
        medals={1: "military2_one_battle"},
    )
    choose(state, "end")
    assert list(state.won) == [0, 1, 0]
    assert front(state, 1) == "red1"


def test_medals_count_progress_tokens_of_every_sort() -> None:
    state = table(
        THREE,
        front={0: "gear gear compass compass"},
        face_up="culture culture decor",
        medals={0: "progress2"},
    )
    choose(state, "study gear+gear", "token culture", "token culture")
    assert tokens(state, 0) == ["culture", "culture"]
    assert state.won[0] == 1


def test_claiming_asks_nothing() -> None:
    state = table(THREE, ask=START, front={0: "civ3 civ3 civ3"}, medals={0: "blue3"})
    assert asked(state) == (0, "draw")
    assert options(state) == ["take left", "take right", "take centre"]
