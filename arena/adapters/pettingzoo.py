"""Both games as PettingZoo environments: seats asked one after the other, or all at once."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from arena.adapters.encoding import Encoding
from arena.adapters.layout import BOUND
from arena.adapters.table import LearnersTable, Observation
from engine.contract import State
from engine.errors import ArenaError

RENDER_MODES: Final = ("human", "ansi")

Environment: TypeAlias = AECEnv[str, Observation, int | None]
ParallelEnvironment: TypeAlias = ParallelEnv[str, Observation, int]


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
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.render_mode = _known(render_mode)
        self.learners = LearnersTable(game, players, **setup)
        self.possible_agents = list(self.learners.agents)
        self.agents: list[str] = []
        size = len(self.encoding.actions)
        self._spaces = {agent: _spaces(self.encoding, size) for agent in self.possible_agents}

    @property
    def encoding(self) -> Encoding:
        """How views and actions are told in numbers."""
        return self.learners.encoding

    @property
    def seed(self) -> int:
        """Of the deal on the table."""
        return self.learners.seed

    @property
    def table(self) -> State:
        """The whole position, hidden cards and all."""
        return self.learners.state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: what the seed says, or what the one after the last seed says."""
        self.learners.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = self.learners.rewards()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self.learners.infos()
        self._skip_agent_selection = None  # type: ignore[assignment] # as PettingZoo leaves it
        self.agent_selection = self.possible_agents[self.table.pending()[0]]

    def observe(self, agent: str) -> Observation:
        """What the seat knows; nothing is legal for a seat that is not asked."""
        seat = self.possible_agents.index(agent)
        seen = self.learners.see(seat)
        if agent == self.agent_selection:
            return {"observation": seen, "action_mask": self.encoding.mask(self.table, seat)}
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
            self.rewards = self.learners.rewards()
            self.infos = self.learners.infos()
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table as an onlooker sees it: printed, or as text."""
        return self.learners.render(self.render_mode)


class parallel_env(ParallelEnvironment):  # noqa: N801 - as above
    """One table whose seats answer together: a step is one turn of 7 Wonders.

    The last index of an action space is "wait": the only one for a seat that is not asked.
    """

    metadata: dict[str, Any] = {**raw_env.metadata, "is_parallelizable": True}  # noqa: RUF012

    def __init__(
        self,
        game: str = "seven",
        players: int | None = None,
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        self.render_mode = _known(render_mode)
        self.learners = LearnersTable(game, players, **setup)
        self.wait = len(self.learners.encoding.actions)
        self.possible_agents = list(self.learners.agents)
        self.agents: list[str] = []
        code = self.learners.encoding
        self._spaces = {agent: _spaces(code, self.wait + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent][1]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal: what the seed says, or what the one after the last seed says."""
        self.learners.deal(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self.learners.infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the answers of all seats that are asked; ArenaError if one is not legal."""
        state = self.learners.state
        asked = state.pending()
        chosen = [self._choice(seat, actions) for seat in asked]
        for seat, action in zip(asked, chosen, strict=True):
            state.apply(seat, action)
        over = not state.pending()
        agents = self.possible_agents
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(),
            self.learners.rewards(),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            self.learners.infos(),
        )

    def _choice(self, seat: int, actions: dict[str, int]) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise ArenaError(f"expected an action of {agent}, which is asked, got none")
        return self.learners.encoding.choice(self.learners.state, seat, actions[agent])

    def _observations(self) -> dict[str, Observation]:
        state, code = self.learners.state, self.learners.encoding
        asked = state.pending()
        seen: dict[str, Observation] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = np.append(code.mask(state, seat), np.int8(seat not in asked))
            seen[agent] = {"observation": self.learners.see(seat), "action_mask": mask}
        return seen

    def render(self) -> str | None:
        """The table as an onlooker sees it: printed, or as text."""
        return self.learners.render(self.render_mode)


def _known(render_mode: str | None) -> str | None:
    if render_mode not in (None, *RENDER_MODES):
        raise ArenaError(f"expected a render mode human or ansi, got {render_mode}")
    return render_mode


def _spaces(code: Encoding, actions: int) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
    """What an agent sees, and what it may choose from."""
    numbers = spaces.Box(-BOUND, BOUND, (code.size,), np.float32)
    mask = spaces.Box(0, 1, (actions,), np.int8)
    seen = spaces.Dict({"observation": numbers, "action_mask": mask})
    return seen, spaces.Discrete(actions)
