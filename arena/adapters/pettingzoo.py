"""Both games as PettingZoo environments: one agent a seat, asked one after the other."""

from __future__ import annotations

import secrets
from typing import Any, Final, TypeAlias, TypedDict

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.adapters.encoding import Encoding, Mask, Vector, zero_sum_rewards
from arena.adapters.layout import BOUND
from arena.display import display_of
from arena.reports import terminal
from engine.catalog import find
from engine.contract import State
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import STATES

RENDER_MODES: Final = ("human", "ansi")


class Observation(TypedDict):
    """What an agent is shown: what its seat knows, and which indices it may choose."""

    observation: Vector
    action_mask: Mask


Environment: TypeAlias = AECEnv[str, Observation, int | None]


def env(game: str = "architects", players: int | None = None, **setup: Any) -> Environment:
    """The environment, with PettingZoo's own check that it is used in order."""
    order: Environment = wrappers.OrderEnforcingWrapper(raw_env(game, players, **setup))
    return order


class raw_env(Environment):  # noqa: N801 - the name PettingZoo's environments have
    """One table. `reset(seed=7)` deals what the arena deals with seed 7; the next reset, seed 8.

    Seats that decide at the same time are asked in seat order; none sees what another has
    chosen before all have.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "wonders_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "architects",
        players: int | None = None,
        wonders: tuple[str, ...] = (),
        edition: str | None = None,
        expansions: tuple[str, ...] = (),
        expert: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if render_mode not in (None, *RENDER_MODES):
            raise ArenaError(f"expected a render mode human or ansi, got {render_mode}")
        self.render_mode = render_mode
        self.game = find(game)
        self.players = self.game.players.start if players is None else players
        self.variant = Variant(game, edition, expansions, expert)
        self._wonders = wonders
        # Refused now rather than at a reset.
        self.game.setup(self.players, 0, wonders, self.variant)
        self.encoding = Encoding(self.game, self.players, self.variant)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        self._action_spaces = {
            agent: spaces.Discrete(len(self.encoding.actions)) for agent in self.possible_agents
        }
        self._observation_spaces = {
            agent: self._new_observation_space() for agent in self.possible_agents
        }
        self.seed = secrets.randbelow(STATES // 2)
        self._table: State | None = None

    def _new_observation_space(self) -> spaces.Dict:
        numbers = spaces.Box(-BOUND, BOUND, (self.encoding.size,), np.float32)
        mask = spaces.Box(0, 1, (len(self.encoding.actions),), np.int8)
        return spaces.Dict({"observation": numbers, "action_mask": mask})

    @property
    def table(self) -> State:
        """The whole position, hidden cards and all."""
        if self._table is None:
            raise ArenaError("expected reset before anything else, got no table yet")
        return self._table

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: what the seed says, or what the one after the last seed says."""
        self.seed = self.seed + 1 if seed is None else seed
        setup = self.game.setup(self.players, self.seed, self._wonders, self.variant)
        self._table = self.game.deal(setup, self.seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment] # as PettingZoo leaves it
        self.agent_selection = self.possible_agents[self.table.pending()[0]]

    def observe(self, agent: str) -> Observation:
        """What the seat knows; nothing is legal for a seat that is not asked."""
        table, seat = self.table, self.possible_agents.index(agent)
        seen = self.encoding.observe(table.view(seat))
        if agent == self.agent_selection:
            return {"observation": seen, "action_mask": self.encoding.mask(table, seat)}
        none = np.zeros(len(self.encoding.actions), np.int8)
        return {"observation": seen, "action_mask": none}

    def step(self, action: int | None) -> None:
        """Take the answer of the seat that is asked; ArenaError if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self.possible_agents.index(agent)
        self.table.apply(seat, self.encoding.choice(self.table, seat, action))
        if seats := self.table.pending():
            self.agent_selection = self.possible_agents[seats[0]]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            points = zero_sum_rewards(self.table.ranks())
            self.rewards = dict(zip(self.possible_agents, points, strict=True))
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table as an onlooker sees it: printed, or as text."""
        console = terminal.console()
        picture = terminal.render_scene(
            display_of(self.game.id).scene(self.table, "en"), tuple(self.possible_agents)
        )
        if self.render_mode == "human":
            console.print(picture)
            return None
        with console.capture() as text:
            console.print(picture)
        return text.get()
