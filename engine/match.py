"""Matches as data: what is to be played, and what came out."""

from dataclasses import dataclass
from enum import StrEnum


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
    seconds: float = 0.0  # from the first question to the end
