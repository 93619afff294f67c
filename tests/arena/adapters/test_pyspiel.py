"""The games as OpenSpiel's: its own checks, and what the arena adds to them."""

import pickle
from typing import Any

import pytest

from engine.errors import ArenaError, SetupError
from engine.rng import Rng, derive
from tests.support.setups import ROWS, Row

pytestmark = pytest.mark.slow

pyspiel = pytest.importorskip("pyspiel", reason="needs pyspiel")
pytest.importorskip("arena.adapters.pyspiel")

some_rows = pytest.mark.parametrize("row", ROWS[::5], ids=[row.id for row in ROWS[::5]])


def load(row: Row) -> Any:
    options = {
        key: value if isinstance(value, (str, bool)) else "+".join(value)
        for key, value in row.options.items()
    }
    return pyspiel.load_game(f"python_wonders_{row.game}", {"players": row.players, **options})


def dealt(row: Row, seed: int) -> Any:
    state = load(row).new_initial_state()
    state.apply_action(seed)
    return state


def at_random(state: Any, dice: Rng) -> int:
    legal = state.legal_actions()
    return int(legal[dice.below(len(legal))])


@pytest.mark.parametrize(
    "text",
    [
        "python_wonders_architects(players=2)",
        "python_wonders_architects(players=3,expansions=medals,expert=true,deals=1)",
        "python_wonders_seven",
        "python_wonders_seven(players=4,edition=1st)",
    ],
)
def test_its_random_simulations(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


@some_rows
def test_a_random_game_keeps_the_rules_of_conduct(row: Row) -> None:
    game = load(row)
    state = dealt(row, 3)
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
            assert state.string_to_action(player, text) == index
        state.apply_action(at_random(state, dice))
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == []
    assert state.returns() == state.rewards()
    assert sum(state.returns()) == pytest.approx(game.utility_sum())
    assert max(state.returns()) <= game.max_utility()
    assert min(state.returns()) >= game.min_utility()
    assert len(state.history()) <= game.max_game_length()
    assert str(game.deserialize_state(state.serialize())) == str(state)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


@some_rows
def test_clones_and_children_are_independent(row: Row) -> None:
    state = dealt(row, 1)
    before = str(state), state.history()
    other = state.clone()
    assert str(other) == str(state)
    index = at_random(state, Rng(derive(1, "clone")))
    child = state.child(index)
    other.apply_action(index)
    assert str(other) == str(child) != before[0]
    assert other.history() == child.history() == [1, index]
    assert (str(state), state.history()) == before


@some_rows
def test_the_deal_is_the_only_chance(row: Row) -> None:
    root = load(row).new_initial_state()
    assert root.is_chance_node()
    assert root.chance_outcomes() == [(seed, 1 / 1000) for seed in range(1000)]
    assert root.action_to_string(5) == "deal 5"
    assert root.observation_string(0) == root.information_state_string(0) == ""
    assert not any(root.observation_tensor(0))
    assert str(dealt(row, 5)) == row.deal(5).dump()
    assert str(dealt(row, 1)) != str(dealt(row, 2))
    assert not dealt(row, 1).is_chance_node()


@some_rows
def test_what_is_resampled_looks_the_same_to_the_player(row: Row) -> None:
    state = dealt(row, 2)
    dice = Rng(derive(2, "resample"))
    worlds = set()
    step = 0
    while not state.is_terminal():
        if step % 15 == 3:
            player = state.current_player()
            other = state.resample_from_infostate(player, lambda: dice.below(2**30) / 2**30)
            worlds.add(str(other) != str(state))
            told = state.information_state_string(player)
            assert other.information_state_string(player) == told
            assert other.legal_actions() == state.legal_actions()
            again = load(row).deserialize_state(other.serialize())
            assert str(again) == str(other)
            assert again.information_state_string(player) == told
            while not other.is_terminal():
                other.apply_action(at_random(other, dice))
        state.apply_action(at_random(state, dice))
        step += 1
    assert True in worlds


def test_an_information_state_remembers_in_which_order() -> None:
    ends: dict[str, set[str]] = {}

    def explore(state: Any, depth: int) -> None:
        if depth == 0:
            told = state.information_state_string(0)
            seen = state.observation_string(0)
            assert told.endswith(seen)
            ends.setdefault(seen, set()).add(told)
            return
        for index in state.legal_actions():
            explore(state.child(index), depth - 1)

    explore(dealt(Row("architects", 2), 1), 4)
    assert max(map(len, ends.values())) > 1  # the same table, come about in two ways


@pytest.mark.parametrize("players", [3, 7])
def test_players_who_decide_at_the_same_time_cannot_tell(players: int) -> None:
    state = dealt(Row("seven", players), 4)
    children = [state.child(index) for index in state.legal_actions()]
    for later in range(1, players):
        strings = {child.information_state_string(later) for child in children}
        tensors = {tuple(child.observation_tensor(later)) for child in children}
        assert strings == {state.information_state_string(later)}
        assert tensors == {tuple(state.observation_tensor(later))}
    assert len({child.information_state_string(0) for child in children}) == len(children)


def test_what_cannot_be_done_is_told() -> None:
    state = dealt(Row("architects", 2), 0)
    with pytest.raises(ArenaError, match="legal indices, got 404"):
        state.apply_action(404)
    with pytest.raises(SetupError, match="expected 2 to 7 players"):
        pyspiel.load_game("python_wonders_architects(players=9)")
    with pytest.raises(ArenaError, match="expected 1 to 1000000 deals, got 0"):
        pyspiel.load_game("python_wonders_architects(deals=0)")
