"""What ends a tournament: a goal that is to be known, and a budget of time; read and written."""

import re
from dataclasses import dataclass
from typing import Final

from engine.errors import ArenaError

UNITS: Final = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class Goal:
    """What is to be known, and how surely: the best `top` bots, or the whole order."""

    top: int | None = None
    sure: float = 0.95

    def __str__(self) -> str:
        what = "order" if self.top is None else f"top{self.top}"
        return f"{what}@{round(100 * self.sure, 4):g}%"


def parse_goal(text: str) -> Goal:
    """A goal out of `order@95%` or `top3@90%`; 95% where nothing is said."""
    found = re.fullmatch(
        r"(order|top([1-9][0-9]{0,2}))(@([0-9]{1,2}(\.[0-9]{1,3})?)%?)?", text.strip()
    )
    if not found:
        raise ArenaError(f"expected a goal such as order@95% or top1@95%, got {text}")
    sure = float(found[4]) / 100 if found[4] else Goal.sure
    if not 0.5 <= round(sure, 9) <= 0.999:
        raise ArenaError(f"expected to be 50% to 99.9% sure, got {text}")
    return Goal(int(found[2]) if found[2] else None, sure)


def parse_budget(text: str) -> float:
    """Seconds out of 90s, 10m or 1h30m."""
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smh])", text.strip())
    if not parts or "".join(number + unit for number, unit in parts) != text.strip():
        raise ArenaError(f"expected a time such as 90s, 10m or 1h30m, got {text}")
    seconds = sum(float(number) * UNITS[unit] for number, unit in parts)
    if seconds <= 0:
        raise ArenaError(f"expected some time, got {text}")
    return seconds


def write_budget(seconds: float) -> str:
    """The inverse of `parse_budget`; the same time has the same text."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    spans = ((hours, "h"), (minutes, "m"), (rest, "s"))
    return "".join(
        f"{number:.6f}".rstrip("0").rstrip(".") + unit for number, unit in spans if number
    )


def check_goal(goal: Goal, bots: int) -> None:
    """Refuse a goal that this many bots reach before they play."""
    if goal.top is not None and goal.top >= bots:
        raise ArenaError(f"expected a top smaller than the field of {bots}, got {goal}")
