"""The one source of every suite that runs over all games: to add a game, add its rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.catalog import find
from engine.contract import Game, State
from engine.match import MatchResult, MatchSpec, Variant
from engine.rng import Rng, derive
from tests.engine.architects import hidden as architects_hidden
from tests.engine.seven import hidden as seven_hidden


@dataclass(frozen=True)
class Row:
    """A game, a number of players and a way to set it up."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return "-".join([self.game, str(self.players), *self._words()])

    def _words(self) -> Iterator[str]:
        for key, value in self.options.items():
            yield key if value is True else str(value) if isinstance(value, str) else value[0]

    @property
    def variant(self) -> Variant:
        return Variant(self.game, **self.options)

    @property
    def rules(self) -> Game:
        return find(self.game)

    def spec(self, seed: int) -> MatchSpec:
        setup = self.rules.setup(self.players, seed, (), self.variant)
        return self.rules.spec(setup, seed, ("random",) * self.players)

    def deal(self, seed: int) -> State:
        spec = self.spec(seed)
        return self.rules.deal(spec.setup, seed)

    def scramble(self, dump: str, seat: int, rng: Rng) -> str:
        """Another state that differs only in what the seat cannot see."""
        return HIDDEN[self.game](dump, seat, rng)


MEDALS = {"expansions": ("medals",)}
EXPERT = {"expansions": ("medals",), "expert": True}
TOKENS = {"expansions": ("tokens",)}
ROWS = [
    *(Row("architects", n) for n in range(2, 8)),
    *(Row("architects", n, TOKENS) for n in (2, 5, 7)),
    *(Row("architects", n, options) for options in (MEDALS, EXPERT) for n in range(2, 8)),
    *(Row("seven", n, {"edition": edition}) for edition in ("2nd", "1st") for n in range(3, 8)),
]
HIDDEN: dict[str, Callable[[str, int, Rng], str]] = {
    "architects": architects_hidden.scramble,
    "seven": seven_hidden.scramble,
}

every_row = pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])


def states(row: Row, seed: int) -> Iterator[State]:
    """Every decision of a random game, and its end."""
    state = row.deal(seed)
    dice = Rng(derive(seed, "test"))
    while seats := state.pending():
        yield state
        for seat in seats:
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])
    yield state


def random_match(row: Row, seed: int) -> MatchResult:
    """A whole game of uniformly random decisions."""
    spec = row.spec(seed)
    state = row.deal(seed)
    dice = Rng(derive(seed, "test"))
    decisions = []
    while seats := state.pending():
        for seat in seats:
            options = state.legal(seat)
            decisions.append(options[dice.below(len(options))])
            state.apply(seat, decisions[-1])
    return MatchResult(spec, decisions, state.scores(), state.ranks())
