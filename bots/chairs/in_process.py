"""The chair of a bot in the arena's own process."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial

from bots.api import Bot, Decision, Outcome, Seating
from bots.chairs.base import Chair, ChairFault, legal_action
from bots.discovery.loader import answer_of, find_maker, make_bot
from bots.discovery.manifest import Manifest
from bots.discovery.spec import BotError, BotSpec
from bots.protocol.tracebacks import format_bot_traceback
from engine.contract import Action, State
from engine.match import FaultKind


class InProcessChair(Chair):
    """A bot in the arena's own process: only for code the user trusts and says so."""

    def __init__(self, make: Callable[[], Bot]) -> None:
        super().__init__()
        self.make = make
        self.call = answer_of  # a debugger may come between
        self.bot = Bot()
        self.asked: Decision | None = None
        self.dice = random.getstate()

    def start(self, seating: Seating) -> None:
        self.dice = random.Random(seating.seed).getstate()
        with self._turn():
            self.bot = self.make()
            self.observes = getattr(type(self.bot), "observe", Bot.observe) is not Bot.observe
            if hasattr(self.bot, "start"):
                self.bot.start(seating)

    def ask(self, decision: Decision) -> None:
        self.asked = decision
        self.budget.asked += 1

    def answer(self) -> Action:
        assert self.asked is not None
        began = time.thread_time()
        try:
            with self._turn():
                answer = self.call(self.bot, self.asked)
        finally:
            self.budget.charge(time.thread_time() - began)
        return legal_action(self.asked, answer)

    def observe(self, view: State) -> None:
        with self._turn():
            self.bot.observe(view)

    def finish(self, outcome: Outcome) -> None:
        with self._turn():
            if hasattr(self.bot, "finish"):
                self.bot.finish(outcome)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Give the bot dice of its own, and turn whatever it raises into a fault of its own."""
        ours = random.getstate()
        random.setstate(self.dice)
        try:
            yield
        except (Exception, SystemExit) as problem:  # Ctrl-C is the user's
            raise ChairFault(FaultKind.EXCEPTION, format_bot_traceback(problem)) from problem
        finally:
            self.dice = random.getstate()
            random.setstate(ours)


def open_in_process(spec: BotSpec, manifest: Manifest) -> InProcessChair:
    """A chair for a Python bot; BotError for a program."""
    if manifest.is_program:
        raise BotError(f"expected a Python bot to run in this process, got {spec.text}")
    load = cache(partial(find_maker, manifest))  # at the start of a match, where it may fail
    return InProcessChair(lambda: make_bot(manifest.name, load(), dict(spec.params)))
