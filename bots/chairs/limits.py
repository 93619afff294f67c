"""The time a bot has: as data, and as it is written on a command line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from bots.discovery.spec import BotError

UNITS: Final = {"s": Decimal(1), "ms": Decimal("0.001"), "m": Decimal(60)}
SPAN: Final = r"([0-9]{1,6}(?:\.[0-9]{1,6})?(?:ms|s|m))"
WRITTEN: Final = re.compile(rf"{SPAN}(?:\+{SPAN})?(?:/{SPAN})?")
FACTORS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)-([0-9]{1,3}(?:\.[0-9]{1,3})?)")
OFF: Final = "off"


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


def is_timed(limits: Limits) -> bool:
    """Whether time may decide matches; the usual limits only end what hangs."""
    return replace(limits, freeze=False) != Limits()


@dataclass(frozen=True)
class FactorBounds:
    """How far limits are scaled, so that they mean seconds of the reference processor."""

    low: float = 0.5
    high: float = 2.0

    @property
    def are_off(self) -> bool:
        """Whether a second is a second of whichever machine plays."""
        return self.low == self.high == 1.0

    def factor(self, speed: float) -> float:
        """What limits are multiplied by on a processor that is so fast, 1 being the reference."""
        return round(min(self.high, max(self.low, 1 / speed)), 3)

    def hold(self, speed: float) -> bool:
        """Whether all of the difference is made up for."""
        return self.low <= 1 / speed <= self.high


NOT_SCALED: Final = FactorBounds(1.0, 1.0)


def parse_factor_bounds(text: str) -> FactorBounds:
    """Bounds as LOW-HIGH, with 1 between them, or off."""
    if text == OFF:
        return NOT_SCALED
    if found := FACTORS.fullmatch(text):
        low, high = float(found[1]), float(found[2])
        if 0 < low <= 1 <= high:
            return FactorBounds(low, high)
    raise BotError(f"expected bounds of the time factor as 0.5-2, or off, got {text!r}")


def write_factor_bounds(bounds: FactorBounds) -> str:
    """The inverse of `parse_factor_bounds`."""
    return OFF if bounds.are_off else f"{bounds.low:g}-{bounds.high:g}"


def scale_limits(limits: Limits, factor: float) -> Limits:
    """The limits with every span so many times as long."""
    return replace(
        limits,
        start=limits.start * factor,
        move=limits.move * factor,
        bank=limits.bank * factor,
    )


def parse_limits(text: str, freeze: bool = False) -> Limits:
    """Limits as MOVE, MOVE+BANK, and either with /START behind: 500ms, 1s+10s, 1s+2m/30s."""
    found = WRITTEN.fullmatch(text)
    if not found:
        raise BotError(f"expected a time as 1s, 1s+10s or 1s+10s/20s in ms, s or m, got {text!r}")
    move, bank, start = (_seconds(part) for part in found.groups())
    if not move:
        raise BotError(f"expected a time per move greater than zero, got {text!r}")
    return Limits(Limits.start if start is None else start, move, bank or 0.0, freeze)


def write_limits(limits: Limits) -> str:
    """The inverse of `parse_limits`, but for freezing; the same time has the same text."""
    bank = f"+{_write_span(limits.bank)}" if limits.bank else ""
    start = f"/{_write_span(limits.start)}" if limits.start != Limits.start else ""
    return f"{_write_span(limits.move)}{bank}{start}"


def limit_words(limits: Limits) -> list[str]:
    """The options of a command that ask for these limits, where they are not the usual ones."""
    words = ["--time", write_limits(limits)] if is_timed(limits) else []
    return [*words, "--freeze"] if limits.freeze else words


def _seconds(part: str | None) -> float | None:
    if part is None:
        return None
    number = part.rstrip("ms")
    return float(Decimal(number) * UNITS[part.removeprefix(number)])


def _write_span(seconds: float) -> str:
    """In seconds; in another unit where seconds have too many digits to be read again."""
    for unit, size in UNITS.items():
        text = f"{Decimal(seconds) / size:.6f}".rstrip("0").rstrip(".") + unit
        if re.fullmatch(SPAN, text) and _seconds(text) == seconds:
            return text
    return f"{seconds:g}s"
