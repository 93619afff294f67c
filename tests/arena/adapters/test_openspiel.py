"""The OpenSpiel-style games: its rules of conduct, kept by every table."""

import copy

import pytest

from arena.adapters.openspiel import TERMINAL, SpielGame, SpielState
from engine.errors import ArenaError
from engine.rng import Rng, derive
from tests.support.setups import Row, every_row

pytestmark = pytest.mark.slow


def game_of(row: Row) -> SpielGame:
    return SpielGame(row.game, row.players, **row.options)


def at_random(state: SpielState, dice: Rng) -> int:
    legal = state.legal_actions()
    return legal[dice.below(len(legal))]


@every_row
def test_a_random_game_keeps_the_rules_of_conduct(row: Row) -> None:
    game = game_of(row)
    state = game.new_initial_state(3)
    dice = Rng(derive(3, "spiel"))
    assert game.num_players() == state.num_players() == row.players
    while not state.is_terminal():
        player = state.current_player()
        legal = state.legal_actions()
        assert not state.is_chance_node()
        assert not state.is_simultaneous_node()
        assert 0 <= player < row.players
        assert legal == sorted(set(legal)) == state.legal_actions(player)
        assert 0 <= legal[0] <= legal[-1] < game.num_distinct_actions()
        assert [at for at, one in enumerate(state.legal_actions_mask()) if one] == legal
        assert state.legal_actions((player + 1) % row.players) == []
        assert state.returns() == [0.0] * row.players
        for index in legal:
            text = state.action_to_string(player, index)
            assert state.action_to_string(index) == text
            assert state.string_to_action(text) == index
        state.apply_action(at_random(state, dice))
    assert state.current_player() == TERMINAL
    assert state.legal_actions() == []
    assert state.returns() == state.rewards()
    assert sum(state.returns()) == pytest.approx(game.utility_sum())
    assert max(state.returns()) <= game.max_utility()
    assert min(state.returns()) >= game.min_utility()
    assert len(state.history()) <= game.max_game_length()
    assert state.full_history()[0] == (0, state.history()[0])
    assert str(game.deserialize_state(state.serialize())) == str(state)


@every_row
def test_clones_and_children_are_independent(row: Row) -> None:
    state = game_of(row).new_initial_state(1)
    before = str(state), state.history()
    dice = Rng(derive(1, "clone"))
    other = copy.deepcopy(state)
    assert str(other) == str(state.clone()) == str(state)
    index = at_random(state, dice)
    child = state.child(index)
    other.apply_action(index)
    assert str(other) == str(child)
    assert other.history() == child.history() == [index]
    assert (str(state), state.history()) == before


@every_row
def test_the_seed_is_the_only_chance(row: Row) -> None:
    game = game_of(row)
    assert str(game.new_initial_state()) == str(game.new_initial_state(0))
    assert str(game.new_initial_state(1)) != str(game.new_initial_state(2))
    assert str(game.new_initial_state(5)) == row.deal(5).dump()
    with pytest.raises(ArenaError, match="chance is its seed"):
        game.new_initial_state().chance_outcomes()


@every_row
def test_what_is_resampled_looks_the_same_to_the_player(row: Row) -> None:
    state = game_of(row).new_initial_state(2)
    dice = Rng(derive(2, "resample"))
    worlds = set()
    step = 0
    while not state.is_terminal():
        if step % 15 == 3:
            player = state.current_player()
            other = state.resample_from_infostate(player, step)
            worlds.add(str(other) != str(state))
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions()
            with pytest.raises(ArenaError, match="that was resampled"):
                other.serialize()
            while not other.is_terminal():
                other.apply_action(at_random(other, dice))
            assert len(other.information_state_string(player)) > 0
        state.apply_action(at_random(state, dice))
        step += 1
    assert True in worlds


def test_an_information_state_remembers_in_which_order() -> None:
    ends: dict[str, set[str]] = {}

    def explore(state: SpielState, depth: int) -> None:
        if depth == 0:
            told = state.information_state_string(0)
            seen = state.observation_string(0)
            assert told.endswith(seen)
            ends.setdefault(seen, set()).add(told)
            return
        for index in state.legal_actions():
            explore(state.child(index), depth - 1)

    explore(SpielGame("architects", 2).new_initial_state(1), 4)
    assert max(map(len, ends.values())) > 1  # the same table, come about in two ways


@pytest.mark.parametrize("players", [3, 7])
def test_players_who_decide_at_the_same_time_cannot_tell(players: int) -> None:
    game = SpielGame("seven", players)
    state = game.new_initial_state(4)
    for later in range(1, players):
        strings = {state.child(i).information_state_string(later) for i in state.legal_actions()}
        tensors = {
            state.child(i).observation_tensor(later).tobytes() for i in state.legal_actions()
        }
        assert strings == {state.information_state_string(later)}
        assert tensors == {state.observation_tensor(later).tobytes()}
    own = {state.child(i).information_state_string(0) for i in state.legal_actions()}
    assert len(own) == len(state.legal_actions())


def test_what_cannot_be_done_is_told() -> None:
    state = SpielGame("architects", 2).new_initial_state()
    with pytest.raises(ArenaError, match="legal indices, got 404"):
        state.apply_action(404)
    with pytest.raises(ArenaError, match="expected apply_action"):
        state.apply_actions([0, 1])
    with pytest.raises(ArenaError, match="expected a seed and choices as numbers"):
        SpielGame().deserialize_state("one two")
    with pytest.raises(ArenaError, match="expected 2 to 7 players"):
        SpielGame("architects", 9)
