"""What the wonders do when a stage that carries their effect is built."""

from typing import Any

import pytest

from engine.architects.components.ids import KIND_IDS
from engine.architects.game import ArchitectsState
from engine.rng import derive

from .table import (
    START,
    asked,
    built,
    centre,
    choose,
    deck,
    face_up,
    front,
    given,
    options,
    sort,
    stack,
    table,
    tokens,
)

# Two pairs before stage 2: a choice between them, so that building it is a decision.
PAIRS = "wood wood clay clay"
BUILD = "build 2 with wood+wood"


def wonder(id: str, **rest: Any) -> ArchitectsState:
    """A wonder about to build its second stage, beside Giza and Rhodes."""
    return table((id, "giza", "rhodes"), **{"front": {0: PAIRS}, "built": {0: (1,)}, **rest})


# wonder, stages built, the stage that is built now, whether its effect asks something
EFFECTS = [
    ("alexandria", "", 1, False),
    ("alexandria", "1", 2, True),
    ("alexandria", "12", 3, False),
    ("alexandria", "123", 4, True),
    ("alexandria", "1234", 5, False),
    ("babylon", "1", 2, True),
    ("babylon", "12", 3, False),
    ("babylon", "123", 4, True),
    ("babylon", "123", 5, False),
    ("halicarnassus", "1", 2, True),
    ("halicarnassus", "12", 3, False),
    ("halicarnassus", "12", 4, True),
    ("halicarnassus", "1234", 5, False),
    ("rome", "", 1, False),
    ("rome", "", 2, True),
    ("rome", "", 3, False),
    ("rome", "123", 4, True),
    ("rome", "123", 5, False),
    ("ur", "", 1, False),
    ("ur", "1", 2, True),
    ("ur", "12", 3, False),
    ("ur", "123", 4, True),
]
ASKS = {
    "alexandria": "any",
    "babylon": "progress",
    "halicarnassus": "side",
    "rome": "steal",
    "ur": "draw",
}
PAYMENT = {
    1: "wood+stone",
    2: "wood+wood",
    3: "wood+stone+clay",
    4: "wood+wood+wood",
    5: "wood+stone+clay+papyrus",
}
EVERYTHING = " ".join(f"{kind} {kind} {kind} {kind}" for kind in KIND_IDS[:5])


@pytest.mark.parametrize(
    ("id", "done", "stage", "works"),
    EFFECTS,
    ids=[f"{r[0]} {r[2]} on {r[1] or 'nothing'}" for r in EFFECTS],
)
def test_the_stages_with_an_effect_ask_their_question_at_once(
    id: str, done: str, stage: int, works: bool
) -> None:
    state = table(
        (id, "giza", "rhodes"),
        front={0: EVERYTHING, 1: "civ3 red0", 2: "coin"},
        built={0: [int(below) for below in done]},
    )
    choose(state, f"build {stage} with {PAYMENT[stage]}")
    prompt = asked(state)
    assert (prompt is not None and prompt[1] == ASKS[id]) == works


# Alexandria


def test_alexandria_takes_the_top_of_any_deck_on_the_table() -> None:
    state = choose(wonder("alexandria"), BUILD)
    assert asked(state) == (0, "any")
    assert options(state) == ["take deck 0", "take deck 1", "take deck 2", "take centre"]


@pytest.mark.parametrize(
    ("answer", "card", "source"),
    [
        ("take deck 0", "red0", 0),
        ("take deck 1", "gear", 1),
        ("take deck 2", "coin", 2),
        ("take centre", "civ2cat", 3),
    ],
)
def test_alexandria_gains_what_it_takes(answer: str, card: str, source: int) -> None:
    decks = {0: "red0 civ3", 1: "gear civ3", 2: "coin civ3"}
    state = choose(wonder("alexandria", decks=decks, centre="civ2cat civ3"), BUILD, answer)
    assert front(state, 0) == sort(f"clay clay {card}")
    assert deck(state, source) == "civ3"
    assert state.cat == (0 if card == "civ2cat" else -1)


def test_alexandria_leaves_out_empty_decks() -> None:
    state = choose(wonder("alexandria", decks={1: ""}, centre=""), BUILD)
    assert options(state) == ["take deck 0", "take deck 2"]


def test_alexandria_with_one_deck_left_is_not_asked() -> None:
    state = choose(wonder("alexandria", decks={0: "", 1: "gear gear", 2: ""}, centre=""), BUILD)
    assert front(state, 0) == "clay clay gear"


def test_alexandria_with_no_deck_left_goes_without() -> None:
    state = choose(wonder("alexandria", decks={0: "", 1: "", 2: ""}, centre=""), BUILD)
    assert front(state, 0) == "clay clay"
    assert asked(state) is None


# Babylon


def test_babylon_chooses_a_progress_token() -> None:
    state = choose(wonder("babylon"), BUILD)
    assert asked(state) == (0, "progress")
    assert options(state) == ["token decor", "token politics", "token strategy", "token stack"]
    choose(state, "token politics")
    assert tokens(state, 0) == ["politics"]


def test_babylon_without_tokens_goes_without() -> None:
    state = choose(wonder("babylon", face_up="", stack=""), BUILD)
    assert asked(state) == (1, "draw")
    assert tokens(state, 0) == []
    assert built(state, 0) == (1, 2)


def test_babylon_with_one_token_left_is_not_asked() -> None:
    state = choose(wonder("babylon", face_up="", stack="decor"), BUILD)
    assert tokens(state, 0) == ["decor"]
    assert asked(state) == (1, "draw")


# Ephesus


@pytest.mark.parametrize(
    ("stage", "payment", "left"),
    [
        (2, "clay+clay", "wood stone glass"),
        (3, "wood+stone+glass", "clay clay"),
    ],
)
def test_ephesus_gains_the_top_of_the_centre(stage: int, payment: str, left: str) -> None:
    state = table(
        ("ephesus", "giza"),
        front={0: "wood stone clay clay glass"},
        built={0: (1,)},
        centre="red2 civ3",
        tokens={0: "propaganda"},
    )
    choose(state, f"build {stage} with {payment}")
    assert sort(left) in front(state, 0)
    assert "red2" in front(state, 0)
    assert centre(state) == "civ3"
    assert state.flipped == 2
    assert "extra propaganda take left" in options(state)


def test_ephesus_gains_for_its_third_effect_too() -> None:
    state = table(
        ("ephesus", "giza"),
        front={0: "wood wood wood clay clay clay"},
        built={0: (1, 2, 3)},
        centre="civ2cat civ3",
    )
    choose(state, "build 4 with clay+clay+clay")
    assert front(state, 0) == "wood wood wood civ2cat"


def test_ephesus_with_an_empty_centre_goes_without() -> None:
    state = choose(wonder("ephesus", centre=""), BUILD)
    assert front(state, 0) == "clay clay"
    assert built(state, 0) == (1, 2)
    assert asked(state) == (1, "draw")


# Giza


def test_giza_has_no_effect() -> None:
    state = table(front={0: PAIRS}, built={0: (1,)}, stack="education")
    choose(state, BUILD)
    assert asked(state) == (1, "draw")
    assert front(state, 0) == "clay clay"
    assert centre(state) == deck(state, 0) == "civ3 civ3 civ3 civ3 civ3 civ3"


# Halicarnassus


def test_halicarnassus_looks_to_its_left_or_to_its_right() -> None:
    state = choose(wonder("halicarnassus"), BUILD)
    assert asked(state) == (0, "side")
    assert options(state) == ["look left", "look right"]


FIVE = "wood gear wood red1 coin stone civ2cat"

# its left deck, the kinds it may keep
LOOKS = [
    (FIVE, ["keep wood", "keep coin", "keep gear", "keep red1"]),
    ("wood gear red1 coin", ["keep wood", "keep coin", "keep gear", "keep red1"]),
    ("wood gear", ["keep wood", "keep gear"]),
    ("wood wood wood wood stone gear", ["keep wood", "keep stone"]),
]


@pytest.mark.parametrize(("cards", "kinds"), LOOKS, ids=[r[0] for r in LOOKS])
def test_halicarnassus_keeps_one_of_the_top_five(cards: str, kinds: list[str]) -> None:
    state = choose(wonder("halicarnassus", decks={0: cards}), BUILD, "look left")
    assert asked(state) == (0, "pick")
    assert sorted(options(state)) == sorted(kinds)


@pytest.mark.parametrize(("side", "source"), [("left", 0), ("right", 2)])
def test_halicarnassus_gains_the_card_and_shuffles_the_rest(side: str, source: int) -> None:
    journal: list[list[int]] = []
    state = wonder("halicarnassus", decks={0: FIVE, 2: FIVE})
    state.journal = journal
    choose(state, BUILD, f"look {side}", "keep red1")
    assert front(state, 0) == "clay clay red1"
    assert state.flipped == 1
    rest = ["wood", "gear", "wood", "coin", "stone", "civ2cat"]
    assert sorted(deck(state, source).split()) == sorted(rest)
    assert deck(state, 2 - source) == FIVE
    assert [[event[0], *[KIND_IDS[kind] for kind in event[1:]]] for event in journal] == [
        [source, *deck(state, source).split()]
    ]


def test_halicarnassus_shuffles_the_cards_below_the_five_too() -> None:
    depths = set()
    for seed in range(60):
        state = wonder("halicarnassus", decks={0: "wood gear coin civ3 clay" + " red0" * 6})
        state.chance = derive(seed, "halicarnassus")
        choose(state, BUILD, "look left", "keep wood")
        depths.add(deck(state, 0).split().index("gear"))
    # A returned card may lie anywhere among the ten.
    assert depths == set(range(10))


@pytest.mark.parametrize(
    ("cards", "answers", "kept", "left"),
    [
        ("gear", ["look left"], "gear", []),
        ("gear coin", ["look left", "keep gear"], "gear", ["coin"]),
        ("gear gear", ["look left"], "gear", ["gear"]),
        ("red0 red0 red0", ["look left"], "red0", ["red0", "red0"]),
    ],
    ids=["one card", "two cards", "two cards alike", "three cards alike"],
)
def test_the_shuffle_is_recorded_however_few_cards_are_left(
    cards: str, answers: list[str], kept: str, left: list[str]
) -> None:
    journal: list[list[int]] = []
    state = wonder("halicarnassus", decks={0: cards})
    state.journal = journal
    choose(state, BUILD, *answers)
    assert front(state, 0) == sort(f"clay clay {kept}")
    assert journal == [[0, *[KIND_IDS.index(kind) for kind in left]]]


@pytest.mark.parametrize(
    ("decks", "source"), [({0: ""}, 2), ({2: ""}, 0)], ids=["left empty", "right empty"]
)
def test_halicarnassus_with_one_deck_to_look_through_is_not_asked(
    decks: dict[int, str], source: int
) -> None:
    decks = {0: "wood gear civ3", 2: "wood gear civ3", **decks}
    state = choose(wonder("halicarnassus", decks=decks), BUILD)
    assert asked(state) == (0, "pick")
    choose(state, "keep gear")
    assert sorted(deck(state, source).split()) == ["civ3", "wood"]


def test_halicarnassus_with_no_deck_to_look_through_goes_without() -> None:
    journal: list[list[int]] = []
    state = wonder("halicarnassus", decks={0: "", 2: ""})
    state.journal = journal
    choose(state, BUILD)
    assert front(state, 0) == "clay clay"
    assert journal == []
    assert asked(state) == (1, "draw")


# Olympia


@pytest.mark.parametrize(
    ("decks", "gains"),
    [
        ({0: "gear civ3", 2: "red0 civ3"}, "gear red0"),
        ({0: "", 2: "red0 civ3"}, "red0"),
        ({0: "gear civ3", 2: ""}, "gear"),
        ({0: "", 2: ""}, ""),
    ],
    ids=["both", "left empty", "right empty", "both empty"],
)
def test_olympia_gains_the_tops_to_its_left_and_right(decks: dict[int, str], gains: str) -> None:
    state = choose(wonder("olympia", decks=decks), BUILD)
    assert front(state, 0) == sort(f"clay clay {gains}")
    assert asked(state) == (1, "draw")


def test_olympia_gains_both_cards_before_anything_else() -> None:
    state = wonder(
        "olympia",
        decks={0: "wood gear civ3", 2: "gear compass civ3"},
        tokens={0: "urbanism science"},
        built={0: (1, 3)},
    )
    choose(state, BUILD)
    # Urbanism and Science are armed by the two cards, together.
    assert front(state, 0) == sort("clay clay wood gear")
    assert asked(state) == (0, "act")
    assert len([text for text in options(state) if text.startswith("extra urbanism")]) == 3
    assert len([text for text in options(state) if text.startswith("extra science")]) == 3


def test_olympia_may_build_with_the_cards_it_gained() -> None:
    state = wonder("olympia", decks={0: "clay civ3", 2: "gear civ3"}, built={0: (1, 3)})
    choose(state, BUILD)
    # Three clay pay for stage 4, whose effect takes the next two cards.
    assert built(state, 0) == (1, 2, 3, 4)
    assert front(state, 0) == "civ3 civ3 gear"


# Rhodes


@pytest.mark.parametrize(
    ("stages", "tokens_won"),
    [((), 0), ((1,), 0), ((2,), 2), ((1, 2, 3), 2), ((1, 2, 3, 4), 2)],
    ids=["nothing built", "stage 1", "stage 2", "stages 1 to 3", "stages 1 to 4"],
)
def test_rhodes_adds_a_shield_for_each_of_its_two_stages(
    stages: tuple[int, ...], tokens_won: int
) -> None:
    state = table(("rhodes", "giza"), built={0: stages}, flipped=3)
    choose(state, "end")
    assert state.military[0] == tokens_won


def test_the_second_shield_of_rhodes_counts() -> None:
    state = table(("rhodes", "giza"), built={0: (1, 2, 3, 4)}, front={1: "red0"}, flipped=3)
    choose(state, "end")
    assert (state.military[0], state.military[1]) == (2, 0)


# Rome

PLUNDER = {0: PAIRS, 1: "wood civ3 civ3", 2: "red1"}


def test_rome_steals_a_kind_of_card_from_any_opponent() -> None:
    state = choose(wonder("rome", front=PLUNDER, built={0: (1, 3)}), BUILD)
    assert asked(state) == (0, "steal")
    assert options(state) == ["steal 1 wood", "steal 1 civ3", "steal 2 red1"]


def test_rome_gains_the_card_and_its_owner_gets_the_top_of_the_centre_face_down() -> None:
    state = wonder("rome", front=PLUNDER, built={0: (1, 3)}, centre="gear coin civ3")
    choose(state, BUILD, "steal 1 civ3")
    # Seat 1 goes on to its own turn and turns the gear over.
    assert front(state, 0) == "clay clay civ3"
    assert front(state, 1) == "wood civ3 gear"
    assert centre(state) == "coin civ3"
    assert asked(state) == (1, "draw")


def test_the_face_down_card_waits_for_its_owners_turn() -> None:
    state = wonder("rome", front=PLUNDER, built={0: (1, 3)}, centre="civ2cat coin civ3 civ3")
    choose(state, BUILD, "steal 2 red1")
    assert asked(state) == (1, "draw")
    assert given(state) == [(2, "civ2cat")]
    assert front(state, 2) == ""
    assert state.cat == -1
    choose(state, "take left")
    assert asked(state) == (2, "draw")
    assert given(state) == []
    assert front(state, 2) == "civ2cat"
    assert state.cat == 2


@pytest.mark.parametrize(
    ("kind", "token"),
    [
        ("red1", "propaganda"),
        ("red2", "propaganda"),
        ("gear", "science"),
        ("coin", "jewellery"),
        ("stone", "jewellery"),
        ("glass", "crafts"),
        ("clay", "urbanism"),
    ],
)
def test_a_stolen_card_arms_tokens(kind: str, token: str) -> None:
    state = wonder(
        "rome",
        front={0: PAIRS, 1: f"{kind} civ3"},
        tokens={0: token},
        built={0: (1, 3)},
    )
    choose(state, BUILD, f"steal 1 {kind}")
    assert f"extra {token} take centre" in options(state)


@pytest.mark.parametrize(("kind", "flips"), [("red0", 0), ("red1", 1), ("red2", 2)])
def test_the_horns_of_a_stolen_card_sound(kind: str, flips: int) -> None:
    state = wonder("rome", front={0: PAIRS, 1: f"{kind} civ3"}, built={0: (1, 3)})
    choose(state, BUILD, f"steal 1 {kind}")
    assert state.flipped == flips


def test_the_cat_of_a_stolen_card_comes_along() -> None:
    state = wonder("rome", front={0: PAIRS, 1: "civ2cat civ3"}, built={0: (1, 3)}, cat=2)
    choose(state, BUILD, "steal 1 civ2cat")
    assert state.cat == 0


def test_a_single_card_to_steal_is_taken_without_asking() -> None:
    state = choose(wonder("rome", front={0: PAIRS, 2: "civ3"}, built={0: (1, 3)}), BUILD)
    assert front(state, 0) == "clay clay civ3"
    assert given(state) == [(2, "civ3")]


def test_with_nobody_to_steal_from_nothing_happens() -> None:
    state = choose(wonder("rome", built={0: (1, 3)}, centre="gear civ3"), BUILD)
    assert asked(state) == (1, "draw")
    assert front(state, 0) == "clay clay"
    assert given(state) == []
    assert centre(state) == "gear civ3"


def test_with_an_empty_centre_the_opponent_gets_nothing() -> None:
    state = choose(
        wonder("rome", front=PLUNDER, built={0: (1, 3)}, centre=""), BUILD, "steal 2 red1"
    )
    assert front(state, 0) == "clay clay red1"
    assert front(state, 2) == ""
    assert given(state) == []


def test_rome_does_not_steal_face_down_cards() -> None:
    state = wonder("rome", front={0: PAIRS, 1: "wood civ3"}, given=[(2, "gear")], built={0: (1, 3)})
    choose(state, BUILD)
    assert options(state) == ["steal 1 wood", "steal 1 civ3"]


def test_rome_may_steal_twice_in_a_turn_and_both_cards_are_revealed_in_order() -> None:
    state = wonder(
        "rome",
        front={
            0: "wood wood stone stone clay clay clay papyrus papyrus papyrus",
            1: "civ3 civ3 civ2cat",
        },
        built={0: (1, 3)},
        centre="red1 gear coin civ3",
        tokens={1: "jewellery"},
    )
    choose(state, "build 2 with wood+wood", "steal 1 civ3")
    assert given(state) == [(1, "red1")]
    choose(state, "build 4 with clay+clay+clay", "steal 1 civ2cat")
    # No more stages can be paid: stage 5 needs four different.
    assert asked(state) == (1, "draw")
    assert front(state, 1) == sort("civ3 red1 gear")
    assert centre(state) == "coin civ3"
    assert state.flipped == 1


def test_a_revealed_card_arms_tokens_for_the_turn() -> None:
    state = table(("rome", "giza"), turn=1, ask=START, given=[(1, "coin")], tokens={1: "jewellery"})
    assert asked(state) == (1, "draw")
    choose(state, "take left")
    assert options(state) == [
        "extra jewellery take left",
        "extra jewellery take right",
        "extra jewellery take centre",
        "end",
    ]


def test_only_the_cards_of_the_seat_are_revealed() -> None:
    state = table(
        ("rome", "giza", "rhodes"),
        turn=1,
        ask=START,
        given=[(2, "gear"), (1, "coin"), (2, "wood")],
    )
    assert (front(state, 1), front(state, 2)) == ("coin", "")
    assert given(state) == [(2, "gear"), (2, "wood")]


def test_a_revealed_card_obliges_like_any_other() -> None:
    state = table(("rome", "giza"), turn=1, ask=START, front={1: "wood"}, given=[(1, "stone")])
    choose(state, "take left")
    assert built(state, 1) == (1,)


def test_a_face_down_card_counts_for_nothing() -> None:
    state = table(
        ("rome", "giza", "rhodes"),
        given=[(1, "red0"), (1, "civ3")],
        flipped=3,
        medals={1: "red3"},
        front={1: "red0 red0", 2: "red0 red0"},
    )
    before = state.scores()
    assert before[1] == 0
    choose(state, "end")
    # At the battle the third shield lies face down: a draw with seat 2, a win over seat 0.
    assert list(state.military) == [0, 1, 1]
    # It is revealed at the start of the next turn, and the medal claimed then.
    assert asked(state) == (1, "draw")
    assert state.won[1] == 1
    assert front(state, 1) == sort("red0 red0 red0 civ3")


def test_a_face_down_card_does_not_keep_the_game_going() -> None:
    state = table(("rome", "giza"), decks={0: "", 1: ""}, centre="", given=[(1, "civ3")])
    choose(state, "end")
    assert asked(state) is None
    assert state.scores() == [0, 0]
    assert given(state) == [(1, "civ3")]


def test_the_revealed_card_comes_on_top_of_the_normal_turn() -> None:
    state = table(("rome", "giza"), turn=1, ask=START, given=[(1, "civ3")], decks={1: "red0 civ3"})
    choose(state, "take left")
    assert front(state, 1) == "civ3 red0"


def test_revealed_horns_trigger_the_battle_of_that_turn() -> None:
    state = table(("rome", "giza"), turn=1, ask=START, given=[(1, "red2")], flipped=1)
    assert state.flipped == 3
    assert list(state.military) == [0, 0]
    choose(state, "take left")
    assert list(state.military) == [0, 2]
    assert state.flipped == 0


# Ur


def test_ur_takes_the_cat_and_draws_again() -> None:
    state = wonder("ur", cat=2, centre="red2 civ3", decks={0: "gear civ3", 2: "coin civ3"})
    choose(state, BUILD)
    assert state.cat == 0
    assert asked(state) == (0, "draw")
    assert options(state) == ["take left", "take right", "take centre"]
    choose(state, "take centre")
    assert front(state, 0) == "clay clay red2"
    assert state.flipped == 2


def test_ur_with_one_deck_left_is_not_asked() -> None:
    state = choose(wonder("ur", decks={0: "", 2: "gear civ3"}, centre=""), BUILD)
    assert front(state, 0) == "clay clay gear"
    assert state.cat == 0


def test_ur_without_a_card_to_draw_keeps_the_cat() -> None:
    # Seats 1 and 2 have one deck left between them, and empty it without being asked.
    state = choose(wonder("ur", decks={0: "", 2: ""}, centre=""), BUILD)
    assert front(state, 0) == "clay clay"
    assert state.cat == 0


def test_the_second_draw_of_ur_is_not_a_new_turn() -> None:
    state = wonder(
        "ur", tokens={0: "architecture urbanism"}, used="urbanism", decks={0: "wood civ3"}
    )
    choose(state, BUILD, "take left")
    texts = options(state)
    assert any(text.startswith("extra architecture") for text in texts)
    assert not any(text.startswith("extra urbanism") for text in texts)


def test_architecture_is_armed_before_the_effect_and_used_after_it() -> None:
    state = wonder("alexandria", tokens={0: "architecture"})
    choose(state, BUILD)
    assert asked(state) == (0, "any")
    choose(state, "take deck 1")
    assert "extra architecture take left" in options(state)


def test_the_face_up_tokens_are_replaced_for_babylon_too() -> None:
    state = wonder("babylon", face_up="decor politics strategy", stack="culture education")
    choose(state, BUILD, "token decor")
    assert face_up(state) == ["culture", "politics", "strategy"]
    assert stack(state) == ["education"]
