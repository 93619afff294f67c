"""Where a contest is played: its workers, how it is going, and a Ctrl-C that loses nothing."""

from __future__ import annotations

import itertools
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from arena.log_config import LogQueue
from arena.playing import worker
from arena.playing.progress import Ticker
from arena.playing.runner import MatchOutcome, Runner
from arena.playing.signals import interruptible
from arena.reports.wording import plain
from arena.schedule import Fixture
from arena.schedule.adaptive import parse_budget
from arena.tournament.contest import Contest, ResultWriter, is_rated, play
from bots.chairs.limits import Limits
from bots.chairs.pool import Isolation
from engine.errors import ArenaError
from engine.match import MatchResult
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.thurstone import PairCounts, fit
from leagues.storage.results import Store

LEADERS: Final = 5
REHEARSAL: Final = 10.0  # seconds of matches that a dry run plays to tell how long all will take


def notify(text: str) -> None:
    """A line for people, out of the way of results."""
    print(plain(text), file=sys.stderr)  # noqa: T201


@dataclass(frozen=True)
class TournamentRun:
    """A contest with the ground its bots stand on and the workers that play it."""

    contest: Contest
    ground: Isolation
    limits: Limits
    jobs: int

    def runner(self, queue: LogQueue) -> Runner[Fixture]:
        """Workers, each on a core."""
        bots = {contender.label: contender.spec for contender in self.contest.field}
        conditions = worker.Conditions(
            bots,
            self.ground,
            self.limits,
            {
                contender.spec: contender.digest.partition("#")[0]
                for contender in self.contest.field
                if contender.source in ("file", "folder", "program", "command")
            },
        )
        return Runner(
            partial(worker.open_pool, conditions, self.jobs, queue), worker.play, self.jobs
        )

    def play(self, store: Store, queue: LogQueue, resume: str) -> int:
        """Play what is missing; an exit code: 130 if stopped by hand, 3 if the machine failed."""
        contest = self.contest
        budget = contest.plan.budget
        end = time.monotonic() + parse_budget(budget) if budget else math.inf
        done = len(store.played(contest.id))
        scribe = ResultWriter(store, contest, is_rated(self.ground))
        leaders = Leaders([contender.label for contender in contest.field])
        with (
            self.runner(queue) as runner,
            Ticker(done, contest.size, leaders.lines) as ticker,
            interruptible(runner.stop, resume),
        ):

            def tell(fixture: Fixture, outcome: MatchOutcome) -> None:
                if isinstance(outcome, MatchResult):
                    leaders.add(fixture, outcome)
                    ticker.count(len(outcome.faults))
                if time.monotonic() > end:
                    runner.stop()

            try:
                play(contest, runner, scribe, tell)
            except ArenaError:
                notify(f"to go on: {resume}")
                raise
        if runner.stopping:
            notify(f"to go on: {resume}")
        elif scribe.troubles:
            notify(f"{scribe.troubles} matches were spoilt by the machine; to play them: {resume}")
            return 3
        return 130 if runner.stopping and time.monotonic() < end else 0

    def rehearse(self, queue: LogQueue) -> float:
        """Seconds a match takes here, from some that are played and forgotten."""
        began = time.monotonic()
        taken = 0.0
        count = 0
        sample = itertools.islice(self.contest.schedule, 0, None, max(1, self._stride()))
        with self.runner(queue) as runner:
            for _, outcome in runner.run((fixture, fixture.spec) for fixture in sample):
                if isinstance(outcome, MatchResult):
                    taken += outcome.seconds
                    count += 1
                if time.monotonic() > began + REHEARSAL:
                    runner.stop()
        return taken / max(1, count)

    def _stride(self) -> int:
        """Between the matches of a sample, such that it sees every kind of them."""
        size = self.contest.size or 1000
        return size // 40


class Leaders:
    """Who leads, by the matches of this run."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = labels
        self.pairs: dict[str, PairCounts] = {}

    def add(self, fixture: Fixture, result: MatchResult) -> None:
        """Count a match."""
        game = result.spec.game
        pairs = self.pairs.setdefault(game, PairCounts(range(len(self.labels))))
        pairs.add(
            PlacedMatch(
                fixture.number,
                game,
                fixture.entrants,
                result.spec.setup.wonders,
                tuple(result.scores),
                tuple(result.ranks),
                (),
            )
        )

    def lines(self) -> list[str]:
        """The first five of each game."""
        lines = []
        for game, pairs in self.pairs.items():
            skills = fit(pairs)
            wide = 1.96 * skills.deviation()
            best = sorted(range(len(self.labels)), key=lambda place: -skills.mean[place])[:LEADERS]
            shown = (f"{self.labels[b]} {skills.mean[b]:.1f} ± {wide[b]:.1f}" for b in best)
            lines.append(f"{game}: {', '.join(shown)}")
        return lines
