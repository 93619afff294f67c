"""What every game answers: the verbs of a position, and those of the game it belongs to."""

from __future__ import annotations

from typing import Final, TypeAlias

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from engine.errors import HiddenError, IllegalActionError
from engine.match import MatchSpec, Setup, Variant
from engine.rng import Rng

Seat: TypeAlias = int
Action: TypeAlias = int  # its game owns the layout and the notation


# More answers than any game takes.
ENDLESS: Final = 1_000_000


def left_of(seat: i64, players: i64) -> i64:
    """The seat to the left: the next one, clockwise."""
    return seat + 1 if seat + 1 < players else i64(0)


def right_of(seat: i64, players: i64) -> i64:
    """The seat to the right: the one before."""
    return seat - 1 if seat > 0 else players - 1


@mypyc_attr(acyclic=True)
class State:
    """A position; mutable: clone before you search."""

    def __init__(self) -> None:
        self.players: i64 = 0
        # Whose view this is; -1 where nothing is hidden.
        self.viewer: i64 = -1
        # Chance events as they happen, where somebody listens. Clones start without.
        self.journal: list[list[int]] | None = None
        # Chance events still to come, where a recorded game is played again. Clones start without.
        self.script: list[list[int]] | None = None

    def pending(self) -> list[int]:
        """Seats that owe a decision now, in seat order; none when the game is over."""
        raise NotImplementedError

    def prompt(self, seat: i64) -> int:
        """The question a pending seat is asked: an index into the game's prompts."""
        raise NotImplementedError

    def legal(self, seat: i64) -> list[int]:
        """The answers a pending seat may give: two or more, distinct, in a fixed order."""
        raise NotImplementedError

    def apply(self, seat: i64, action: i64) -> None:
        """Take a legal answer, and everything that follows without a choice; trusts its caller.

        Nothing is checked here: `apply_checked` is for code that is being written.
        """
        raise NotImplementedError

    def apply_checked(self, seat: i64, action: i64) -> None:
        """The same for a caller that is not trusted.

        HiddenError for a view; IllegalActionError if the seat is not asked, or may not answer so.
        """
        self.check_whole()
        pending = self.pending()
        if seat not in pending:
            asked = ", ".join(map(str, pending)) or "none, as the game is over"
            raise IllegalActionError(
                f"expected an answer of a seat that is asked ({asked}), got {seat}"
            )
        if action not in self.legal(seat):
            raise IllegalActionError(f"expected a legal action of seat {seat}, got {action}")
        self.apply(seat, action)

    def playout(self, dice: Rng) -> None:
        """Play on to the end with uniformly random answers."""
        raise NotImplementedError

    def playout_by(self, dice: Rng, odds: vec[i64], answers: i64 = -1) -> None:
        """Play on by chosen odds: of `Game.odds_keys` numbers, that of an answer's `odds_key`.

        An answer is as likely as its number among those of all legal ones; at least one must be
        above nought. To the end, or until so many answers are given and the round is over.
        """
        raise NotImplementedError

    def odds_key(self, action: i64) -> int:
        """Which of the odds a legal answer goes by: what is done, and with which card."""
        raise NotImplementedError

    def clone(self) -> State:
        """An independent copy."""
        raise NotImplementedError

    def after(self, seat: i64, action: i64) -> State:
        """A copy in which the seat's own answer has happened, and no other seat's.

        It is there to be judged. Where others decide at the same time it cannot be played on.
        """
        raise NotImplementedError

    def fill_features(self, seat: i64, row: vec[i64]) -> None:
        """Write what the seat knows as numbers into a row of `Game.feature_count` noughts."""
        raise NotImplementedError

    def features(self, seat: i64) -> tuple[list[int], list[int]]:
        """The places and the numbers of a row that are not nought, by `Game.feature_labels`."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Points of every seat if the game ended now."""
        raise NotImplementedError

    def ranks(self) -> list[int]:
        """For every seat, how many seats are strictly ahead of it, tie-breaks included."""
        raise NotImplementedError

    def redact(self, seat: i64) -> None:
        """Forget what the seat may not know: from here on this is its view."""
        if not 0 <= seat < self.players:
            raise HiddenError(f"expected a seat below {self.players}, got {seat}")
        if self.viewer >= 0 and self.viewer != seat:
            raise HiddenError(f"expected a whole state or the view of seat {seat}, got another's")
        if self.viewer < 0:
            self.journal = None
            self.script = None
            self._redact(seat)

    def imagine(self, rng: Rng) -> None:
        """Fill in what the view does not know, consistently with what it does: playable again."""
        if self.viewer >= 0:
            self._imagine(rng)

    def _redact(self, seat: i64) -> None:
        """Turn a whole state into the view of a seat."""
        raise NotImplementedError

    def _imagine(self, rng: Rng) -> None:
        """Turn a view into one whole state it allows."""
        raise NotImplementedError

    def dump(self) -> str:
        """One line of text; `Game.load` is its inverse."""
        raise NotImplementedError

    def pack(self) -> bytes:
        """A few hundred bytes for a process of the same library; `Game.unpack` is its inverse."""
        raise NotImplementedError

    def check_whole(self) -> None:
        """HiddenError if this is a view: it cannot be played on."""
        if self.viewer >= 0:
            raise HiddenError("expected a whole state to play on, got a view: imagine first")

    def view(self, seat: i64) -> State:
        """What the seat knows, as a state of its own."""
        view = self.clone()
        view.redact(seat)
        return view

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __eq__(self, other: object) -> bool:
        """Whether both are the same position of the same game, known to the same degree."""
        if not isinstance(other, State):
            return NotImplemented
        return self is other or self.pack() == other.pack()

    def __repr__(self) -> str:
        what = f"view of seat {self.viewer}, " if self.viewer >= 0 else ""
        pending = self.pending()
        asked = f"seats {pending} to decide" if pending else "over"
        table = f"{self.players} players, {what}{asked}, points {self.scores()}"
        return f"<{type(self).__name__}: {table}>"


def draw_by_odds(options: vec[i64], keys: vec[i64], count: i64, odds: vec[i64], dice: Rng) -> i64:
    """One of so many options, as likely as the odds of its key."""
    total: i64 = 0
    at: i64 = 0
    while at < count:
        total += odds[keys[at]]
        at += 1
    left = dice.below(total)
    at = 0
    while left >= odds[keys[at]]:
        left -= odds[keys[at]]
        at += 1
    return options[at]


def sparse(row: vec[i64]) -> tuple[list[int], list[int]]:
    """The places of a row that are not nought, and what is there."""
    places: list[int] = []
    numbers: list[int] = []
    for at in range(len(row)):
        if row[at]:
            places.append(at)
            numbers.append(row[at])
    return places, numbers


class Game:
    """The rules, components and notation of one game; it holds no position."""

    def __init__(
        self,
        id: str,
        players: range,
        prompts: tuple[str, ...],
        editions: tuple[str, ...] = (),
        expansions: tuple[str, ...] = (),
        feature_count: int = 0,
        odds_keys: int = 0,
    ) -> None:
        self.id = id
        # How many numbers `State.features` and `State.playout_by` go by.
        self.feature_count = feature_count
        self.odds_keys = odds_keys
        self.players = players
        self.prompts = prompts
        # The first edition is the default; a game printed once has none.
        self.editions = editions
        self.expansions = expansions

    def setup(
        self,
        players: int,
        seed: int,
        wonders: tuple[str, ...] = (),
        variant: Variant | None = None,
    ) -> Setup:
        """Check what was asked for; wonders not named are drawn from the seed.

        The variant of the result names its edition, where the game has any.
        """
        raise NotImplementedError

    def version(self, variant: Variant) -> int:
        """Of the rules of a variant: raised whenever its old decisions would tell another story."""
        raise NotImplementedError

    def spec(self, setup: Setup, seed: int, bots: tuple[str, ...]) -> MatchSpec:
        """A match by the rules as they are now."""
        return MatchSpec(setup, seed, bots, self.version(setup.variant))

    def wonders(self, variant: Variant) -> list[str]:
        """The ids of all wonders that may be set up; SetupError if there is no such edition."""
        raise NotImplementedError

    def actions(self, variant: Variant, players: int) -> list[Action]:
        """Every action that a table of so many may ever offer, in a fixed order."""
        raise NotImplementedError

    def feature_labels(self) -> list[str]:
        """What the numbers of `State.features` are: as many at every table."""
        raise NotImplementedError

    def deal(self, setup: Setup, seed: int) -> State:
        """Shuffle and deal; the position of the first decision. Trusts what `setup` made."""
        raise NotImplementedError

    def load(self, text: str) -> State:
        """Read a dumped state back, checked; DumpError if it is none."""
        raise NotImplementedError

    def unpack(self, data: bytes) -> State:
        """Read a packed state back; DumpError if it has not its size. What it says is trusted."""
        raise NotImplementedError

    def text(self, action: int) -> str:
        """The notation of an action, the same in every position."""
        raise NotImplementedError

    def parse(self, text: str) -> int:
        """The action a notation names; NotationError if it names none."""
        raise NotImplementedError

    def score_sheet(self, state: State) -> list[dict[str, int]]:
        """For every seat the points by category, and their total."""
        raise NotImplementedError

    def facts(self, state: State) -> dict[str, object]:
        """What a view knows by its ids, as plain data: for programs in any language."""
        raise NotImplementedError

    def deal_facts(self, state: State) -> dict[str, object]:
        """How the cards of a just dealt state lie, by their ids."""
        raise NotImplementedError

    def deal_again(self, setup: Setup, recorded: dict[str, object]) -> State:
        """The inverse of `deal_facts`, checked; TraceError if no shuffle can deal this."""
        raise NotImplementedError

    def chance_facts(self, event: list[int]) -> dict[str, object]:
        """A journal entry by its ids."""
        raise NotImplementedError

    def chance_again(self, recorded: dict[str, object]) -> list[int]:
        """The inverse of `chance_facts`, checked; TraceError if it is none."""
        raise NotImplementedError
