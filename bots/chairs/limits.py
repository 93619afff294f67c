"""The time a bot has: as data, and as it is written on a command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bots.discovery.spec import BotError

UNITS: Final = {"s": Decimal(1), "ms": Decimal("0.001"), "m": Decimal(60)}
SPAN: Final = r"([0-9]{1,6}(?:\.[0-9]{1,6})?(?:ms|s|m))"
WRITTEN: Final = re.compile(rf"{SPAN}(?:\+{SPAN})?(?:/{SPAN})?")


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
    """The inverse of `parse_limits`, but for freezing; the same time has the same text."""
    bank = f"+{_write_span(limits.bank)}" if limits.bank else ""
    start = f"/{_write_span(limits.start)}" if limits.start != Limits.start else ""
    return f"{_write_span(limits.move)}{bank}{start}"


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
