"""What a search for parameters has found, in words for people and as data for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from arena.compare import report
from arena.compare.comparison import Comparison
from arena.playing.progress import format_duration
from arena.reports.table import Column, Report
from arena.tune.search import Candidate, Search

SHOWN: Final = 5  # candidates, in the table
COLUMNS: Final = (
    Column("candidate", ""),
    Column("games", "games", ","),
    Column("gain", "rank points gained", "+.3f"),
    Column("error", "±", ".3f"),
)


@dataclass
class Advice:
    """A search, and the comparison on fresh deals that says whether to believe it."""

    search: Search
    seed: int
    confirmation: Comparison | None = None
    confirmed_in: float = 0.0  # seconds
    seconds: float = 0.0
    saved_as: str = ""  # under which its games are stored

    def headline(self) -> str:
        """The verdict in a sentence."""
        if self.confirmation is not None:
            return report.headline(self.confirmation)
        if self.search.problem:
            return f"fault: {self.search.problem}"
        return "undecided: the search was not finished, and nothing confirmed"

    def tried(self) -> list[str]:
        """How much was looked at."""
        tried = list(self.search.candidates.values())
        failed = f"; {sum(each.failed for each in tried)} of them failed"
        return [
            f"tried   {len(tried)} candidates in {self.search.games:,} games{failed}",
            "        gains in the search are biased by selection; the confirmation below is not",
        ]

    def table(self) -> Report:
        """The best in the search."""
        rows = [
            {
                "candidate": each.words,
                "games": each.comparison.games,
                "gain": each.gain,
                "error": each.comparison.sample.margin(report.RISK),
            }
            for each in self.search.ranking[:SHOWN]
        ]
        return Report("best in the search", COLUMNS, rows)

    def lines(self) -> list[str]:
        """What the confirmation found; if nothing was confirmed, how bots failed first."""
        if self.confirmation is not None:
            return report.lines(self.confirmation, format_duration(self.confirmed_in))
        compared = [each.comparison for each in self.search.candidates.values()]
        sides = [(each.tables.new, each.new) for each in compared]
        sides += [(each.tables.old, each.old) for each in compared]
        return [told for label, side in sides if (told := report.fault(label, side))][:1]

    def facts(self) -> dict[str, Any]:
        """All of it as plain data."""
        best, confirmed = self.search.best, self.confirmation
        return {
            "verdict": self.headline().partition(":")[0],
            "best": None if best is None else {"spec": best.spec, "params": _numbers(best.params)},
            "confirmation": confirmed and report.facts(confirmed, self.confirmed_in),
            "candidates": [_fact(each) for each in self.search.candidates.values()],
            "search_games": self.search.games,
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "saved_as": self.saved_as or None,
        }


def _fact(candidate: Candidate) -> dict[str, Any]:
    low, high = candidate.comparison.sample.interval(report.RISK)
    return {
        "spec": candidate.spec,
        "params": _numbers(candidate.params),
        "failed": candidate.failed,
        "games": candidate.comparison.games,
        "points": round(candidate.gain, 6),
        "points_low": round(low, 6),
        "points_high": round(high, 6),
    }


def _numbers(params: dict[str, str]) -> dict[str, int | float | str]:
    """Parameters as data: numbers where they are."""
    found: dict[str, int | float | str] = {}
    for name, text in params.items():
        try:
            found[name] = int(text) if text.lstrip("-").isdecimal() else float(text)
        except ValueError:
            found[name] = text
    return found
