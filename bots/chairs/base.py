"""Chairs: bots as the referee sees them, wherever they run; and those that need no process."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from bots.api import Bot, Decision, Option, Outcome, Seating
from bots.discovery.loader import answer_of, check_params, find_maker, make_bot
from bots.discovery.manifest import Manifest, read_manifest
from bots.discovery.spec import BotError, BotSpec
from bots.protocol.sanitize import clean
from bots.protocol.tracebacks import format_bot_traceback, summary_line
from engine.contract import Action, State
from engine.match import SeatUsage
from engine.rng import Rng, derive

UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0}
SPAN: Final = r"([0-9]{1,6}(?:\.[0-9]{1,6})?(?:ms|s|m))"
WRITTEN: Final = re.compile(rf"{SPAN}(?:\+{SPAN})?(?:/{SPAN})?")
MAX_LISTED: Final = 400  # characters of options in a message
MAX_DETAIL: Final = 8_000  # characters of what is told of a fault
MAX_PRINTED: Final = 4_000  # characters of what a bot printed that are kept with a match


@dataclass(frozen=True)
class Limits:
    """Seconds a bot has: to get ready, for one answer, and in a bank for a whole match.

    What an answer takes beyond the second is drawn from the third. Frozen, it is stopped while it
    is not for it to answer.
    """

    start: float = 20.0
    move: float = 10.0
    bank: float = 0.0
    freeze: bool = False


def parse_limits(text: str, freeze: bool = False) -> Limits:
    """Limits as MOVE, MOVE+BANK, and either with /START behind: 500ms, 1s+10s, 1s+2m/30s."""
    found = WRITTEN.fullmatch(text)
    if not found:
        raise BotError(f"expected a time as 1s, 1s+10s or 1s+10s/20s in ms, s or m, got {text!r}")
    move, bank, start = (_seconds(part) for part in found.groups())
    if not move:
        raise BotError(f"expected more than no time for an answer, got {text!r}")
    return Limits(Limits.start if start is None else start, move, bank or 0.0, freeze)


def write_limits(limits: Limits) -> str:
    """The inverse of `parse_limits`, but for freezing."""
    bank = f"+{limits.bank:g}s" if limits.bank else ""
    start = f"/{limits.start:g}s" if limits.start != Limits.start else ""
    return f"{limits.move:g}s{bank}{start}"


def _seconds(part: str | None) -> float | None:
    if part is None:
        return None
    number = part.rstrip("ms")
    return float(number) * UNITS[part.removeprefix(number)]


class TimeBudget:
    """What a bot has taken of its time in one match."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.bank = limits.bank
        self.asked = 0
        self.computed = 0.0
        self.longest = 0.0

    @property
    def left(self) -> float:
        """Seconds the next answer may take."""
        return self.limits.move + self.bank

    def charge(self, seconds: float) -> None:
        """Book what an answer took, with all that was computed since the one before."""
        self.computed += seconds
        self.longest = max(self.longest, seconds)
        self.bank -= min(self.bank, max(0.0, seconds - self.limits.move))


class ChairFault(Exception):  # noqa: N818 - a fault is not an error of ours
    """The bot failed; the kind says how."""

    def __init__(self, kind: str, detail: str) -> None:
        detail = clean(detail, MAX_DETAIL)
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail

    @property
    def summary_line(self) -> str:
        """What went wrong, in a line."""
        return f"{self.kind}: {summary_line(self.kind, self.detail)}"


class Chair:
    """A bot sat down: ask, then take its answer; others may be asked in between.

    The referee gives it a new tally for every match.
    """

    observes = False

    def __init__(self, limits: Limits | None = None) -> None:
        self.tally = TimeBudget(limits or Limits())

    def start(self, seating: Seating) -> None:
        """Begin a match."""

    def ask(self, decision: Decision) -> None:
        """Put a question."""
        raise NotImplementedError

    def answer(self) -> Action:
        """The answer to the last question, legal; ChairFault if there is none."""
        raise NotImplementedError

    def observe(self, view: State) -> None:
        """Show what the seat knows now."""

    def finish(self, outcome: Outcome) -> None:
        """End the match."""

    def close(self) -> None:
        """Be done with the bot."""

    def account(self) -> SeatUsage:
        """What the bot cost in the match just played, and the end of what it printed."""
        tally = self.tally
        printed = clean(self.output(), MAX_PRINTED)
        return SeatUsage(tally.asked, tally.computed, tally.longest, printed)

    def output(self) -> str:
        """What the bot printed last."""
        return ""

    def peak(self) -> int:
        """Kilobytes of memory it took at most; 0 where that is not known."""
        return 0


def legal_action(decision: Decision, answer: object) -> Action:
    """The action of an answer: an option, its text or its number; ChairFault if it is none."""
    if isinstance(answer, Option):
        answer = answer.text
    if isinstance(answer, int) and not isinstance(answer, bool):
        if 0 <= answer < len(decision.options):
            return decision.options[answer].action
    for option in decision.options:
        if option.text == answer:
            return option.action
    offered = ", ".join(option.text for option in decision.options)
    if len(offered) > MAX_LISTED:
        offered = f"{offered[:MAX_LISTED]}... ({len(decision.options)} options)"
    raise ChairFault(
        "illegal", f"expected at {decision.prompt} one of {offered}; got {str(answer)[:80]!r}"
    )


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
        self.tally.asked += 1

    def answer(self) -> Action:
        assert self.asked is not None
        began = time.thread_time()
        try:
            with self._turn():
                answer = self.call(self.bot, self.asked)
        finally:
            self.tally.charge(time.thread_time() - began)
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
            raise ChairFault("exception", format_bot_traceback(problem)) from problem
        finally:
            self.dice = random.getstate()
            random.setstate(ours)


class Steward(Chair):
    """Plays on for a bot that failed, at random, so that the others finish a real game."""

    def __init__(self, seed: int, seat: int) -> None:
        super().__init__()
        self.rng = Rng(derive(seed, f"steward {seat}"))
        self.asked: Decision | None = None

    def ask(self, decision: Decision) -> None:
        self.asked = decision

    def answer(self) -> Action:
        assert self.asked is not None
        return self.asked.options[self.rng.below(len(self.asked.options))].action


def find_bot(spec: BotSpec) -> Manifest:
    """The bot a spec names; BotError if there is none, or the house's has no such parameters."""
    manifest = read_manifest(spec)
    if manifest.source == "house":
        check_params(manifest.name, find_maker(manifest), dict(spec.params))
    elif manifest.is_program and spec.params:
        key = spec.params[0][0]
        raise BotError(f"expected no parameters for {manifest.name}, a program, got {key}")
    return manifest


def seat_here(spec: BotSpec, manifest: Manifest) -> InProcessChair:
    if manifest.is_program:
        raise BotError(f"expected a Python bot to run in this process, got {spec.text}")
    load = cache(partial(find_maker, manifest))  # at the start of a match, where it may fail
    return InProcessChair(lambda: make_bot(manifest.name, load(), dict(spec.params)))
