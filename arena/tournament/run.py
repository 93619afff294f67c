"""One run of a tournament: its matches, its progress, and a Ctrl-C that loses nothing."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from arena.playing.machine_failures import MachineFailures
from arena.playing.progress import notify, show_progress
from arena.playing.result_writer import ResultWriter, play_fixtures
from arena.playing.runner import MAX_AT_ONCE, Runner
from arena.playing.signals import interruptible
from arena.reports.wording import format_count
from arena.schedule import Fixture
from arena.tournament.contest import Contest
from bots.chairs.pool import Isolation
from engine.errors import ArenaError
from engine.match import MatchResult
from leagues.storage.handle import Storage

SAMPLE: Final = 10.0  # seconds of matches that a dry run plays to estimate how long all will take
MACHINE_FAILED: Final = 3  # exit codes
INTERRUPTED: Final = 130


def is_rated(isolation: Isolation) -> bool:
    """Whether results count: not where a bot could have helped itself."""
    return isolation.layers is not None or isolation.name == "house"


@dataclass(frozen=True)
class TournamentRun:
    """A contest with the isolation of its bots and the runner of its matches."""

    contest: Contest
    isolation: Isolation
    runner: Runner[Fixture]

    def play(self, storage: Storage, resume: str) -> int:
        """Play what is missing; an exit code: 130 if stopped by hand, 3 if the machine failed."""
        contest = self.contest
        done = storage.reader.results.played(contest.id)
        if contest.size is not None and all(number in done for number in range(contest.size)):
            notify(f"nothing is left to play: all {contest.size:,} matches are stored")
            return 0
        budget = contest.plan.budget
        end = math.inf if budget is None else time.monotonic() + budget
        failures = MachineFailures()
        labels = [contender.label for contender in contest.field]
        runner = self.runner
        with (
            show_progress(labels, len(done), contest.size) as progress,
            interruptible(runner.stop, resume),
        ):

            def on_result(fixture: Fixture, result: MatchResult) -> MatchResult:
                progress.add(fixture, result)
                if time.monotonic() > end:
                    runner.stop()
                return result

            try:
                play_contest(
                    contest, runner, storage, is_rated(self.isolation), failures, on_result
                )
            except ArenaError:
                notify(f"to go on: {resume}")
                raise
        if runner.stopping:
            notify(f"to go on: {resume}")
            return INTERRUPTED if time.monotonic() < end else 0
        if failures.total:
            missing = format_count(failures.total, "match")
            notify(f"the machine failed to play {missing}; to play what is missing: {resume}")
            return MACHINE_FAILED
        return 0

    def measure_match(self) -> tuple[float, int]:
        """Seconds a match takes, from some that are played and not stored; and matches at once."""
        began = time.monotonic()
        taken = 0.0
        count = 0
        sample = itertools.islice(self.contest.schedule, 0, None, max(1, self._stride()))
        runner = self.runner
        for _, outcome in runner.run((fixture, fixture.spec) for fixture in sample):
            if isinstance(outcome, MatchResult):
                taken += outcome.seconds
                count += 1
            if time.monotonic() > began + SAMPLE:
                runner.stop()
        return taken / max(1, count), runner.jobs()

    def _stride(self) -> int:
        """Between the matches of a sample, such that it sees every kind of them."""
        size = self.contest.size or 1000
        return size // 40


def play_contest(
    contest: Contest,
    runner: Runner[Fixture],
    storage: Storage,
    rated: bool,
    failures: MachineFailures,
    on_result: Callable[[Fixture, MatchResult], MatchResult] = lambda _, result: result,
) -> None:
    """Play and store what is not stored yet."""
    at_once = 1 if contest.adaptive or contest.by_results else MAX_AT_ONCE
    with ResultWriter(storage, contest.id, contest.entrants, rated) as writer:
        for part in _missing_parts(contest, writer):
            play_fixtures(runner, part, writer, failures, on_result, at_once=at_once)
            if runner.stopping:
                break


def _missing_parts(contest: Contest, writer: ResultWriter) -> Iterator[Iterable[Fixture]]:
    """What is missing, in parts that are asked for when the one before was played."""
    storage = writer.storage
    done = storage.reader.results.played(contest.id)
    if contest.by_results is not None:
        for due in contest.by_results.batches(lambda: storage.reader.results.ranks(contest.id)):
            yield (fixture for fixture in due if fixture.number not in done)
            writer.write()
        return
    yield (fixture for fixture in contest.schedule if fixture.number not in done)
    adaptive = contest.adaptive
    if adaptive is None:
        return
    from arena.schedule.adaptive import is_reached
    from arena.tournament.adaptive import skills_by_batch

    writer.write()
    for batch, skills in skills_by_batch(storage.reader, contest.id, adaptive, contest.entrants):
        if is_reached(skills.mean, skills.covariance, adaptive.goal):
            return
        fixtures = adaptive.batch(batch, skills.mean, skills.covariance)
        yield (fixture for fixture in fixtures if fixture.number not in done)
        writer.write()
