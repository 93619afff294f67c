"""What a seat knows: nothing more than it may, nothing less than it saw."""

import pytest

from engine.errors import HiddenError
from engine.rng import Rng, derive
from tests.support.setups import Row, every_row, states

pytestmark = pytest.mark.slow


@every_row
def test_states_that_differ_only_in_what_is_hidden_give_equal_views(row: Row, many: int) -> None:
    different = 0
    for seed in range(many):
        rng = Rng(derive(seed, "scramble"))
        for state in states(row, seed):
            seat = rng.below(row.players)
            other = row.scramble(state.dump(), seat, rng)
            different += other != state.dump()
            theirs, ours = row.rules.load(other).view(seat), state.view(seat)
            assert theirs.dump() == ours.dump()
            assert theirs.pack() == ours.pack()
    assert different  # else nothing was shown


@every_row
def test_imagining_keeps_the_view_and_everything_public(row: Row, many: int) -> None:
    for seed in range(many):
        rng = Rng(derive(seed, "imagine"))
        for state in states(row, seed):
            seat = rng.below(row.players)
            view = state.view(seat)
            guess = view.clone()
            guess.imagine(rng)
            row.rules.load(guess.dump())  # a whole state: every card is somewhere, once
            assert guess.view(seat).dump() == view.dump()
            assert guess.scores() == state.scores()
            assert (guess.pending() == []) == (state.pending() == [])
            if seat in state.pending():
                assert guess.legal(seat) == view.legal(seat) == state.legal(seat)
                assert guess.prompt(seat) == view.prompt(seat) == state.prompt(seat)


@every_row
def test_what_is_imagined_can_be_played_to_the_end(row: Row, many: int) -> None:
    for seed in range(many):
        rng = Rng(derive(seed, "play on"))
        for number, state in enumerate(states(row, seed)):
            if number % 7:
                continue
            guess = state.view(rng.below(row.players))
            guess.imagine(rng)
            guess.playout(rng)
            assert guess.pending() == []
            row.rules.load(guess.dump())


@every_row
def test_imagining_reaches_more_than_one_world(row: Row) -> None:
    view = row.deal(5).view(0)
    worlds = set()
    for seed in range(20):
        guess = view.clone()
        guess.imagine(Rng(derive(seed, "worlds")))
        worlds.add(guess.dump())
    assert len(worlds) == 20


@every_row
def test_a_view_can_be_dumped_redacted_again_but_not_played(row: Row) -> None:
    for state in states(row, 11):
        for seat in state.pending():
            view = state.view(seat)
            assert row.rules.load(view.dump()).dump() == view.dump()
            assert view.view(seat).dump() == view.dump()
            with pytest.raises(HiddenError):
                view.apply(seat, view.legal(seat)[0])
            with pytest.raises(HiddenError):
                view.playout(Rng(1))
            with pytest.raises(HiddenError):
                view.view((seat + 1) % row.players)
            assert view.dump() == state.view(seat).dump()


@every_row
def test_imagining_a_whole_state_changes_nothing(row: Row) -> None:
    state = row.deal(2)
    before = state.dump()
    state.imagine(Rng(derive(2, "whole")))
    assert state.dump() == before


@every_row
def test_chance_to_come_is_not_in_a_view(row: Row) -> None:
    state = row.deal(4)
    state.journal = []
    state.script = [[1, 2]]
    state.redact(0)
    assert state.viewer == 0
    assert state.journal is None
    assert state.script is None
