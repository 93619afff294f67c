"""Matches as data: what is to be played, and what came out."""

import copyreg
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from operator import attrgetter
from typing import Any


@dataclass(frozen=True)
class Variant:
    """Which game is played, and in which form; where no edition is named, in its latest."""

    game: str
    edition: str | None = None
    expansions: tuple[str, ...] = ()
    expert: bool = False

    def __str__(self) -> str:
        words = [self.game]
        words += [f"{self.edition} edition"] if self.edition else []
        words += [f"with {' and '.join(self.expansions)}"] if self.expansions else []
        return ", ".join([*words, "expert"] if self.expert else words)


@dataclass(frozen=True)
class Setup:
    """Everything about a match that is decided before the cards are shuffled."""

    variant: Variant
    players: int
    wonders: tuple[str, ...]


@dataclass(frozen=True)
class MatchSpec:
    """A match to be played; with the decisions it is also its replay."""

    setup: Setup
    seed: int
    bots: tuple[str, ...]
    version: int  # of the game's rules; under another one, the decisions are another game

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.setup.variant.game


class FaultKind(StrEnum):
    """How a bot failed, or that a person gave up."""

    ILLEGAL = "illegal"
    EXCEPTION = "exception"
    TIME = "time"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    CRASH = "crash"
    VIOLATION = "violation"
    RESIGNED = "resigned"


@dataclass(frozen=True)
class Fault:
    """Why a bot no longer decides for its seat, from which decision of the match on."""

    seat: int
    kind: str  # a FaultKind, or what another version stored
    detail: str
    decision: int


@dataclass(frozen=True)
class SeatUsage:
    """What one seat's bot cost, in seconds of computing, and what it printed."""

    asked: int = 0
    computed: float = 0.0
    longest: float = 0.0  # for a single decision
    printed: str = ""


@dataclass(frozen=True)
class MatchResult:
    """A match that was played: every decision in the order it was asked for.

    The ranks are those of the rules, but seats whose bot failed before the end come last.
    """

    spec: MatchSpec
    decisions: list[int]
    scores: list[int]
    ranks: list[int]
    faults: tuple[Fault, ...] = ()
    accounts: tuple[SeatUsage, ...] = ()  # one a seat, where they were kept
    sandbox: str = ""  # how the bots were contained
    seconds: float = 0.0  # from the start of its bots to its end
    time_factor: float = 1.0  # of the machine that played: what time limits were multiplied by


def _reducer(kind: type) -> Callable[[Any], tuple[type, tuple[object, ...]]]:
    """Tells what a value of that class is made of."""
    parts = attrgetter(*(field.name for field in fields(kind)))
    return lambda value: (kind, parts(value))


# Compiled, these would be filled in after they were made, which what is frozen refuses.
for _kind in (Variant, Setup, MatchSpec, Fault, SeatUsage, MatchResult):
    copyreg.pickle(_kind, _reducer(_kind))
