"""Figures of a benchmark, kept for the page when someone asks for them."""

import json
import os
from pathlib import Path
from typing import NamedTuple

WHERE = "BENCH_FIGURES"  # names the file they are added to, a line each


class Figure(NamedTuple):
    """What was measured, and what it should be: an aim such as <= 3, or none."""

    what: str
    value: float | None  # None where it could not be measured
    unit: str
    aim: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the aim was met; None where there is no saying."""
        if not self.aim or self.value is None:
            return None
        sign, number = self.aim.split()
        limit = float(number.replace(",", ""))
        return {
            "<=": self.value <= limit,
            ">=": self.value >= limit,
            "<": self.value < limit,
        }[sign]


def keep(what: str, value: float | None, unit: str, aim: str = "") -> None:
    """Add a figure to the file, if there is one."""
    if path := os.environ.get(WHERE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(Figure(what, value, unit, aim)) + "\n")


def read(path: Path) -> list[Figure]:
    """The figures of a file."""
    if not path.exists():
        return []
    return [Figure(*json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
