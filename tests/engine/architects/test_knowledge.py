"""Who knows what: a view keeps what its seat saw and hides the rest."""

from typing import Any

import pytest

from engine.architects.game import ARCHITECTS, ArchitectsState
from engine.errors import HiddenError
from engine.match import Variant
from engine.rng import Rng, derive

from .table import (
    START,
    asked,
    centre,
    choose,
    deck,
    face_up,
    front,
    given,
    knows,
    options,
    stack,
    table,
    tokens,
)
from .table import view as table_view

THREE = ("giza", "rhodes", "olympia")


def know(state: ArchitectsState) -> str:
    """What every seat knows of the centre's top, in seat order."""
    return " ".join(knows(state, seat) for seat in range(state.players))


@pytest.mark.parametrize(
    ("cat", "tokens_by_seat", "turn", "expected"),
    [
        (-1, {}, 0, "? ? ?"),
        (0, {}, 0, "red2 ? ?"),
        (0, {}, 1, "? ? ?"),
        (1, {}, 1, "? red2 ?"),
        (-1, {2: "domestication"}, 2, "? ? red2"),
        (-1, {2: "domestication"}, 0, "? ? ?"),
        (1, {2: "domestication"}, 2, "? ? red2"),
        (2, {2: "domestication"}, 2, "? ? red2"),
    ],
    ids=[
        "nobody has the Cat",
        "the Cat of the seat",
        "the Cat of another",
        "the Cat of seat 1",
        "Domestication",
        "Domestication of another",
        "Domestication beside another's Cat",
        "both",
    ],
)
def test_the_cat_and_domestication_look_at_the_start_of_a_turn(
    cat: int, tokens_by_seat: dict[int, str], turn: int, expected: str
) -> None:
    state = table(
        THREE, turn, START, tokens=tokens_by_seat, cat=cat, centre="red2 gear civ3", medals={}
    )
    assert know(state) == expected


def test_what_was_seen_is_known_until_it_is_taken() -> None:
    state = table(THREE, ask=START, cat=0, centre="red2 gear civ3")
    choose(state, "take left")
    assert asked(state) == (1, "draw")
    assert know(state) == "red2 ? ?"
    choose(state, "take left")
    assert know(state) == "red2 ? ?"
    choose(state, "take centre")
    # Seat 2 took it; seat 0, whose turn it is again, looks at the next.
    assert asked(state) == (0, "draw")
    assert know(state) == "gear ? ?"


def test_taking_the_card_ends_the_knowledge_of_all() -> None:
    state = table(
        THREE, ask=START, cat=0, tokens={1: "domestication"}, centre="red0 gear civ3", medals={}
    )
    choose(state, "take left")
    assert know(state) == "red0 red0 ?"
    choose(state, "take centre")
    assert asked(state) == (2, "draw")
    assert know(state) == "? ? ?"


def test_whoever_loses_the_cat_still_knows_what_it_saw() -> None:
    state = table(THREE, ask=START, cat=0, centre="red2 gear civ3", decks={1: "civ2cat civ3"})
    choose(state, "take left", "take left")
    assert state.cat == 1
    assert asked(state) == (2, "draw")
    assert know(state) == "red2 ? ?"


def test_the_cat_taken_in_a_turn_looks_on_the_next_turn_only() -> None:
    state = table(ask=START, centre="red2 gear civ3", decks={0: "civ2cat civ3 civ3"})
    choose(state, "take left")
    assert asked(state) == (1, "draw")
    assert know(state) == "? ?"
    choose(state, "take left")
    assert know(state) == "red2 ?"


def test_the_cat_looks_once_a_turn() -> None:
    state = table(ask=START, cat=0, tokens={0: "jewellery"}, centre="coin gear civ3")
    choose(state, "take centre")
    # An extra card may come from the centre, unseen this time.
    assert "extra jewellery take centre" in options(state)
    assert know(state) == "? ?"


def test_a_cat_revealed_at_the_start_of_the_turn_looks_at_once() -> None:
    state = table(("rome", "giza"), turn=1, ask=START, given=[(1, "civ2cat")], centre="red2 civ3")
    assert state.cat == 1
    assert know(state) == "? red2"


def test_ur_looks_before_its_second_draw() -> None:
    state = table(
        ("ur", "giza"),
        front={0: "wood wood clay clay"},
        built={0: (1,)},
        centre="red2 civ3",
    )
    assert know(state) == "? ?"
    choose(state, "build 2 with wood+wood")
    assert asked(state) == (0, "draw")
    assert know(state) == "red2 ?"
    choose(state, "take left")
    assert know(state) == "red2 ?"


@pytest.mark.parametrize(("wonder", "effect"), [("ephesus", []), ("alexandria", ["take centre"])])
def test_a_card_taken_by_an_effect_is_no_longer_the_top(wonder: str, effect: list[str]) -> None:
    state = table(
        (wonder, "giza"),
        front={0: "wood wood clay clay"},
        built={0: (1,)},
        centre="red0 gear civ3",
        peeked=[1],
    )
    assert know(state) == "? red0"
    choose(state, "build 2 with wood+wood", *effect)
    assert know(state) == "? ?"


def test_an_empty_centre_shows_nothing() -> None:
    state = table(ask=START, cat=0, centre="")
    assert centre(table_view(state, 0)) == ""
    assert state.peeked == 0


# Views

OPEN = table(
    THREE,
    ask="draw",
    front={0: "wood red1", 2: "gear"},
    tokens={1: "decor"},
    decks={0: "wood stone clay", 1: "gear red2", 2: "coin"},
    centre="red0 civ3 papyrus",
    face_up="culture culture tactics",
    stack="economy science",
    medals={0: "blue3"},
    given=[(1, "glass")],
    cat=2,
    military={1: 2},
    flipped=1,
)


@pytest.mark.parametrize("seat", range(3))
def test_a_view_shows_what_lies_open_and_hides_the_rest(seat: int) -> None:
    view = table_view(OPEN, seat)
    assert view.viewer == seat
    assert [deck(view, at) for at in range(4)] == ["wood ? ?", "gear ?", "coin", "? ? ?"]
    assert face_up(view) == ["culture", "culture", "tactics"]
    assert stack(view) == ["?", "?"]
    assert given(view) == [(1, "?")]
    assert [front(view, at) for at in range(3)] == ["wood red1", "", "gear"]
    assert tokens(view, 1) == ["decor"]
    assert (view.cat, view.military[1], view.flipped) == (2, 2, 1)
    assert list(view.medal) == list(OPEN.medal)
    assert options(view) == options(OPEN)
    assert view.chance == 0


def test_making_a_view_leaves_the_state_as_it_is() -> None:
    before = OPEN.dump()
    OPEN.view(1)
    assert OPEN.dump() == before


@pytest.mark.parametrize("seat", range(3))
def test_states_that_differ_in_hidden_things_alone_give_equal_views(seat: int) -> None:
    one: dict[str, Any] = {
        "centre": "red2 gear civ3 wood",
        "stack": "decor tactics economy",
        "given": [(1, "coin")],
    }
    other: dict[str, Any] = {
        "centre": "coin wood gear civ3",
        "stack": "economy decor tactics",
        "given": [(1, "red2")],
    }
    one["decks"] = {0: "wood stone clay", 1: "gear red2 coin"}
    other["decks"] = {0: "wood clay stone", 1: "gear coin red2"}
    views = []
    for chance, hidden in enumerate((one, other)):
        state = table(("rome", "giza", "rhodes"), ask="draw", face_up="culture", **hidden)
        state.chance = derive(chance, "deal")
        views.append(table_view(state, seat).dump())
    assert views[0] == views[1]


def test_the_cards_halicarnassus_looks_through_are_open_to_all() -> None:
    state = table(
        ("halicarnassus", "giza", "rhodes"),
        front={0: "wood wood clay clay"},
        built={0: (1,)},
        decks={0: "gear red1 coin civ3 glass stone papyrus", 2: "red0 wood"},
    )
    choose(state, "build 2 with wood+wood", "look left")
    for seat in range(3):
        view = table_view(state, seat)
        assert deck(view, 0) == "gear red1 coin civ3 glass ? ?"
        assert deck(view, 2) == "red0 ?"
        assert options(view) == options(state)
    choose(state, "keep gear")
    for seat in range(3):
        assert deck(table_view(state, seat), 0).split()[1:] == ["?"] * 5


def test_before_a_side_is_chosen_only_the_tops_are_open() -> None:
    state = table(
        ("halicarnassus", "giza", "rhodes"), ask="side", decks={0: "gear red1 coin", 2: "red0 wood"}
    )
    view = table_view(state, 0)
    assert (deck(view, 0), deck(view, 2)) == ("gear ? ?", "red0 ?")


def rome(peeked: list[int]) -> ArchitectsState:
    """Rome has just taken a card of seat 2, who got the gear face down."""
    state = table(
        ("rome", "giza", "rhodes"),
        front={0: "wood wood clay clay", 2: "civ3 red0"},
        built={0: (1, 3)},
        centre="gear coin civ3",
        peeked=peeked,
    )
    return choose(state, "build 2 with wood+wood", "steal 2 red0")


@pytest.mark.parametrize("peeked", [[], [0], [1], [2], [0, 1], [0, 1, 2]], ids=str)
def test_a_face_down_card_is_known_to_those_who_had_seen_it(peeked: list[int]) -> None:
    state = rome(peeked)
    assert given(state) == [(2, "gear")]
    for seat in range(3):
        assert given(table_view(state, seat)) == [(2, "gear" if seat in peeked else "?")]
        assert centre(table_view(state, seat)) == "? ?"


def test_a_face_down_card_once_revealed_is_open() -> None:
    state = rome([])
    choose(state, "take left")
    assert asked(state) == (2, "draw")
    assert front(table_view(state, 0), 2) == "civ3 gear"


# Playing on from a view


def test_a_view_is_not_played_on() -> None:
    view = table_view(OPEN, 0)
    with pytest.raises(HiddenError) as caught:
        view.apply(0, view.legal(0)[0])
    assert "\n" not in str(caught.value)


def games() -> list[ArchitectsState]:
    """Positions of real games, with what hides and what was seen in them."""
    found = []
    for seed in range(6):
        players = 2 + seed
        wonders = ("rome", "ur", "halicarnassus", "giza", "babylon", "ephesus", "rhodes")[:players]
        variant = Variant("architects", None, ("medals",), seed % 2 == 0)
        setup = ARCHITECTS.setup(players, seed, wonders, variant)
        state = ARCHITECTS.deal(setup, seed)
        dice = Rng(derive(seed, "dice"))
        for step in range(200):
            if not state.pending():
                break
            if step % 20 == 19:
                found.append(state.clone())
            actions = state.legal(state.turn)
            state.apply(state.turn, actions[dice.below(len(actions))])
    return found


GAMES = games()


def test_the_games_hold_what_is_worth_hiding() -> None:
    assert any(given(state) for state in GAMES)
    assert any(state.peeked for state in GAMES)
    assert any(state.cat >= 0 for state in GAMES)


def test_what_is_imagined_agrees_with_what_is_known() -> None:
    for at, state in enumerate(GAMES):
        for seat in range(state.players):
            view = table_view(state, seat)
            guess = view.clone()
            guess.imagine(Rng(derive(at, "guess")))
            assert guess.viewer == -1
            assert "?" not in deck(guess, state.players)
            assert guess.view(seat).dump() == view.dump()
            assert sorted(stack(guess)) == sorted(stack(state))
            # A deck holds the cards it holds; those of the centre may lie face down with a seat.
            for place in range(state.players):
                assert sorted(deck(guess, place).split()) == sorted(deck(state, place).split())
            assert hidden(guess) == hidden(state)


def hidden(state: ArchitectsState) -> list[str]:
    """The cards of the centre and those face down, together."""
    return sorted([*centre(state).split(), *[kind for _, kind in given(state)]])


def test_two_imaginations_differ() -> None:
    view = table_view(GAMES[0], 0)
    guesses = set()
    for seed in range(4):
        guess = view.clone()
        guess.imagine(Rng(derive(seed, "guess")))
        guesses.add(centre(guess))
    assert len(guesses) == 4
