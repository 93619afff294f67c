"""What a bot's parameters may be: name=lo..hi, whole or not, on a log scale or not; or a|b|c."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bots.discovery.spec import BotSpec
from engine.errors import ArenaError

DIGITS: Final = 4  # of a number that is not whole; finer than games can tell
NUMBER: Final = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
FORM: Final = re.compile(rf"([^=]+)=({NUMBER})\.\.({NUMBER})(:log)?")
CHOICE: Final = re.compile(r"([^\W\d]\w*)=([^|,\s]+(?:\|[^|,\s]+)+)")

Point: TypeAlias = tuple[float, ...]  # a value for each range


@dataclass(frozen=True)
class Range:
    """The values a parameter may have."""

    name: str
    low: float
    high: float
    whole: bool
    log: bool = False
    choices: tuple[str, ...] = ()  # texts; then values are places among them

    @property
    def middle(self) -> float:
        """Half way, on its scale."""
        if self.log:
            return self._fit(math.sqrt(self.low * self.high))
        return self._fit((self.low + self.high) / 2)

    def text(self, value: float) -> str:
        """The value as a bot is told."""
        if self.choices:
            return self.choices[int(value)]
        fitting = self._fit(value)
        return str(int(fitting)) if self.whole else repr(fitting)

    def contains(self, value: float) -> bool:
        """Whether it is one of them."""
        return self.low <= value <= self.high and (not self.whole or value == int(value))

    def _fit(self, value: float) -> float:
        near = float(round(value)) if self.whole else float(f"{value:.{DIGITS}g}")
        return min(max(near, self.low), self.high)


def parse_range(text: str) -> Range:
    """A range out of depth=1..8, explore=0.1..2.0, sims=10..1000:log or mode=fast|deep."""
    found = FORM.fullmatch(text.strip())
    if chosen := CHOICE.fullmatch(text.strip()):
        choices = tuple(chosen[2].split("|"))
        if len(set(choices)) < len(choices):
            raise ArenaError(f"expected different choices, got {text}")
        return Range(chosen[1], 0.0, len(choices) - 1.0, True, choices=choices)
    if not found or not found[1].isidentifier():
        forms = "depth=1..8, c=0.1..10:log or mode=fast|deep"
        raise ArenaError(f"expected a range such as {forms}, got {text}")
    name, low, high = found[1], float(found[2]), float(found[3])
    if not low < high < math.inf:
        raise ArenaError(f"expected a range from less to more, got {text}")
    if found[4] and low <= 0:
        raise ArenaError(f"expected a log scale to begin above 0, got {text}")
    whole = all(re.fullmatch(r"-?\d+", bound) for bound in (found[2], found[3]))
    return Range(name, low, high, whole, bool(found[4]))


def parse_ranges(texts: Sequence[str]) -> tuple[Range, ...]:
    """Ranges of different parameters, one at least."""
    ranges = tuple(map(parse_range, texts))
    if not ranges:
        raise ArenaError("expected a parameter to tune, such as --param depth=1..8, got none")
    names = [each.name for each in ranges]
    for name in names:
        if names.count(name) > 1:
            raise ArenaError(f"expected different parameters, got {name} twice")
    return ranges


def spec_at(bot: BotSpec, ranges: Sequence[Range], point: Point) -> str:
    """The bot with the parameters of a point, its others as they were."""
    if bot.is_command:
        raise ArenaError(f"expected a bot that takes parameters, got {bot.text}")
    chosen = {each.name: each.text(value) for each, value in zip(ranges, point, strict=True)}
    params = dict(bot.params) | chosen
    return f"{bot.target}:" + ",".join(f"{name}={value}" for name, value in params.items())


def first_point(bot: BotSpec, ranges: Sequence[Range]) -> Point:
    """Where to begin: the bot's own parameters as far as they are told, else the middle."""
    given = dict(bot.params)
    return tuple(_own(given.get(each.name), each) for each in ranges)


def _own(text: str | None, range: Range) -> float:
    if range.choices:
        return float(range.choices.index(text)) if text in range.choices else 0.0
    try:
        value = float(text or "nan")
    except ValueError:
        return range.middle
    return value if range.contains(value) else range.middle
