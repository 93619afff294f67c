"""The chair of a bot in the arena's own process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from bots.api import Bot, Outcome, Seating
from bots.chairs.base import Chair, ChairFault, legal_action
from bots.chairs.clock import ThreadClock
from bots.chairs.dice import ModuleDice
from bots.decision import Decision, check_answer, notes_of
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.manifest import Manifest, Source
from bots.discovery.spec import BotError, BotSpec
from bots.protocol.notes import write_note
from bots.protocol.tracebacks import format_bot_traceback
from engine.contract import Action, State
from engine.match import FaultKind


class InProcessChair(Chair):
    """A bot in the arena's own process: only for code the user trusts and says so.

    A bot that never rolls the dice of the `random` module needs no exchange of them.
    """

    def __init__(
        self,
        make: Callable[[], Bot],
        rolls: bool = True,
        load: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self.make = make
        self.load = load  # what `make` needs, once
        self.bot: Any = Bot()  # which may return anything, and is checked where that matters
        self.asked: Decision | None = None
        self.clock = ThreadClock()
        self.dice: ModuleDice | None = ModuleDice() if rolls else None
        self.notes: list[str] = []  # of this match

    def start(self, seating: Seating) -> None:
        self.notes = []
        try:
            if self.dice is not None:
                self.dice.seed(seating.seed)
                if self.load is not None:  # as in a process of its own, where it may roll too
                    self.load()
                    self.load = None
                    self.dice.seed(seating.seed)
            self.bot = self.make()
            self.observes = getattr(type(self.bot), "observe", Bot.observe) is not Bot.observe
            if hasattr(self.bot, "start"):
                self.bot.start(seating)
        except (Exception, SystemExit) as problem:  # Ctrl-C is the user's
            raise self._fault(problem) from problem

    def ask(self, decision: Decision) -> None:
        self.asked = decision
        self.budget.asked += 1

    def answer(self) -> Action:
        decision = self.asked
        assert decision is not None
        if self.dice is not None:
            self.dice.take()
        self.clock.begin()
        try:
            answer = check_answer(self.bot.decide(decision))
        except (Exception, SystemExit) as problem:
            self.budget.charge(self.clock.used())
            raise self._fault(problem) from problem
        self.budget.charge(self.clock.used())
        for text in notes_of(decision):
            self.notes.append(write_note(self.budget.asked - 1, text))
        return legal_action(decision, answer)

    def output(self) -> str:
        return "\n".join(self.notes)

    def observe(self, view: State) -> None:
        try:
            if self.dice is not None:
                self.dice.take()
            self.bot.observe(view)
        except (Exception, SystemExit) as problem:
            raise self._fault(problem) from problem

    def finish(self, outcome: Outcome) -> None:
        try:
            if hasattr(self.bot, "finish"):
                if self.dice is not None:
                    self.dice.take()
                self.bot.finish(outcome)
        except (Exception, SystemExit) as problem:
            raise self._fault(problem) from problem
        self.close()

    def close(self) -> None:
        if self.dice is not None:
            self.dice.put_back()

    def _fault(self, problem: BaseException) -> ChairFault:
        """Whatever a bot raises is a fault of its own."""
        self.close()
        return ChairFault(FaultKind.EXCEPTION, format_bot_traceback(problem))


def open_in_process(spec: BotSpec, manifest: Manifest) -> InProcessChair:
    """A chair for a Python bot; BotError for a program."""
    if manifest.is_program:
        raise BotError(f"expected a Python bot to run in this process, got {spec.text}")
    load = cache(partial(find_maker, manifest))  # at the start of a match, where it may fail
    params = dict(spec.params)
    # The house's bots have dice of their own.
    rolls = manifest.source is not Source.HOUSE
    return InProcessChair(lambda: make_bot(manifest.name, load(), params), rolls, load)
