"""One table for learners: what it deals, what its seats see and may choose, what they earn."""

from __future__ import annotations

import secrets
from typing import Any, TypedDict

from arena.adapters.encoding import Encoding, Mask, Vector, zero_sum_rewards
from arena.display import display_of
from arena.reports import terminal
from engine.catalog import find
from engine.contract import Seat, State
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import STATES


class Observation(TypedDict):
    """What an agent is shown: what its seat knows, and which indices it may choose."""

    observation: Vector
    action_mask: Mask


class LearnersTable:
    """A set-up and the position on it; `deal(7)` deals what the arena deals with seed 7."""

    def __init__(
        self,
        game: str,
        players: int | None,
        wonders: tuple[str, ...] = (),
        edition: str | None = None,
        expansions: tuple[str, ...] = (),
        expert: bool = False,
    ) -> None:
        self.game = find(game)
        self.players = self.game.players.start if players is None else players
        self.variant = Variant(game, edition, expansions, expert)
        self.wonders = wonders
        # Refused now rather than at a deal.
        self.game.setup(self.players, 0, wonders, self.variant)
        self.encoding = Encoding(self.game, self.players, self.variant)
        self.agents = [f"seat_{seat}" for seat in range(self.players)]
        self.seed = secrets.randbelow(STATES // 2)
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The whole position, hidden cards and all."""
        if self._state is None:
            raise ArenaError("expected reset before anything else, got no table yet")
        return self._state

    def deal(self, seed: int | None) -> None:
        """Deal what the seed says, or what the one after the last seed says."""
        self.seed = self.seed + 1 if seed is None else seed
        setup = self.game.setup(self.players, self.seed, self.wonders, self.variant)
        self._state = self.game.deal(setup, self.seed)

    def see(self, seat: Seat) -> Vector:
        """What the seat knows."""
        return self.encoding.observe(self.state.view(seat))

    def rewards(self) -> dict[str, float]:
        """What every agent earned, once the game is over; nothing before."""
        if self.state.pending():
            return dict.fromkeys(self.agents, 0.0)
        return dict(zip(self.agents, zero_sum_rewards(self.state.ranks()), strict=True))

    def infos(self) -> dict[str, dict[str, Any]]:
        """How the game ended for every agent; empty before, as points tell what is hidden."""
        if self.state.pending():
            return {agent: {} for agent in self.agents}
        sheets, ranks = self.game.score_sheet(self.state), self.state.ranks()
        return {
            agent: {"points": sheet["total"], "rank": ranks[seat] + 1, "score_sheet": sheet}
            for seat, (agent, sheet) in enumerate(zip(self.agents, sheets, strict=True))
        }

    def render(self, mode: str | None) -> str | None:
        """The table as an onlooker sees it: printed, or as text."""
        console = terminal.console()
        scene = display_of(self.game.id).scene(self.state, "en")
        picture = terminal.render_scene(scene, tuple(self.agents))
        if mode == "human":
            console.print(picture)
            return None
        with console.capture() as text:
            console.print(picture)
        return text.get()
