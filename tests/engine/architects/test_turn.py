"""A turn from its start to its end: draw, act, hand on; and the end of the game."""

import pytest

from engine.architects.components.ids import KIND_IDS

from .table import (
    START,
    asked,
    built,
    centre,
    choose,
    deck,
    front,
    given,
    options,
    table,
    tokens,
)

THREE = ("giza", "rhodes", "olympia")

# the seat, whether its left deck, right deck and the centre have cards, what it may draw
DRAWS = [
    (0, "left right centre", ["take left", "take right", "take centre"]),
    (2, "left right centre", ["take left", "take right", "take centre"]),
    (0, "right centre", ["take right", "take centre"]),
    (1, "left centre", ["take left", "take centre"]),
    (1, "left right", ["take left", "take right"]),
]


@pytest.mark.parametrize(
    ("turn", "full", "expected"), DRAWS, ids=[f"seat {r[0]}: {r[1]}" for r in DRAWS]
)
def test_a_draw_offers_the_three_available_decks_that_have_cards(
    turn: int, full: str, expected: list[str]
) -> None:
    left, right = turn, (turn - 1) % 3
    decks = {
        left: "" if "left" not in full else "civ3",
        right: "" if "right" not in full else "civ3",
    }
    state = table(THREE, turn, "draw", decks=decks, centre="civ3" if "centre" in full else "")
    assert options(state) == expected


# players, the seat, what it takes, the deck the card comes from (the centre is the last)
TAKES = [
    (3, 0, "left", 0),
    (3, 0, "right", 2),
    (3, 1, "left", 1),
    (3, 1, "right", 0),
    (3, 2, "left", 2),
    (3, 2, "right", 1),
    (3, 1, "centre", 3),
    (2, 0, "left", 0),
    (2, 0, "right", 1),
    (2, 1, "left", 1),
    (2, 1, "right", 0),
    (2, 1, "centre", 2),
]


@pytest.mark.parametrize(
    ("players", "turn", "which", "source"),
    TAKES,
    ids=[f"{r[0]} players, seat {r[1]} {r[2]}" for r in TAKES],
)
def test_a_card_comes_off_the_top_of_the_deck_taken(
    players: int, turn: int, which: str, source: int
) -> None:
    kinds = ["wood", "stone", "clay", "glass"]
    decks = {at: f"{kinds[at]} civ3" for at in range(players)}
    state = table(THREE[:players], turn, "draw", decks=decks, centre=f"{kinds[players]} civ3")
    choose(state, f"take {which}")
    assert front(state, turn) == kinds[source]
    assert deck(state, source) == "civ3"
    assert [deck(state, at) for at in range(players + 1) if at != source] == [
        f"{kinds[at]} civ3" for at in range(players + 1) if at != source
    ]


def test_the_first_seat_begins_and_the_seat_to_the_left_follows() -> None:
    state = table(THREE, ask=START)
    seats = []
    for _ in range(4):
        seats.append(asked(state))
        choose(state, "take left")
    assert seats == [(0, "draw"), (1, "draw"), (2, "draw"), (0, "draw")]


def test_a_single_deck_is_drawn_without_asking() -> None:
    state = table(THREE, ask=START, decks={0: "", 1: "civ3", 2: ""}, centre="wood civ3")
    # Seat 0 can take the centre only; seat 1 has a choice.
    assert front(state, 0) == "wood"
    assert asked(state) == (1, "draw")


def test_a_seat_without_a_card_to_take_still_acts() -> None:
    state = table(
        THREE, ask=START, decks={0: "", 1: "civ3", 2: ""}, centre="", front={0: "gear gear"}
    )
    assert asked(state) == (0, "progress")
    assert front(state, 0) == ""
    assert deck(state, 1) == "civ3"


def test_a_seat_with_nothing_to_take_and_nothing_to_do_is_passed_over() -> None:
    state = table(THREE, ask=START, decks={0: "", 1: "civ3 wood", 2: ""}, centre="")
    # Seat 0 has nothing; seat 1 takes its left deck, seat 2 its right deck: one and the same.
    assert (front(state, 0), front(state, 1), front(state, 2)) == ("", "civ3", "wood")
    assert asked(state) is None


STUDIES = [
    ("gear gear", ["study gear+gear"]),
    ("compass compass", ["study compass+compass"]),
    ("tablet tablet", ["study tablet+tablet"]),
    ("gear compass tablet", ["study gear+compass+tablet"]),
    ("gear compass", ["end"]),
    ("gear", ["end"]),
    ("gear gear compass", ["study gear+gear"]),
    ("gear gear compass compass", ["study gear+gear", "study compass+compass"]),
    ("gear gear compass tablet", ["study gear+gear", "study gear+compass+tablet"]),
    (
        "gear gear compass compass tablet tablet",
        [
            "study gear+gear",
            "study compass+compass",
            "study tablet+tablet",
            "study gear+compass+tablet",
        ],
    ),
]


@pytest.mark.parametrize(("cards", "expected"), STUDIES, ids=[r[0] for r in STUDIES])
def test_studies_on_offer(cards: str, expected: list[str]) -> None:
    assert sorted(options(table(front={0: cards}))) == sorted(expected)


@pytest.mark.parametrize(
    ("cards", "answer", "left"),
    [
        ("gear gear gear", "study gear+gear", "gear"),
        ("gear gear compass tablet", "study gear+gear", "compass tablet"),
        ("gear gear compass tablet", "study gear+compass+tablet", "gear"),
        ("compass compass tablet tablet", "study tablet+tablet", "compass compass"),
    ],
)
def test_studied_cards_are_discarded_before_the_token_is_chosen(
    cards: str, answer: str, left: str
) -> None:
    state = choose(table(front={0: cards}, armed="science", tokens={0: "science"}), answer)
    assert asked(state) == (0, "progress")
    assert front(state, 0) == left


@pytest.mark.parametrize(
    ("face_up", "stack", "possible"),
    [
        ("decor politics strategy", "education", True),
        ("decor", "", True),
        ("", "education", True),
        ("", "", False),
    ],
    ids=["all", "one face up", "one in the stack", "none"],
)
def test_a_study_needs_a_token_to_take(face_up: str, stack: str, possible: bool) -> None:
    state = table(front={0: "gear gear"}, face_up=face_up, stack=stack)
    assert options(state) == (["study gear+gear"] if possible else ["end"])


# the token, the card taken, whether it arms the token
ARMING = [
    (token, card, card in cards.split())
    for token, cards in [
        ("urbanism", "wood clay"),
        ("crafts", "papyrus glass"),
        ("jewellery", "stone coin"),
        ("science", "gear compass tablet"),
        ("propaganda", "red1 red2"),
        ("architecture", ""),
        ("economy", ""),
        ("tactics", ""),
    ]
    for card in KIND_IDS
]


@pytest.mark.parametrize(("token", "card", "arms"), ARMING, ids=[f"{r[0]} {r[1]}" for r in ARMING])
def test_a_card_arms_the_tokens_it_matches(token: str, card: str, arms: bool) -> None:
    state = table(ask="draw", decks={0: f"{card} civ3"}, tokens={0: token})
    choose(state, "take left")
    if arms:
        extras = [f"extra {token} take {which}" for which in ("left", "right", "centre")]
        assert asked(state) == (0, "act")
        assert sorted(options(state)) == sorted([*extras, "end"])
    else:
        assert asked(state) == (1, "draw")


def test_a_card_arms_nothing_for_others() -> None:
    state = table(ask="draw", decks={0: "wood civ3"}, tokens={1: "urbanism"})
    choose(state, "take left")
    assert asked(state) == (1, "draw")


@pytest.mark.parametrize(
    ("which", "gains"), [("left", "stone"), ("right", "glass"), ("centre", "papyrus")]
)
def test_an_extra_card_comes_from_one_of_the_three_available(which: str, gains: str) -> None:
    state = table(
        ask="draw",
        decks={0: "wood stone civ3", 1: "glass civ3"},
        centre="papyrus civ3",
        tokens={0: "urbanism engineering"},
        built={0: (1,)},
    )
    choose(state, "take left", f"extra urbanism take {which}")
    assert front(state, 0).split() == sorted(
        ["wood", gains], key=["wood", "stone", "papyrus", "glass"].index
    )


def test_an_extra_card_is_offered_from_decks_that_have_one() -> None:
    state = table(armed="science", tokens={0: "science"}, decks={0: ""}, centre="")
    assert options(state) == ["extra science take right", "end"]


def test_an_armed_token_without_a_deck_to_take_from_offers_nothing() -> None:
    state = table(THREE, armed="science", tokens={0: "science"}, decks={0: "", 2: ""}, centre="")
    assert options(state) == ["end"]


def test_an_extra_card_may_be_declined() -> None:
    state = table(ask="draw", decks={0: "wood civ3"}, tokens={0: "urbanism"})
    choose(state, "take left", "end")
    assert asked(state) == (1, "draw")
    assert front(state, 0) == "wood"


def test_a_token_is_used_once_a_turn() -> None:
    state = table(ask="draw", decks={0: "wood clay clay"}, tokens={0: "urbanism"}, built={0: (1,)})
    choose(state, "take left", "extra urbanism take left")
    # The clay would arm it again, but it is used.
    assert asked(state) == (1, "draw")


def test_an_extra_card_arms_other_tokens() -> None:
    state = table(ask="draw", decks={0: "wood gear civ3"}, tokens={0: "urbanism science"})
    choose(state, "take left", "extra urbanism take left")
    assert options(state) == [
        "extra science take left",
        "extra science take right",
        "extra science take centre",
        "end",
    ]


def test_two_cards_arm_a_token_for_one_extra_card() -> None:
    state = table(
        ask="draw",
        decks={0: "wood wood civ3"},
        tokens={0: "urbanism propaganda"},
        centre="red1 wood civ3",
        built={0: (1,)},
    )
    choose(state, "take centre", "extra propaganda take left")
    assert [text for text in options(state) if "extra" in text] == [
        "extra urbanism take left",
        "extra urbanism take right",
        "extra urbanism take centre",
    ]
    choose(state, "extra urbanism take left")
    # The second wood finds Urbanism used. Two woods then pay for stage 2.
    assert built(state, 0) == (1, 2)
    assert asked(state) == (1, "draw")


def test_a_token_stays_armed_until_the_end_of_the_turn() -> None:
    state = table(
        ask="draw", decks={0: "wood civ3"}, tokens={0: "urbanism"}, front={0: "gear gear"}
    )
    choose(state, "take left", "study gear+gear", "token decor")
    assert options(state) == [
        "extra urbanism take left",
        "extra urbanism take right",
        "extra urbanism take centre",
        "end",
    ]


def test_a_token_is_no_longer_armed_on_the_next_turn() -> None:
    state = table(
        ask="draw",
        decks={0: "wood civ3 civ3", 1: "civ3 civ3 civ3 civ3"},
        tokens={0: "urbanism"},
    )
    choose(state, "take left", "end", "take left", "take left")
    # Seat 0 drew an idle card on its second turn: nothing to ask.
    assert asked(state) == (1, "draw")


def test_a_used_token_works_again_on_the_next_turn() -> None:
    state = table(
        ask="draw",
        decks={0: "wood civ3 clay civ3", 1: "civ3 civ3"},
        tokens={0: "urbanism"},
        built={0: (1,)},
    )
    choose(state, "take left", "extra urbanism take left", "take left", "take left")
    assert asked(state) == (0, "act")
    assert "extra urbanism take centre" in options(state)


def test_a_token_does_not_look_back_at_cards_taken_before_it_was_owned() -> None:
    state = table(ask="draw", front={0: "gear"}, decks={0: "gear civ3"}, face_up="science")
    choose(state, "take left", "token science")
    assert tokens(state, 0) == ["science"]
    assert asked(state) == (1, "draw")


def test_a_token_works_at_once_for_cards_taken_later_in_the_turn() -> None:
    state = table(
        ask="draw",
        front={0: "gear compass"},
        decks={0: "gear tablet civ3"},
        tokens={0: "propaganda"},
        centre="red1 gear",
        face_up="science decor",
    )
    choose(state, "take centre", "extra propaganda take left", "token science")
    # Science was taken for the gears; nothing green came since.
    assert asked(state) == (1, "draw")
    state = table(
        front={0: "gear gear"},
        decks={0: "tablet civ3"},
        tokens={0: "propaganda"},
        armed="propaganda",
        face_up="science decor",
    )
    choose(state, "study gear+gear", "token science", "extra propaganda take left")
    assert "extra science take left" in options(state)


def test_architecture_is_armed_by_a_stage() -> None:
    state = table(front={0: "wood stone clay"}, tokens={0: "architecture"})
    choose(state, "build 1 with wood+stone")
    assert options(state) == [
        "extra architecture take left",
        "extra architecture take right",
        "extra architecture take centre",
        "end",
    ]


def test_architecture_gives_one_card_a_turn_however_many_stages() -> None:
    state = table(front={0: "wood stone clay"}, tokens={0: "architecture"}, decks={0: "clay civ3"})
    choose(state, "build 1 with wood+stone", "extra architecture take left")
    # Two clay build stage 2; Architecture is used.
    assert built(state, 0) == (1, 2)
    assert asked(state) == (1, "draw")


def test_architecture_does_not_look_back_at_the_stage_that_brought_it() -> None:
    state = table(
        ("babylon", "giza"),
        front={0: "wood wood clay clay"},
        built={0: (1,)},
        face_up="architecture decor politics",
    )
    choose(state, "build 2 with wood+wood", "token architecture")
    assert asked(state) == (1, "draw")


def test_actions_may_be_taken_in_any_order() -> None:
    state = table(
        front={0: "wood stone clay gear gear red1"}, tokens={0: "propaganda"}, armed="propaganda"
    )
    texts = options(state)
    assert "study gear+gear" in texts
    assert "build 1 with wood+clay" in texts
    assert "extra propaganda take left" in texts
    assert "end" not in texts


@pytest.mark.parametrize(
    ("cat", "front_of_other"), [(-1, ""), (1, "civ2cat")], ids=["from the table", "from a seat"]
)
def test_the_cat_goes_to_whoever_takes_its_icon(cat: int, front_of_other: str) -> None:
    state = table(ask="draw", decks={0: "civ2cat civ3"}, cat=cat, front={1: front_of_other})
    choose(state, "take left")
    assert state.cat == 0
    assert front(state, 1) == front_of_other


def test_a_blue_card_without_the_icon_leaves_the_cat_where_it_is() -> None:
    state = choose(table(ask="draw", decks={0: "civ3 civ3"}, cat=1), "take left")
    assert state.cat == 1


# players, flipped before, the card, flipped after it (before the end of the turn)
HORNS = [
    (2, 0, "red0", 0),
    (2, 0, "red1", 1),
    (2, 0, "red2", 2),
    (2, 2, "red1", 3),
    (2, 2, "red2", 3),
    (2, 3, "red2", 3),
    (4, 3, "red1", 4),
    (4, 3, "red2", 4),
    (5, 3, "red2", 5),
    (7, 4, "red2", 6),
    (7, 5, "red2", 6),
]
SEVEN = ("giza", "rhodes", "olympia", "ephesus", "babylon", "alexandria", "halicarnassus")


@pytest.mark.parametrize(
    ("players", "before", "card", "after"),
    HORNS,
    ids=[f"{r[0]} players, {r[1]} and {r[2]}" for r in HORNS],
)
def test_horns_flip_conflict_tokens_and_the_excess_is_ignored(
    players: int, before: int, card: str, after: int
) -> None:
    # An armed token holds the turn open.
    state = table(
        SEVEN[:players],
        ask="draw",
        decks={0: f"{card} civ3"},
        flipped=before,
        armed="science",
        tokens={0: "science"},
    )
    choose(state, "take left")
    assert asked(state) == (0, "act")
    assert state.flipped == after


def test_horns_flip_for_cards_taken_by_a_token_too() -> None:
    state = table(armed="urbanism science", tokens={0: "urbanism science"}, decks={0: "red2 civ3"})
    choose(state, "extra urbanism take left")
    assert state.flipped == 2


def test_the_game_ends_with_the_turn_in_which_a_wonder_is_complete() -> None:
    state = table(
        front={0: "wood stone clay papyrus glass gear gear"},
        built={0: (1, 2, 3, 4)},
        tokens={0: "architecture"},
        decks={0: "civ3 civ3"},
    )
    choose(state, "build 5 with wood+stone+clay+papyrus")
    # The rest of the turn is played.
    assert sorted(options(state)) == [
        "extra architecture take centre",
        "extra architecture take left",
        "extra architecture take right",
        "study gear+gear",
    ]
    choose(state, "extra architecture take left", "token decor")
    assert asked(state) is None
    assert front(state, 0) == "glass civ3"
    assert tokens(state, 0) == ["architecture", "decor"]


def test_the_battle_of_the_last_turn_is_fought() -> None:
    state = table(
        front={0: "wood stone clay papyrus glass red1"},
        built={0: (1, 2, 3, 4)},
        flipped=3,
    )
    choose(state, "build 5 with wood+stone+clay+papyrus")
    assert asked(state) is None
    assert state.military[0] == 2
    assert front(state, 0) == "glass"
    assert state.flipped == 0


def test_nobody_plays_after_a_wonder_is_complete() -> None:
    state = table(
        THREE, turn=1, front={1: "wood stone clay papyrus glass"}, built={1: (1, 2, 3, 4)}
    )
    choose(state, "build 5 with wood+stone+clay+papyrus")
    assert state.pending() == []
    assert state.legal(1) == []


def test_the_game_ends_when_every_deck_is_empty() -> None:
    state = table(ask="draw", decks={0: "civ3", 1: ""}, centre="civ3")
    choose(state, "take left")
    # Seat 1 had one card to take: the centre's.
    assert asked(state) is None
    assert front(state, 1) == "civ3"


def test_the_game_goes_on_while_any_deck_has_a_card() -> None:
    state = table(THREE, ask="draw", decks={0: "civ3", 1: "", 2: "civ3 civ3"}, centre="")
    choose(state, "take left")
    # Seat 1 finds nothing, seat 2 takes its left deck, seat 0 its right deck: the same one.
    assert asked(state) is None
    assert (front(state, 1), front(state, 2), front(state, 0)) == ("", "civ3", "civ3 civ3")


def test_the_battle_is_fought_before_the_game_ends_for_want_of_cards() -> None:
    state = table(THREE, ask="draw", decks={0: "red2", 1: "", 2: ""}, centre="", flipped=1)
    choose(state, "take left")
    assert asked(state) is None
    assert state.military[0] == 2
    assert state.flipped == 0


def test_the_battle_waits_for_the_end_of_the_turn() -> None:
    state = table(
        ask="draw",
        decks={0: "red2 red0 civ3"},
        flipped=2,
        tokens={0: "propaganda"},
        front={1: "red0"},
    )
    choose(state, "take left")
    assert state.military[0] == 0
    choose(state, "extra propaganda take left")
    # Two shields against one: the extra card counted.
    assert state.military[0] == 2
    assert asked(state) == (1, "draw")


def test_an_option_is_never_offered_twice_and_never_alone() -> None:
    state = table(
        ask=START, tokens={0: "urbanism science", 1: "propaganda"}, decks={0: "wood gear gear civ3"}
    )
    for _ in range(12):
        if asked(state) is None:
            break
        texts = options(state)
        assert len(texts) == len(set(texts)) >= 2
        choose(state, texts[0])


def test_a_card_given_face_down_is_revealed_before_the_draw() -> None:
    state = table(("rome", "giza"), turn=1, ask=START, given=[(1, "wood"), (1, "stone")])
    assert asked(state) == (1, "draw")
    assert front(state, 1) == "wood stone"
    assert given(state) == []
    assert centre(state).split()[0] == "civ3"
