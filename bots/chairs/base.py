"""A chair: a bot as the referee sees it, wherever it runs."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from bots.api import Decision, Option, Outcome, Seating
from bots.chairs.clock import TimeBudget
from bots.chairs.limits import Limits
from bots.decision import actions_of, find_action
from bots.protocol.sanitize import for_storage
from bots.protocol.tracebacks import summary_line
from engine.contract import Action, State
from engine.match import FaultKind, SeatUsage

MAX_LISTED: Final = 400  # characters of options in a message
MAX_DETAIL: Final = 8_000  # characters of what is told of a fault
MAX_PRINTED: Final = 16_000  # characters of what a bot printed that are kept with a match


class ChairFault(Exception):  # noqa: N818 - a fault is not an error of ours
    """The bot failed; the kind says how."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        detail = for_storage(detail, MAX_DETAIL)
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail

    @property
    def summary_line(self) -> str:
        """What went wrong, in a line."""
        return f"{self.kind}: {summary_line(self.kind, self.detail)}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Chair:
    """A bot sat down: ask, then take its answer; others may be asked in between.

    The referee gives it a new budget for every match.
    """

    observes = False

    def __init__(self, limits: Limits | None = None) -> None:
        self.budget = TimeBudget(limits or Limits())

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

    def usage(self) -> SeatUsage:
        """What the bot cost in the match just played, and the end of what it printed."""
        budget = self.budget
        output = self.output()
        printed = for_storage(output, MAX_PRINTED) if output else ""
        return SeatUsage(budget.asked, budget.computed, budget.longest, printed)

    def output(self) -> str:
        """What the bot printed last."""
        return ""

    def peak(self) -> int:
        """Kilobytes of memory it took at most; 0 where that is not known."""
        return 0


def legal_action(decision: Decision, answer: object) -> Action:
    """The action of an answer: an option, its text or its number; ChairFault if it is none."""
    if isinstance(answer, (Option, str)):
        action = find_action(decision, answer)
        if action is not None:
            return action
    elif isinstance(answer, int) and not isinstance(answer, bool):
        actions = actions_of(decision)
        if 0 <= answer < len(actions):
            return actions[answer]
    offered = ", ".join(option.text for option in decision.options)
    if len(offered) > MAX_LISTED:
        offered = f"{offered[:MAX_LISTED]}... ({len(decision.options)} options)"
    raise ChairFault(
        FaultKind.ILLEGAL,
        f"expected at {decision.prompt} one of {offered}; got {str(answer)[:80]!r}",
    )
