"""Views and actions as numbers, the same for every adapter: docs/adapters.md has the tables."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.adapters import architects, seven
from arena.adapters.features import ViewWriter, float32
from engine.contract import Action, Game, Seat, State
from engine.errors import ArenaError, HiddenError, NotationError
from engine.match import Variant

Vector = NDArray[np.float32]
Mask = NDArray[np.int8]

LAYOUTS: Final = {"architects": architects.layout, "seven": seven.layout}


class Encoding:
    """How a table of one game and one size is told in numbers."""

    def __init__(self, game: Game, players: int, variant: Variant | None = None) -> None:
        self.variant = game.setup(players, 0, (), variant).variant
        self.game = game
        self.players = players
        self.layout = LAYOUTS[game.id](players, self.variant.edition)
        self._writer = ViewWriter(self.layout, players)
        self.table_size = self._writer.table_size
        self.seat_size = self._writer.seat_size
        self.size = self._writer.size

    def __reduce__(self) -> tuple[Any, ...]:
        return Encoding, (self.game, self.players, self.variant)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The action of every index."""
        return tuple(self.game.actions(self.variant, self.players))

    @cached_property
    def _indices(self) -> dict[Action, int]:
        return {action: index for index, action in enumerate(self.actions)}

    def index(self, action: Action) -> int:
        """The index of an action; NotationError if this table has no such action."""
        found = self._indices.get(action)
        if found is None:
            raise NotationError(f"expected an action of {self.players} players, got {action}")
        return found

    def legal(self, state: State, seat: Seat) -> list[int]:
        """The indices a seat may choose from, rising; none if it is not asked."""
        if seat not in state.pending():
            return []
        return sorted(self._indices[action] for action in state.legal(seat))

    def mask(self, state: State, seat: Seat) -> Mask:
        """1 for every index the seat may choose."""
        mask = np.zeros(len(self.actions), np.int8)
        mask[self.legal(state, seat)] = 1
        return mask

    def observe(self, view: State) -> Vector:
        """What a view tells: the table, then every seat from the viewer on, clockwise."""
        me = int(view.viewer)
        if me < 0:
            raise HiddenError("expected the view of a seat, got a whole state")
        facts = self.game.facts(view)
        asked = view.prompt(me)
        prompts = self.game.prompts
        facts["prompt"] = prompts[asked] if asked < len(prompts) else None
        facts["seat"] = me
        row = self._writer.write(facts, me)
        return np.frombuffer(float32(row), "<f4").astype(np.float32)

    def labels(self) -> list[str]:
        """What each number of an observation is; `+1` is the seat to the viewer's left."""
        seats = [
            f"+{place} {label}"
            for place in range(self.players)
            for block in self.layout.seat
            for label in block.labels()
        ]
        return [label for block in self.layout.table for label in block.labels()] + seats

    def parts(self, observation: Vector) -> tuple[Vector, Vector]:
        """The numbers of the table, and a row for each seat from the viewer on, clockwise."""
        table, seats = np.split(observation, [self.table_size])
        return table, seats.reshape(self.players, self.seat_size)

    def choice(self, state: State, seat: Seat, index: object) -> Action:
        """The action of an index; ArenaError if the seat may not choose it."""
        legal = self.legal(state, seat)
        if index not in legal:
            raise ArenaError(f"expected one of {len(legal)} legal indices, got {index}")
        return self.actions[legal[legal.index(index)]]


def zero_sum_rewards(ranks: list[int]) -> list[float]:
    """1 for the first, -1 for the last, evenly between; seats that tie share. They sum to 0."""
    last = len(ranks) - 1
    return [1.0 - (2 * rank + ranks.count(rank) - 1) / last for rank in ranks]
