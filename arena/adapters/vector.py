"""Many tables at once as a vector environment of Gymnasium: one sub-environment for each seat."""

from __future__ import annotations

import secrets
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from arena.adapters.lockstep import LockstepTables
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import STATES

_LEAST: Final = -1000
_MOST: Final = 1000


class SeatsVectorEnv(VectorEnv[Any, Any, Any]):
    """`tables` games in lockstep; sub-environment `table * players + seat` is one seat's.

    Seats that are asked at the same time act in the same step, as in PettingZoo's parallel
    environments. `infos["asked"]` tells which sub-environments are asked; what is given for the
    others is not looked at, and their observations stay as they were. A game that ends is followed
    by the next one in the same step.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str = "architects",
        players: int | None = None,
        tables: int = 64,
        edition: str | None = None,
        expansions: tuple[str, ...] = (),
        expert: bool = False,
    ) -> None:
        rules = find(game)
        self.players = rules.players.start if players is None else players
        variant = Variant(game, edition, expansions, expert)
        self.variant = rules.setup(self.players, 0, (), variant).variant
        if tables < 1:
            raise ArenaError(f"expected at least one table, got {tables}")
        self.actions = tuple(rules.actions(self.variant, self.players))
        self.num_envs = tables * self.players
        numbers = spaces.Box(_LEAST, _MOST, (rules.feature_count,), np.int16)
        mask = spaces.Box(0, 1, (len(self.actions),), np.int8)
        self.single_observation_space = spaces.Dict({"observation": numbers, "action_mask": mask})
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._tables = LockstepTables(rules, self.variant, self.players, tables, list(self.actions))
        # Allocated once; every step writes what has changed.
        self._rows = np.zeros((self.num_envs, rules.feature_count), np.int16)
        self._mask = np.zeros((self.num_envs, len(self.actions)), np.int8)
        self._legal: NDArray[np.int32] = np.zeros(0, np.int32)
        self._asked: NDArray[np.int32] = np.zeros(0, np.int32)
        self._never = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal at all tables; the first gets the deal of the seed, the others those after it."""
        if isinstance(seed, list):
            raise ArenaError("expected one seed for all tables, got a list")
        self._tables.deal(secrets.randbelow(STATES // 2) if seed is None else seed)
        return self._observe(), {"asked": self._is_asked()}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Take the actions of all that are asked; ArenaError if one of them is not legal."""
        chosen = np.asarray(actions)[self._asked].astype("<i4")
        self._tables.step(chosen.tobytes())
        rewards = np.frombuffer(self._tables.rewards.getvalue(), "<f4")
        ended = np.frombuffer(self._tables.ended.getvalue(), np.uint8).astype(np.bool_)
        seen = self._observe()
        over = np.repeat(ended, self.players)
        return seen, rewards, over, self._never, {"asked": self._is_asked()}

    def _is_asked(self) -> NDArray[np.bool_]:
        asked = np.zeros(self.num_envs, np.bool_)
        asked[self._asked] = True
        return asked

    def _observe(self) -> dict[str, Any]:
        tables = self._tables
        self._asked = np.frombuffer(tables.asked.getvalue(), "<i4")
        width = self._rows.shape[1]
        self._rows[self._asked] = np.frombuffer(tables.rows.getvalue(), "<i2").reshape(-1, width)
        flat = self._mask.reshape(-1)
        flat[self._legal] = 0
        self._legal = np.frombuffer(tables.legal.getvalue(), "<i4")
        flat[self._legal] = 1
        return {"observation": self._rows, "action_mask": self._mask}
