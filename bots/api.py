"""All a bot author imports: what a bot is asked, what it may answer, and helpers for search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final, Protocol, cast

from pluggy import HookimplMarker

from bots.decision import Decision, Option
from bots.facts import ArchitectsDeck, ArchitectsFacts, ArchitectsSeat, SevenFacts, SevenSeat
from bots.search import imagine_world, play_round, reward, sample_rewards
from engine.catalog import find, game_of
from engine.contract import Action, Game, Seat, State
from engine.match import Setup, Variant
from engine.rng import Rng, derive

__all__ = [
    "Action",
    "ArchitectsDeck",
    "ArchitectsFacts",
    "ArchitectsSeat",
    "Bot",
    "Decider",
    "Decision",
    "Game",
    "Maker",
    "Option",
    "Outcome",
    "Register",
    "Rng",
    "Seat",
    "Seating",
    "Setup",
    "SevenFacts",
    "SevenSeat",
    "State",
    "Variant",
    "architects_facts",
    "derive",
    "find",
    "game_of",
    "hookimpl",
    "imagine_world",
    "play_round",
    "reward",
    "sample_rewards",
    "seven_facts",
]

# Marks the function of a plugin that registers its bots.
hookimpl: Final = HookimplMarker("arena")


@dataclass(frozen=True)
class Seating:
    """What a bot is told before the first card is shown; the seed is for its own dice."""

    game: Game
    setup: Setup
    seat: Seat
    seed: int

    @cached_property
    def random(self) -> Random:
        """Dice of the bot's own, with all that the `random` module has: equal seeds, equal rolls.

        For search, `Rng(seed)` is faster, and what the engine takes.
        """
        return Random(self.seed)


@dataclass(frozen=True)
class Outcome:
    """How a match ended: points and ranks by seat."""

    scores: list[int]
    ranks: list[int]


class Bot:
    """A program that plays; only `decide` must be written.

    Parameters of `__init__` are set on the command line, `mybot:worlds=30`, and are converted to
    the type they are annotated with: `def __init__(self, worlds: int = 10)`.
    """

    def start(self, seating: Seating) -> None:
        """A match begins."""

    def decide(self, decision: Decision) -> Option | str:
        """Choose one of the options, by itself or by its text."""
        raise NotImplementedError

    def observe(self, view: State) -> None:
        """Something happened at the table; this is what the seat knows now.

        `game_of(view)` is the game it belongs to, `view.viewer` the seat.
        """

    def finish(self, outcome: Outcome) -> None:
        """The match is over."""


# A plain function that decides is a bot too.
Decider = Callable[[Decision], Option | str]
Maker = Callable[..., Bot]


class Register(Protocol):
    """Enters one bot under a name; `make` is called with the parameters of its spec."""

    def __call__(self, name: str, make: Maker) -> None:
        """Enter the bot."""
        ...


def seven_facts(view: State) -> SevenFacts:
    """What a view of 7 Wonders knows, typed; ValueError for another game's."""
    return cast(SevenFacts, _facts(view, "seven"))


def architects_facts(view: State) -> ArchitectsFacts:
    """What a view of Architects knows, typed; ValueError for another game's."""
    return cast(ArchitectsFacts, _facts(view, "architects"))


def _facts(view: State, wanted: str) -> dict[str, Any]:
    game = game_of(view)
    if game.id != wanted:
        raise ValueError(f"expected a view of {wanted}, got one of {game.id}")
    return game.facts(view)
