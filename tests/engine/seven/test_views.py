"""What a seat remembers and what it does not, and guesses that keep to it."""

import json

import pytest

import engine
from engine.errors import HiddenError
from engine.match import Variant
from engine.rng import Rng, derive
from engine.seven.components.lookup import AGES, CARD_IDS, HAND, HIDDEN, NONE
from engine.seven.game import SEVEN, SevenState
from engine.seven.knowledge.redact import remembered
from engine.seven.state import CARD, ENTRY, KIND, MIXED, entries, hand_at
from tests.engine.seven import hidden
from tests.engine.seven.table import view as table_view

pytestmark = pytest.mark.slow

TABLES = [(edition, players) for edition in ("1st", "2nd") for players in range(3, 8)]
tables = pytest.mark.parametrize(("edition", "players"), TABLES)


def game(edition: str, players: int, seed: int) -> list[SevenState]:
    """Every decision of a random game, and its end."""
    state = SEVEN.deal(SEVEN.setup(players, seed, (), Variant("seven", edition)), seed)
    dice = Rng(derive(seed, "game"))
    found = []
    while seats := state.pending():
        for seat in seats:
            found.append(state.clone())
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])
    return [*found, state]


@tables
def test_tables_that_differ_only_in_what_is_hidden_give_equal_views(
    edition: str, players: int
) -> None:
    different = 0
    rng = Rng(derive(players, "scramble"))
    for seed in range(20 if engine.COMPILED else 1):
        for state in game(edition, players, seed):
            seat = rng.below(players)
            other = hidden.scramble(state.dump(), seat, rng)
            different += other != state.dump()
            assert SEVEN.load(other).view(seat).dump() == state.view(seat).dump()
    assert different > 20


@tables
def test_a_view_knows_what_is_true(edition: str, players: int) -> None:
    for state in game(edition, players, 3)[:: 1 if engine.COMPILED else 5]:
        for seat in range(players):
            view = table_view(state, seat)
            check_truth(state, view)
            hand = hand_at(players, state.age, state.turn, seat) * HAND
            if state.phase == 0:
                assert list(view.hands[hand : hand + HAND]) == list(state.hands[hand : hand + HAND])
                assert view.legal(seat) == state.legal(seat)


def check_truth(state: SevenState, view: SevenState) -> None:
    for entry in range(entries(state)):
        at = entry * ENTRY
        if not view.log[at + KIND] & MIXED and view.log[at + CARD] != HIDDEN:
            assert view.log[at + CARD] == state.log[at + CARD]
    for start in range(0, AGES * state.players * HAND, HAND):
        known = [c for c in view.dealt[start : start + HAND] if c != HIDDEN]
        dealt = list(state.dealt[start : start + HAND])
        for card in known:
            dealt.remove(card)


def test_a_hand_passed_on_is_remembered_less_what_is_built_from_it() -> None:
    state = SEVEN.deal(SEVEN.setup(4, 9, (), Variant("seven", "2nd")), 9)
    held = [CARD_IDS[card] for card in state.hands[:HAND]]
    for turn in range(3):
        for seat in state.pending():
            # Seat 1 sells what it gets of seat 0, the others build what they can.
            verb = "sell" if seat == 1 and turn == 1 else "build"
            texts = [SEVEN.text(action) for action in state.legal(seat)]
            move = next((t for t in texts if t.split()[0] == verb), texts[0])
            if turn == 0 and seat == 0:
                held.remove(next(id for id in held if id.startswith(move.split()[1])))
            state.apply(seat, SEVEN.parse(move))
    view = table_view(state, 0)
    known = [CARD_IDS[card] for card in remembered(view, 0, 0) if card < NONE]
    left = [CARD_IDS[card] for card in state.hands[:HAND] if card < NONE]
    assert set(left) < set(known) < set(held)
    assert len(known) == len(left) + 1  # the card that was sold


def test_whoever_looks_through_the_pile_remembers_it() -> None:
    found = 0
    for seed in range(40):
        setup = SEVEN.setup(
            3, 1, ("halikarnassos:night", "gizah:day", "rhodos:day"), Variant("seven", "2nd")
        )
        state = SEVEN.deal(setup, seed)
        dice = Rng(derive(seed, "pile"))
        while seats := state.pending():
            for seat in seats:
                if SEVEN.prompts[state.prompt(seat)] == "revive":
                    found += 1
                    view = table_view(state, 0)
                    assert view.legal(0) == state.legal(0)
                    assert view.peeked == entries(state)
                    with pytest.raises(HiddenError):
                        state.view(1).legal(0)
                options = state.legal(seat)
                state.apply(seat, options[dice.below(len(options))])
        view = table_view(state, 0)
        for entry in range(view.peeked):
            if state.log[entry * ENTRY + KIND] in (3, 4):
                assert view.log[entry * ENTRY + CARD] == state.log[entry * ENTRY + CARD]
    assert found > 5


@tables
def test_guesses_are_whole_tables_that_look_the_same(edition: str, players: int) -> None:
    rng = Rng(derive(players, "guess"))
    for seed in range(10 if engine.COMPILED else 1):
        for state in game(edition, players, 50 + seed)[:: 1 if engine.COMPILED else 4]:
            seat = rng.below(players)
            view = table_view(state, seat)
            guess = view.clone()
            guess.imagine(rng)
            assert SEVEN.load(guess.dump()).dump() == guess.dump()
            assert guess.view(seat).dump() == view.dump()
            guess.playout(rng)
            assert guess.pending() == []


def test_commits_of_others_are_hidden_even_where_they_are_forced() -> None:
    state = SEVEN.deal(SEVEN.setup(5, 2, (), Variant("seven", "2nd")), 2)
    for seat in (1, 3):
        state.apply(seat, state.legal(seat)[0])
    view = table_view(state, 1)
    assert json.loads(view.dump())["commits"][1] >= 0
    assert [json.loads(view.dump())["commits"][seat] for seat in (0, 2, 3, 4)] == [-1] * 4
    assert view.pending() == [0, 2, 3, 4]


def test_a_view_of_one_seat_is_not_that_of_another() -> None:
    view = SEVEN.deal(SEVEN.setup(3, 2), 2).view(1)
    with pytest.raises(HiddenError):
        view.redact(2)
    with pytest.raises(HiddenError):
        view.legal(0)
    with pytest.raises(HiddenError):
        view.playout(Rng(1))
    with pytest.raises(HiddenError):
        SEVEN.deal_facts(view)
