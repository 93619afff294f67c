"""Positions as Python objects: copied, pickled, compared, shown, and applied with a check."""

import copy
import pickle

import pytest

from engine.catalog import GAMES, find
from engine.contract import Game, State
from engine.errors import HiddenError, IllegalActionError
from engine.rng import Rng


def midgame(game: Game, decisions: int = 20) -> State:
    state = game.deal(game.setup(3, seed=1), seed=1)
    for _ in range(decisions):
        seat = state.pending()[0]
        state.apply(seat, state.legal(seat)[-1])
    return state


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@every_game
def test_copies_and_pickles_are_equal_and_go_their_own_way(game: Game) -> None:
    state = midgame(game)
    for position in (state, state.view(1)):
        for again in (
            copy.copy(position),
            copy.deepcopy(position),
            copy.deepcopy([position])[0],
            pickle.loads(pickle.dumps(position)),
        ):
            assert again is not position
            assert again == position
            assert again.dump() == position.dump()
            assert again.viewer == position.viewer
    again = pickle.loads(pickle.dumps(state))
    seat = again.pending()[0]
    again.apply(seat, again.legal(seat)[0])
    assert again != state
    assert state == midgame(game)


@every_game
def test_a_pickled_position_plays_on_alike(game: Game) -> None:
    state = midgame(game)
    again = pickle.loads(pickle.dumps(state))
    for position in (state, again):
        position.playout(Rng(5))
    assert again == state
    assert again.scores() == state.scores()


def test_positions_of_two_games_and_other_things_are_unequal() -> None:
    one, other = (midgame(game) for game in GAMES)
    assert one != other
    assert one != "a position"
    assert one != one.view(0)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)  # it is mutable


@every_game
def test_a_game_is_the_same_object_again(game: Game) -> None:
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is game


def test_the_repr_says_what_it_is() -> None:
    state = midgame(find("seven"))
    assert repr(state) == (
        f"<SevenState: 3 players, seats {state.pending()} to decide, points {state.scores()}>"
    )
    assert "view of seat 2" in repr(state.view(2))
    state.playout(Rng(1))
    assert "over" in repr(state)


@every_game
def test_apply_checked_refuses_what_apply_trusts(game: Game) -> None:
    state = midgame(game)
    before = state.clone()
    seat = state.pending()[0]
    idle = next(other for other in (9, 2, 1, 0) if other not in state.pending())
    with pytest.raises(IllegalActionError, match=f"seat that is asked .*, got {idle}$"):
        state.apply_checked(idle, 0)
    with pytest.raises(IllegalActionError, match="expected a legal action of seat"):
        state.apply_checked(seat, 999_999_999)
    with pytest.raises(HiddenError, match="imagine first"):
        state.view(seat).apply_checked(seat, state.legal(seat)[0])
    with pytest.raises(HiddenError, match="expected a seat below 3, got 9"):
        state.view(9)
    assert state == before
    action = state.legal(seat)[0]
    state.apply_checked(seat, action)
    before.apply(seat, action)
    assert state == before
    state.playout(Rng(1))
    with pytest.raises(IllegalActionError, match="none, as the game is over"):
        state.apply_checked(0, 0)
