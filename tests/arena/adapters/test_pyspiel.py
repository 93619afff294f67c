"""Where OpenSpiel is installed: its own checks of a game, run over ours."""

import copy
from typing import Any

import pytest

from arena.adapters.openspiel import SpielGame, SpielState
from engine.rng import Rng, derive

pytestmark = pytest.mark.slow

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

SETUPS: list[dict[str, Any]] = [
    {"game": "architects", "players": 2},
    {"game": "architects", "players": 5, "expansions": ("medals",), "expert": True},
    {"game": "seven", "players": 3},
    {"game": "seven", "players": 4, "edition": "1st"},
]


def game_type(name: str, players: int) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={},
    )


class Observer:
    """How OpenSpiel asks for tensors and strings."""

    def __init__(self, game: SpielGame, recall: bool) -> None:
        self.tensor = copy.copy(game.new_initial_state().observation_tensor(0))
        self.dict = {"observation": self.tensor}
        self.recall = recall

    def set_from(self, state: "State", player: int) -> None:
        self.tensor[:] = state.ours.observation_tensor(player)

    def string_from(self, state: "State", player: int) -> str:
        ours = state.ours
        if self.recall:
            return ours.information_state_string(player)
        return ours.observation_string(player)


class Game(pyspiel.Game):  # type: ignore[misc, name-defined]
    def __init__(self, ours: SpielGame, name: str) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=ours.num_distinct_actions(),
            max_chance_outcomes=ours.max_chance_outcomes(),
            num_players=ours.num_players(),
            min_utility=ours.min_utility(),
            max_utility=ours.max_utility(),
            utility_sum=ours.utility_sum(),
            max_game_length=ours.max_game_length(),
        )
        super().__init__(game_type(name, ours.num_players()), info, {})
        self.ours = ours

    def new_initial_state(self) -> "State":
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.ours, bool(iig_obs_type and iig_obs_type.perfect_recall))


class State(pyspiel.State):  # type: ignore[misc, name-defined]
    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.ours: SpielState = game.ours.new_initial_state()

    def current_player(self) -> int:
        return self.ours.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.ours.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.ours.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.ours.action_to_string(player, action)

    def is_terminal(self) -> bool:
        return self.ours.is_terminal()

    def returns(self) -> list[float]:
        return self.ours.returns()

    def __str__(self) -> str:
        return str(self.ours)


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: "-".join(map(str, setup.values())))
def test_its_random_simulations(setup: dict[str, Any]) -> None:
    name = f"python_{setup['game']}_{setup['players']}"
    game = Game(SpielGame(**setup, seed=3), name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_its_own_state_agrees_with_ours() -> None:
    ours = SpielGame("seven", 3, seed=1)
    theirs = Game(ours, "python_seven").new_initial_state()
    state = ours.new_initial_state()
    dice = Rng(derive(1, "both"))
    while not state.is_terminal():
        assert theirs.legal_actions() == state.legal_actions()
        assert theirs.current_player() == state.current_player()
        assert theirs.legal_actions_mask() == state.legal_actions_mask()
        assert theirs.information_state_string(0) == state.information_state_string(0)
        assert theirs.observation_tensor(1) == state.observation_tensor(1).tolist()
        legal = state.legal_actions()
        choice = legal[dice.below(len(legal))]
        theirs.apply_action(choice)
        state.apply_action(choice)
        assert theirs.history() == state.history()
    assert theirs.is_terminal()
    assert theirs.returns() == state.returns()
