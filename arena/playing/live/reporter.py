"""How far a match has come: written by the worker that plays it, read by who publishes it.

A report is a file that each worker process replaces. A process that is killed halfway through
leaves the file before, and holds no lock that others wait for.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from arena.log_config import LOGGER
from arena.playing.referee import Watcher
from engine.contract import Action, Seat, State
from engine.match import MatchSpec

EVERY: Final = 1.0  # seconds between two reports; a match that takes less has none
SUFFIX: Final = ".json"

# What tells the matches of a schedule apart.
MatchKey: TypeAlias = tuple[int, tuple[str, ...], tuple[str, ...]]


def match_key(spec: MatchSpec) -> MatchKey:
    """The deal, who plays, and what they play."""
    return spec.seed, spec.bots, spec.setup.wonders


@dataclass(frozen=True)
class MatchReport:
    """The decisions of a match so far; of each round when it was over, and how many there were."""

    key: MatchKey
    decisions: tuple[Action, ...]
    rounds: tuple[tuple[float, int], ...]  # by the clock that all processes of a machine share

    def until(self, moment: float) -> tuple[Action, ...] | None:
        """The decisions of the rounds that were over then; None if it had not begun."""
        counts = [count for at, count in self.rounds if at <= moment]
        return self.decisions[: counts[-1]] if counts else None


@dataclass
class _Course:
    """A match under way; appended to by the referee, read by the thread that reports."""

    key: MatchKey
    decisions: list[Action] = field(default_factory=list)
    rounds: list[tuple[float, int]] = field(default_factory=list)


class MatchReporter:
    """Reports the match of a worker process, now and then, whatever its bots do."""

    def __init__(self, folder: Path, every: float = EVERY) -> None:
        self._path = folder / f"{os.getpid()}{SUFFIX}"
        self.every = every
        self._stopped = threading.Event()
        self._course: _Course | None = None
        self._reported: tuple[_Course, int] | None = None  # and how many rounds of it

    def start(self) -> None:
        """Report from a thread of its own, until it is stopped."""
        threading.Thread(target=self._report_on, name="live reports", daemon=True).start()

    def stop(self) -> None:
        """The thread ends by itself."""
        self._stopped.set()

    def watcher(self, spec: MatchSpec) -> Watcher:
        """What the referee of this match calls; the match before is over, or given up."""
        course = self._course = _Course(match_key(spec))

        def watch(_: State, moves: list[tuple[Seat, Action]]) -> None:
            course.decisions.extend([action for _, action in moves])
            course.rounds.append((time.monotonic(), len(course.decisions)))

        return watch

    def _report_on(self) -> None:
        while not self._stopped.wait(self.every):
            try:
                self.report()
            except OSError as problem:  # such as a full disk: the match goes on, unseen
                LOGGER.warning("a match under way was not reported: %s", problem)

    def report(self) -> None:
        """Write how far the match has come, if it has, and if it takes longer than most."""
        course = self._course
        if course is None:
            return
        rounds = tuple(course.rounds)
        if not rounds or rounds[0][0] > time.monotonic() - self.every:
            return
        if self._reported is not None and self._reported[0] is course:
            if self._reported[1] == len(rounds):
                return
        decisions = course.decisions[: rounds[-1][1]]
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps([course.key, decisions, rounds]), encoding="utf-8")
        new.replace(self._path)
        self._reported = course, len(rounds)


def read_reports(folder: Path) -> Iterator[MatchReport]:
    """The last report of every worker, also of those that died; the newest match last."""
    paths = folder.glob(f"*{SUFFIX}")
    found: list[Any] = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    for (seed, bots, wonders), decisions, rounds in sorted(found, key=lambda each: each[2][0]):
        key = (seed, tuple(bots), tuple(wonders))
        yield MatchReport(key, tuple(decisions), tuple((at, count) for at, count in rounds))
