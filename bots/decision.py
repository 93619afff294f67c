"""A question to a bot: asked at once, each part of it made when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

from mypy_extensions import mypyc_attr

from engine.contract import Action, Game, Seat, State

MAX_NOTES: Final = 10  # of one decision


@mypyc_attr(acyclic=True)
class Option:
    """One answer: its notation, and the action `State.apply` takes."""

    __match_args__: ClassVar = ("text", "action")

    def __init__(self, text: str, action: Action) -> None:
        self.action = action
        self._text: str | None = text
        self._game: Game | None = None  # which writes the text, where it was not given

    @property
    def text(self) -> str:
        text = self._text
        if text is None:
            assert self._game is not None
            text = self._text = self._game.text(self.action)
        return text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Option(text={self.text!r}, action={self.action!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Option):
            return NotImplemented
        return self.action == other.action and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.text, self.action))

    def __reduce__(self) -> tuple[Any, ...]:
        return Option, (self.text, self.action)


@mypyc_attr(acyclic=True)
class Decision:
    """One question: what the seat knows, what it is asked, what it may answer, how long it has."""

    __match_args__: ClassVar = ("game", "seat", "prompt", "options", "view", "seconds_left")

    def __init__(
        self,
        game: Game,
        seat: Seat,
        prompt: str,
        options: Iterable[Option],
        view: State | None,
        seconds_left: float,
    ) -> None:
        self.game = game
        self.seat = seat
        self.prompt = prompt
        self.seconds_left = seconds_left
        self._options: tuple[Option, ...] | None = tuple(options)
        self._view: State | None = view
        # What options and view are made of, where they were not given.
        self._actions: list[Action] | None = None
        self._position: State | None = None
        self._shares_position = False  # with the questions of other seats
        self._unpack: Callable[[], State] | None = None
        self._notes: list[str] | None = None

    def note(self, text: object) -> None:
        """Leave a note on this decision: it is kept with the match, for you to read beside it."""
        if self._notes is None:
            self._notes = []
        if len(self._notes) < MAX_NOTES:
            self._notes.append(clean_text(str(text)))

    @property
    def options(self) -> tuple[Option, ...]:
        """What may be answered: two or more, in the order of the rules."""
        options = self._options
        if options is None:
            assert self._actions is not None
            options = tuple([_unwritten(self.game, action) for action in self._actions])
            self._options = options
        return options

    @property
    def view(self) -> State:
        """What the seat knows."""
        view = self._view
        if view is None:
            if self._unpack is not None:
                view = self._unpack()
            else:
                assert self._position is not None
                view = self._position.clone() if self._shares_position else self._position
                view.redact(self.seat)
            self._view = view
        return view

    def facts(self) -> dict[str, Any]:
        """The view as plain data by ids, as docs/protocol.md describes it.

        `seven_facts` and `architects_facts` return the same with types.
        """
        return self.game.facts(self.view)

    def option(self, text: str) -> Option:
        """The option written so."""
        for option in self.options:
            if option.text == text:
                return option
        raise ValueError(f"expected one of {[str(o) for o in self.options]}, got {text!r}")

    def _fields(self) -> tuple[Game, Seat, str, tuple[Option, ...], State, float]:
        return self.game, self.seat, self.prompt, self.options, self.view, self.seconds_left

    def __repr__(self) -> str:
        named = zip(Decision.__match_args__, self._fields(), strict=True)
        return f"Decision({', '.join(f'{name}={value!r}' for name, value in named)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decision):
            return NotImplemented
        return self is other or self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((self.seat, self.prompt, self.options))  # a view is mutable, and has none

    def __reduce__(self) -> tuple[Any, ...]:
        return Decision, self._fields()


def ask_position(
    game: Game, position: State, seat: Seat, actions: list[Action], seconds_left: float
) -> Decision:
    """The question a seat owes an answer to, as the position is now: it may be played on."""
    prompt = game.prompts[position.prompt(seat)]
    decision = _undecided(game, seat, prompt, actions, seconds_left)
    decision._position = position.clone()
    return decision


def ask_round(
    game: Game, position: State, seats: list[Seat], seconds_left: list[float]
) -> list[Decision]:
    """The questions of all seats that owe an answer: they share one copy of the position."""
    if len(seats) == 1:
        seat = seats[0]
        return [ask_position(game, position, seat, position.legal(seat), seconds_left[0])]
    kept = position.clone()
    decisions = []
    for seat, seconds in zip(seats, seconds_left, strict=True):
        prompt = game.prompts[position.prompt(seat)]
        decision = _undecided(game, seat, prompt, position.legal(seat), seconds)
        decision._position = kept
        decision._shares_position = True
        decisions.append(decision)
    return decisions


def ask_packed(
    game: Game,
    seat: Seat,
    prompt: str,
    actions: list[Action],
    unpack: Callable[[], State],
    seconds_left: float,
) -> Decision:
    """A question whose view was packed elsewhere: `unpack` makes it, when it is read first."""
    decision = _undecided(game, seat, prompt, actions, seconds_left)
    decision._unpack = unpack
    return decision


def _undecided(
    game: Game, seat: Seat, prompt: str, actions: list[Action], seconds_left: float
) -> Decision:
    decision = Decision(game, seat, prompt, (), None, seconds_left)
    decision._options = None
    decision._actions = actions
    return decision


def _unwritten(game: Game, action: Action) -> Option:
    option = Option("", action)
    option._text = None
    option._game = game
    return option


def actions_of(decision: Decision) -> list[Action]:
    """The actions of the options, in their order."""
    if decision._actions is None:
        decision._actions = [option.action for option in decision.options]
    return decision._actions


def find_action(decision: Decision, answer: Option | str) -> Action | None:
    """The action of an answer, an option or its text; None if it is not among the options."""
    if isinstance(answer, Option):
        if answer._game is decision.game:  # its text says the same
            return answer.action if answer.action in actions_of(decision) else None
        answer = answer.text
    for option in decision.options:
        if option.text == answer:
            return option.action
    return None


def notes_of(decision: Decision) -> list[str]:
    """What the bot noted on a question."""
    return decision._notes or []


def check_answer(answer: object) -> Option | str:
    """What `decide` returned; TypeError if it is neither an option nor a text."""
    if isinstance(answer, Option):
        return answer
    if isinstance(answer, str):
        return clean_text(answer)
    raise TypeError(f"expected an option or its text from decide, got {answer!r}")


def clean_text(text: str) -> str:
    """No option is as long as what is cut off; what cannot be encoded is none either."""
    return str(text)[:1000].encode("utf-8", "replace").decode()
