"""A person at the table: shown what the seat knows, asked in words, answering by numbers."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console

from arena.display import display_of
from arena.display.base import GameDisplay
from arena.display.scene import STAGE, TOKEN, Piece, Scene
from arena.i18n import N_, colon, gettext
from arena.reports import terminal
from arena.reports.wording import format_move
from bots.api import Decision
from bots.chairs.base import Chair, ChairFault
from engine.contract import Action, Game, Seat, State
from engine.errors import ArenaError
from engine.match import FaultKind

ME: Final = "me"  # the name of a chair for a person
RESIGNED: Final = FaultKind.RESIGNED  # of one who leaves the seat to the steward

HELP: Final = N_(
    "a number takes that option · s shows the table · r resigns (the steward plays) · q quits"
)


def capital(text: str) -> str:
    """The text as it begins a line."""
    return text[:1].upper() + text[1:]


def _is_effect(it: Piece) -> bool:
    """Whether a stage gives more than the points its text shows."""
    return it.kind == STAGE and it.note not in it.text and not re.fullmatch(r"\d+ points?", it.note)


class LeftError(Exception):
    """The person quit: there is no game any more."""


def seat_person(bots: Sequence[str], lang: str) -> "Person | None":
    """A chair for the user, if one of the names is theirs."""
    if ME not in bots:
        return None
    if bots.count(ME) > 1:
        raise ArenaError(f"expected one seat for {ME}, got {bots.count(ME)}")
    return Person(bots.index(ME), tuple(bots), lang)


class Person(Chair):
    """The user of a terminal."""

    def __init__(
        self,
        seat: Seat,
        names: tuple[str, ...],
        lang: str,
        console: Console | None = None,
        hear: Callable[[str], str] = input,
    ) -> None:
        super().__init__()
        self.seat = seat
        self.names = tuple(gettext("you", lang) if name == ME else name for name in names)
        self.lang = lang
        self.console = console or terminal.console()
        self.hear = hear
        self.asked: Decision | None = None
        self.explained: set[str] = set()  # signs, whose meaning is told once
        self.before: State | None = None

    def ask(self, decision: Decision) -> None:
        self.asked = decision
        self.budget.asked += 1

    def answer(self) -> Action:
        assert self.asked is not None
        self._show(self.asked)
        while True:
            words = self._hear(gettext("Your choice (? for help): ", self.lang)).strip().lower()
            if words == "?":
                self.console.print(gettext(HELP, self.lang))
            elif words == "s":
                self._show(self.asked)
            elif words == "q":
                raise LeftError
            elif words == "r":
                sure = self._hear(gettext("really resign? (y/n) ", self.lang))
                if sure.strip().lower() in ("y", "o"):
                    raise ChairFault(RESIGNED, "")
            elif words.isdecimal() and 1 <= int(words[:6]) <= len(self.asked.options):
                return self.asked.options[int(words[:6]) - 1].action
            else:
                last = len(self.asked.options)
                self.console.print(
                    gettext("expected a number from 1 to {last}", self.lang, last=last)
                )

    def _hear(self, prompt: str) -> str:
        try:
            return self.hear(prompt)
        except EOFError:
            raise LeftError from None

    def _show(self, decision: Decision) -> None:
        display, lang = display_of(decision.game.id), self.lang
        scene = display.scene(decision.view, lang)
        self._explain(display, scene)
        self.console.print(terminal.render_scene(scene, self.names))
        for number, option in enumerate(decision.options, 1):
            text = display.describe_action(option.action, lang, state=decision.view, yours=True)
            self.console.print(f"{number:>4}  {capital(text)}")

    def _explain(self, display: GameDisplay, scene: Scene) -> None:
        """Say what signs and tokens mean, where they are seen for the first time."""
        signs = [] if self.explained else display.legend(self.lang)
        mark = colon(self.lang)
        for panel in scene.panels:
            pieces = [piece for line in panel.lines for piece in line.pieces]
            signs += [f"{it.text}{mark} {it.note}" for it in pieces if it.kind == TOKEN]
            signs += [f"{panel.name} {it.mark}{mark} {it.note}" for it in pieces if _is_effect(it)]
        new = [sign for sign in dict.fromkeys(signs) if sign not in self.explained]
        if new:
            self.console.print(gettext("What the signs mean:", self.lang))
        for sign in new:
            self.console.print(f"  {sign}")
        self.explained.update(new)

    def watch(self, game: Game) -> Callable[[State, list[tuple[Seat, Action]]], None]:
        """Tells what the others did, as far as this seat may know."""
        display = display_of(game.id)

        def tell(state: State, moves: list[tuple[Seat, Action]]) -> None:
            for seat, action in moves:
                assert self.before is not None
                is_own = seat == self.seat
                told = display.tell_action(action, self.lang, is_own, self.before, seat)
                self.console.print(f"· {format_move(self.names[seat], seat, told, self.lang)}")
            self.before = state.clone()
            if not state.pending():
                self.console.print(
                    terminal.render_scene(display.scene(state, self.lang), self.names)
                )
                self.console.print(display.ending(state, self.names, self.lang))
                self.console.print(
                    terminal.render_scores(display.score_pad(state, self.lang), self.names)
                )

        return tell
