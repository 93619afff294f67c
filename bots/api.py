"""All a bot author imports: what a bot is asked, and what it may answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pluggy import HookimplMarker

from engine.contract import Action, Game, Seat, State
from engine.match import Setup

# Marks the function of a plugin that registers its bots.
hookimpl: Final = HookimplMarker("arena")


@dataclass(frozen=True)
class Option:
    """One answer: its notation, and the action `State.apply` takes."""

    text: str
    action: Action

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Seating:
    """What a bot is told before the first card is shown; the seed is for its own dice."""

    game: Game
    setup: Setup
    seat: Seat
    seed: int


@dataclass(frozen=True)
class Decision:
    """One question: what the seat knows, what it is asked, what it may answer, how long it has."""

    game: Game
    seat: Seat
    prompt: str
    options: tuple[Option, ...]
    view: State
    seconds_left: float

    def facts(self) -> dict[str, object]:
        """The view as plain data by ids, as docs/protocol.md describes it."""
        return self.game.facts(self.view)

    def option(self, text: str) -> Option:
        """The option written so."""
        for option in self.options:
            if option.text == text:
                return option
        raise ValueError(f"expected one of {[str(o) for o in self.options]}, got {text!r}")


@dataclass(frozen=True)
class Outcome:
    """How a match ended: points and ranks by seat."""

    scores: list[int]
    ranks: list[int]


class Bot:
    """A program that plays; only `decide` must be written."""

    def start(self, seating: Seating) -> None:
        """A match begins."""

    def decide(self, decision: Decision) -> Option | str:
        """Choose one of the options, by itself or by its text."""
        raise NotImplementedError

    def observe(self, view: State) -> None:
        """Something happened at the table; this is what the seat knows now."""

    def finish(self, outcome: Outcome) -> None:
        """The match is over."""
