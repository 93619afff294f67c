"""One seat as a Gymnasium environment: the other seats are played by chosen bots."""

from __future__ import annotations

import secrets
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from arena.adapters.encoding import Encoding, Mask, Vector, zero_sum_rewards
from arena.adapters.layout import BOUND
from bots.api import Bot, Decision, Seating
from bots.decision import Option, ask_position
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.manifest import Source
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import parse_spec
from engine.catalog import find
from engine.contract import State
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import STATES, derive

_PATIENCE: Final = 3600.0


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A learner among built-in bots, which play in this process.

    An index that is not in the mask loses the game at once: reward -1.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str = "architects",
        opponents: tuple[str, ...] = ("planner",),
        seat: int | None = None,
        edition: str | None = None,
        expansions: tuple[str, ...] = (),
        expert: bool = False,
    ) -> None:
        self.game = find(game)
        self.players = len(opponents) + 1
        self.opponents = opponents
        self.fixed = seat
        self.render_mode = None
        if seat is not None and not 0 <= seat < self.players:
            raise ArenaError(f"expected a seat from 0 to {self.players - 1}, got {seat}")
        self.encoding = Encoding(
            self.game, self.players, Variant(game, edition, expansions, expert)
        )
        for spec in opponents:
            _make(spec)  # refused now rather than at a reset
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-BOUND, BOUND, (self.encoding.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.encoding.actions),), np.int8),
            }
        )
        self.action_space = spaces.Discrete(len(self.encoding.actions))
        self.seat = 0
        self._state: State | None = None
        self._bots: dict[int, Bot] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal what the seed deals in the arena; the seat is the learner's, or by lot."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(STATES // 2)) or secrets.randbelow(STATES // 2)
        self.seat = derive(seed, "seat") % self.players if self.fixed is None else self.fixed
        setup = self.game.setup(self.players, seed, (), self.encoding.variant)
        self._state = self.game.deal(setup, seed)
        others = [seat for seat in range(self.players) if seat != self.seat]
        self._bots = {seat: _make(spec) for seat, spec in zip(others, self.opponents, strict=True)}
        for seat, bot in self._bots.items():
            bot.start(Seating(self.game, setup, seat, derive(seed, f"bot {seat}")))
        self._play_others()
        return self._observe(), {"seat": self.seat}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take the learner's answer; the others play on until it is asked again."""
        state = self._table()
        if int(action) not in self.encoding.legal(state, self.seat):
            return self._observe(), -1.0, True, False, {"illegal": int(action)}
        own = self.encoding.actions[int(action)]
        answers = {seat: self._ask(state, seat) for seat in state.pending() if seat != self.seat}
        for seat in state.pending():
            state.apply(seat, own if seat == self.seat else answers[seat])
        self._play_others()
        if state.pending():
            return self._observe(), 0.0, False, False, {}
        ranks = state.ranks()
        reward = zero_sum_rewards(ranks)[self.seat]
        told = {"rank": ranks[self.seat] + 1, "points": state.scores()[self.seat]}
        return self._observe(), reward, True, False, told

    def _table(self) -> State:
        if self._state is None:
            raise ArenaError("expected reset before anything else, got no table yet")
        return self._state

    def _play_others(self) -> None:
        state = self._table()
        while (asked := state.pending()) and self.seat not in asked:
            answers = [self._ask(state, seat) for seat in asked]
            for seat, action in zip(asked, answers, strict=True):
                state.apply(seat, action)

    def _ask(self, state: State, seat: int) -> int:
        decision: Decision = ask_position(self.game, state, seat, state.legal(seat), _PATIENCE)
        answer = self._bots[seat].decide(decision)
        option = decision.option(answer) if isinstance(answer, str) else answer
        assert isinstance(option, Option)
        return option.action

    def _observe(self) -> dict[str, Vector | Mask]:
        state = self._table()
        return {
            "observation": self.encoding.observe(state.view(self.seat)),
            "action_mask": self.encoding.mask(state, self.seat),
        }


def _make(name: str) -> Bot:
    """A built-in bot by its spec; ArenaError for any other, which runs in a sandbox."""
    spec = parse_spec(name)
    manifest = read_manifest(spec)
    if manifest.source is not Source.HOUSE:
        raise ArenaError(f"expected a built-in bot as opponent, got {name}")
    return make_bot(manifest.name, find_maker(manifest), dict(spec.params))
