"""How a long run is going: a live picture on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final, Self

from arena.schedule import Fixture
from bots.protocol.sanitize import for_terminal
from engine.match import MatchResult

if TYPE_CHECKING:  # they load slowly: rich is for a terminal, and nobody leads before a match
    from rich.console import RenderableType
    from rich.live import Live
    from rich.progress import Progress

    from leagues.ratings.thurstone import PairCounts

REFRESH: Final = 2.0  # seconds between two looks at who leads
LINES: Final = 10.0  # seconds between two lines
COUNTED_TOGETHER: Final = 1000  # matches, at most
MAX_LEADERS: Final = 5  # shown


class Ticker(AbstractContextManager["Ticker"]):
    """Counts matches and shows rate, time left and what `lead` says of the standing."""

    def __init__(
        self, done: int, total: int | None, lead: Callable[[], list[str]], what: str = ""
    ) -> None:
        self.what = what
        self.total = total
        self.first = self.done = done
        self.faults = 0
        self.lead = lead
        self.began = self.looked = time.monotonic()
        self.live: Live | None = None
        self.bar: Progress | None = None
        self.leaders: list[str] = []

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._start_picture()
        return self

    def _start_picture(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self.bar = Progress(
            TextColumn(for_terminal(self.what) or "playing", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            console=console,
        )
        self.bar.add_task("", total=self.total, completed=self.done, rate="")
        self.live = Live(self._picture(self.bar), console=console, refresh_per_second=4)
        self.live.start()

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self._look()
            self.live.stop()
        elif self.done > self.first:
            self._look()
            notify(self._line())

    def count(self, faults: int = 0) -> None:
        """One more match."""
        self.done += 1
        self.faults += faults
        now = time.monotonic()
        if self.bar is not None:
            [task] = self.bar.task_ids
            self.bar.update(task, completed=self.done, rate=f"{self._rate():.1f}/s")
            if now > self.looked + REFRESH:
                self._look()
        elif now > self.looked + LINES:
            self.looked = now
            self.leaders = self.lead()
            notify(self._line())

    def _look(self) -> None:
        self.looked = time.monotonic()
        self.leaders = self.lead()
        if self.live is not None and self.bar is not None:
            self.live.update(self._picture(self.bar))

    def _picture(self, bar: Progress) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        return Group(bar, *(Text(for_terminal(line)) for line in self.leaders))

    def _rate(self) -> float:
        return (self.done - self.first) / max(1e-9, time.monotonic() - self.began)

    def _line(self) -> str:
        of = f"{self.done:,}" if self.total is None else f"{self.done:,} of {self.total:,}"
        parts = [f"{of} matches", f"{self._rate():.1f}/s"]
        if self.total is not None and self.done < self.total:
            parts.append(
                f"{format_duration((self.total - self.done) / max(1e-9, self._rate()))} left"
            )
        if self.faults:
            parts.append("1 fault" if self.faults == 1 else f"{self.faults:,} faults")
        if self.leaders:
            parts.append("leading in this run: " + ", ".join(self.leaders))
        return f"{self.what}: {'; '.join(parts)}" if self.what else "; ".join(parts)


def format_duration(seconds: float) -> str:
    """A length of time in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


class Leaders:
    """Who leads, by the matches of this run."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = labels
        self.pairs: dict[str, PairCounts] = {}
        # Entrants and ranks of matches that are not counted yet, by game: many cost less together.
        self._waiting: dict[str, list[tuple[Sequence[int], Sequence[int]]]] = {}

    def add(self, fixture: Fixture, result: MatchResult) -> None:
        """Count a match, now or with those to come."""
        waiting = self._waiting.setdefault(result.spec.game, [])
        waiting.append((fixture.entrants, result.ranks))
        if len(waiting) >= COUNTED_TOGETHER:
            self._count()

    def _count(self) -> None:
        from leagues.ratings.thurstone import PairCounts

        for game, waiting in self._waiting.items():
            if game not in self.pairs:
                self.pairs[game] = PairCounts(range(len(self.labels)))
            for players in {len(ranks) for _, ranks in waiting}:
                at_table = [(who, ranks) for who, ranks in waiting if len(ranks) == players]
                self.pairs[game].add_ranks(*zip(*at_table, strict=True))
            waiting.clear()

    def lines(self) -> list[str]:
        """The first five of each game."""
        from leagues.ratings.field_prior import fit_field

        self._count()
        lines = []
        for game, pairs in self.pairs.items():
            skills = fit_field(pairs)
            wide = 1.96 * skills.deviation()
            best = sorted(range(len(self.labels)), key=lambda place: -skills.mean[place])[
                :MAX_LEADERS
            ]
            shown = (f"{self.labels[b]} {skills.mean[b]:.1f} ± {wide[b]:.1f}" for b in best)
            lines.append(f"{game}: {', '.join(shown)}")
        return lines


def notify(text: str) -> None:
    """Print a line on stderr, out of the way of results."""
    print(for_terminal(text), file=sys.stderr)  # noqa: T201


@cache
def notify_once(text: str) -> None:
    """Print a line as `notify` does, but once in a process; no line for an empty text."""
    if text:
        notify(text)


class RunProgress:
    """The progress of a run: matches are counted, and who leads by them is shown."""

    def __init__(self, ticker: Ticker, leaders: Leaders) -> None:
        self._ticker = ticker
        self._leaders = leaders

    def add(self, fixture: Fixture, result: MatchResult) -> None:
        """One more match."""
        self._leaders.add(fixture, result)
        self._ticker.count(len(result.faults))


@contextmanager
def show_progress(
    labels: Sequence[str], done: int, total: int | None, what: str = ""
) -> Iterator[RunProgress]:
    """Show the progress of a run of the bots with these labels."""
    leaders = Leaders(labels)
    with Ticker(done, total, leaders.lines, what) as ticker:
        yield RunProgress(ticker, leaders)
