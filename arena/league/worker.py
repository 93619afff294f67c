"""A worker of leagues: checks who is new, plays what is due, and never what another one plays."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

from arena.league.admission import AdmissionChecks
from arena.league.heartbeat import hold_lease
from arena.league.planning.agenda import DueStage, agenda, is_current
from arena.league.retry import RetryList
from arena.league.rules import LeagueRules, parse_rules
from arena.league.suspension import suspend
from arena.league.unpacked_bots import UnpackedBots, WorkerOptions, league_isolation
from arena.log_config import LogQueue
from arena.playing import worker
from arena.playing.live.publisher import MatchPublisher
from arena.playing.machine_failures import BlameLedger, MachineFailures
from arena.playing.progress import RunProgress, notify, show_progress
from arena.playing.result_writer import ResultWriter, play_fixtures
from arena.playing.runner import NotPlayed, Runner
from arena.schedule import Fixture
from arena.tempdirs import TempFolder
from bots.sandbox.errors import SandboxError
from engine.errors import ArenaError
from engine.match import MatchResult
from leagues.errors import DatabaseUnavailableError
from leagues.records import WORKER, League, LeagueState
from leagues.storage import leases
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from leagues.storage.reliability import FaultCounter
from leagues.submissions.lifecycle import DAY, PLAYING

AHEAD: Final = 4  # matches claimed at once, for each process
LOOK: Final = 1.0  # seconds between two looks at whether the field has changed
IDLE: Final = 0.5  # seconds between two looks for work
MAX_DATABASE_WAIT: Final = 30.0  # seconds between two tries to reach the database


@contextmanager
def open_league_worker(
    storage: Storage, options: WorkerOptions, queue: LogQueue
) -> Iterator[LeagueWorker]:
    """A worker, enrolled while it is open; whatever goes wrong, nothing of it stays."""
    with (
        closing(UnpackedBots(storage.reader)) as unpacked,
        hold_lease(storage, options.lease) as worker,
        closing(LeagueWorker(storage, options, queue, unpacked, worker)) as league_worker,
    ):
        yield league_worker


class LeagueWorker:
    """One worker process of some leagues: it checks submissions and plays what is due."""

    def __init__(
        self,
        storage: Storage,
        options: WorkerOptions,
        queue: LogQueue,
        unpacked: UnpackedBots,
        worker: int,
    ) -> None:
        self.storage = storage
        self.options = options
        self.queue = queue
        self.unpacked = unpacked
        self.id = worker
        self.retries = RetryList()
        self.checks = AdmissionChecks(storage, options, unpacked, worker, self.retries)
        self.stopping = False
        self.played = 0
        self.failures = MachineFailures()
        self._runner: Runner[Fixture] | None = None
        self._seats: dict[str, str] = {}  # what the runner's workers know
        self._league = 0  # whose runner it is
        self._stage: dict[int, int] = {}  # of each league the one seen last
        self._quiet: dict[int, tuple[int, ...]] = {}  # leagues as they were with nothing to do
        self._faults: dict[int, FaultCounter] = {}
        self._ledgers: dict[int, BlameLedger] = {}
        self._notified: set[str] = set()
        self._reports: TempFolder | None = None  # what the runner's workers tell of their matches

    def close(self) -> None:
        """Let the processes go."""
        if self._runner is not None:
            self._runner.__exit__()
            self._runner = None
        if self._reports is not None:
            self._reports.close()
            self._reports = None

    def stop(self) -> None:
        """Begin nothing more."""
        self.stopping = self.checks.stopping = True
        if self._runner is not None:
            self._runner.stop()

    def work(self, names: list[str], follow: bool) -> None:
        """Do what is due in these leagues, or in all; then wait for more, if asked to."""
        for name in names:
            league = self.storage.reader.leagues.by_name(name)
            if self.storage.reader.leagues.state(league.id) == LeagueState.CLOSED:
                self._notify_once(f"{name} is CLOSED: nothing is checked or played")
        self.retries.endless = follow
        failures = 0  # of the database, one after the other
        while not self.stopping:
            try:
                busy, waiting = self._round(names)
            except DatabaseUnavailableError as problem:
                if not follow:
                    raise
                failures += 1
                if failures == 1:
                    notify(f"{problem}; trying again")
                self._pause(min(MAX_DATABASE_WAIT, 2.0 ** (failures - 1)))
                continue
            if failures:
                notify("the database answers again")
                failures = 0
            if busy:
                continue
            if not follow and not waiting:
                return
            self._pause(IDLE)

    def _round(self, names: list[str]) -> tuple[bool, bool]:
        """A turn of every league: whether anything was done, and whether some waits."""
        busy = waiting = False
        for league in self._leagues(names):
            if self.stopping:
                break
            done, others = self._turn(league)
            busy = busy or done
            waiting = waiting or others
        return busy, waiting

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self.stopping and time.monotonic() < until:
            time.sleep(0.05)

    def _leagues(self, names: list[str]) -> list[League]:
        if names:
            return [self.storage.reader.leagues.by_name(name) for name in names]
        return self.storage.reader.leagues.all()

    def _turn(self, league: League) -> tuple[bool, bool]:
        """One league's checks and its stage: whether anything was done, and whether some waits."""
        mark = self.storage.reader.stages.change_token(league.id)
        if self._quiet.get(league.id) == mark:
            return False, False
        state = self.storage.reader.leagues.state(league.id)
        if state in (LeagueState.CLOSED, LeagueState.ARCHIVED):
            return False, False
        rules = parse_rules(league.rules, league.name)
        checked, waiting = self.checks.check_all(league, rules)
        if self.stopping:
            return checked, waiting
        played = False
        # A stage that is opened while another worker checks would be given up when that is done.
        due, why_not = self._due(league, rules, state, may_open=not waiting)
        if due is not None:
            played = self._play(league, rules, due) > 0
            waiting = waiting or not self._is_stuck(due)
        elif not checked and not waiting:
            self._notify_once(why_not)
            if not self.retries and rules.per_day is None:
                self._quiet[league.id] = mark
        return checked or played, waiting

    def _due(
        self, league: League, rules: LeagueRules, state: str, may_open: bool
    ) -> tuple[DueStage | None, str]:
        """The stage that is due; or why there is none."""
        due = None
        why_not = f"{league.name} is {state}: nothing is played"
        if state in PLAYING and self._left_today(league, rules) <= 0:
            why_not = (
                f"{league.name}: {rules.per_day} matches were played in 24 hours, as its rules say"
            )
        elif state in PLAYING:
            plan = agenda(self.storage, league, rules, may_open)
            due, why_not = plan.due, f"{league.name}: {plan.why_not}"
            if plan.left_out:
                self._notify_once(f"{league.name}: {plan.left_out}")
        now = 0 if due is None else due.stage.tournament
        before = self._stage.get(league.id, now)
        self._stage[league.id] = now
        if before != now:
            self.retries.drop_all(leases.match_tasks(before))
        return due, why_not

    def _is_stuck(self, due: DueStage) -> bool:
        """Whether all that is left of a stage is given up here; else it is to be waited for.

        It is another worker's, or put off, or its time has come by now.
        """
        if not self.retries:
            return False
        tournament = due.stage.tournament
        played = self.storage.reader.results.played(tournament)
        left = [fixture.number for fixture in due.fixtures if fixture.number not in played]
        tasks = [leases.match_task(tournament, number) for number in left]
        return bool(tasks) and all(self.retries.is_exhausted(task) for task in tasks)

    def _notify_once(self, text: str) -> None:
        """Print a line that was not printed before."""
        if text not in self._notified:
            self._notified.add(text)
            notify(text)

    def _play(self, league: League, rules: LeagueRules, due: DueStage) -> int:
        """Play what nobody else plays of a stage; how many matches."""
        tournament = due.stage.tournament
        runner = self._open_runner(league, rules, due)
        before = self.played

        def release(portion: list[ScheduledResult]) -> None:
            done = [leases.match_task(tournament, each.number) for each in portion]
            self.storage.leases.release(self.id, done)

        try:
            with (
                ResultWriter(self.storage, tournament, due.entrants, on_stored=release) as writer,
                self._progress(league, due) as progress,
                self._publishing(rules, due) as publisher,
            ):

                def on_result(fixture: Fixture, result: MatchResult) -> MatchResult:
                    self.played += 1
                    self.retries.drop(leases.match_task(tournament, fixture.number))
                    progress.add(fixture, result)
                    return self.unpacked.strip_result_paths(result)

                def on_failure(fixture: Fixture, failure: NotPlayed) -> None:
                    self._defer(leases.match_task(tournament, fixture.number), fixture, failure)

                claimed = self._claimed(league, rules, due, runner.jobs)
                if publisher is not None:
                    claimed = publisher.follow(claimed)
                play_fixtures(runner, claimed, writer, self.failures, on_result, on_failure)
        finally:
            # Claims of matches that were not begun, such as when it was stopped.
            self.storage.leases.release(self.id)
        self._suspend(league)
        return self.played - before

    @contextmanager
    def _publishing(self, rules: LeagueRules, due: DueStage) -> Iterator[MatchPublisher | None]:
        """Shows matches under way while it is open, if the league's rules want that."""
        if rules.live_delay is None or self._reports is None:
            yield None
            return
        folder, delay = self._reports.path, rules.live_delay
        with MatchPublisher(
            self.storage, self.id, due.stage.tournament, due.entrants, folder, delay
        ) as publisher:
            yield publisher

    @contextmanager
    def _progress(self, league: League, due: DueStage) -> Iterator[RunProgress]:
        """How the stage is going, and who leads by what this worker plays of it."""
        entries = {
            entry.entrant: entry for entry in self.storage.reader.leagues.submissions(league.id)
        }
        labels = [entries[entrant].label for entrant in due.entrants]
        done = self.storage.reader.stages.matches_by_stage(league.id).get(due.stage.tournament, 0)
        what = f"{league.name}, stage {due.stage.number}, {due.stage.kind}"
        with show_progress(labels, done, len(due.fixtures), what) as progress:
            yield progress

    def _claimed(
        self, league: League, rules: LeagueRules, due: DueStage, jobs: Callable[[], int]
    ) -> Iterator[Fixture]:
        """Matches as they are claimed, a few at a time, while the stage is what is due."""
        unplayed = self.storage.leases.unplayed(due.stage.tournament, len(due.fixtures))
        looked = time.monotonic()
        while not self.stopping:
            if time.monotonic() > looked + LOOK:
                looked = time.monotonic()
                self._suspend(league)
                if not self._is_due(league, due):
                    return
            most = min(AHEAD * jobs(), self._left_today(league, rules))
            mine = unplayed.claim(self.id, most, self.retries) if most > 0 else []
            if not mine:
                return
            for number in mine:
                yield due.fixtures[number]

    def _left_today(self, league: League, rules: LeagueRules) -> int:
        """How many matches the league may begin, as far as its rules bound those of a day."""
        if rules.per_day is None:
            return sys.maxsize
        reader = self.storage.reader
        played = reader.stages.matches_since(league.id, int(time.time()) - DAY)
        stage = self._stage.get(league.id)
        return rules.per_day - played - (reader.leases.under_way(stage) if stage else 0)

    def _is_due(self, league: League, due: DueStage) -> bool:
        """Whether the league still plays this stage, and nobody is to be checked first."""
        if self.storage.reader.leagues.state(league.id) not in PLAYING:
            return False
        if not is_current(self.storage.reader, league.id, due):
            return False
        return not any(self.checks.is_free(entry) for entry in self.checks.wanted(league.id))

    def _defer(self, task: str, fixture: Fixture, failure: NotPlayed) -> None:
        """Leave a match for later, to this worker or another: no bot is to blame."""
        self.storage.leases.release(self.id, [task])
        kind = ArenaError if failure.internal_error else SandboxError
        self.retries.defer(task, kind(f"{fixture.id} was not played: {failure.detail}"))

    def _suspend(self, league: League) -> None:
        faults = self._faults.setdefault(
            league.id, self.storage.reader.leagues.fault_counter(league.id)
        )
        for label, reason in suspend(self.storage, league.id, faults, f"{WORKER}{self.id}"):
            notify(f"{label}: SUSPENDED: {reason}")

    def _open_runner(self, league: League, rules: LeagueRules, due: DueStage) -> Runner[Fixture]:
        """Workers that know the bots of a stage; those of the stage before, if they do."""
        entries = {
            entry.entrant: entry for entry in self.storage.reader.leagues.submissions(league.id)
        }
        wanted = {
            entries[entrant].label: self.unpacked.path(entries[entrant]) for entrant in due.entrants
        }
        # A cluster's workers have no folder in common with this one.
        shows = rules.live_delay is not None and not self.options.workers.cluster
        knows = self._league == league.id and wanted.items() <= self._seats.items()
        if self._runner and knows and shows == (self._reports is not None):
            return self._runner
        self.close()
        self._reports = TempFolder() if shows else None
        isolation = league_isolation(rules, list(wanted.values()), self.options)
        conditions = worker.Conditions(
            wanted,
            isolation,
            rules.settings.limits,
            known=False,
            factor_bounds=rules.settings.factor_bounds,
            reports=str(self._reports.path) if self._reports is not None else "",
        )
        ledger = self._ledgers.setdefault(league.id, BlameLedger())
        self._runner = self.options.workers.open_runner(conditions, self.queue, ledger=ledger)
        self._seats, self._league = wanted, league.id
        return self._runner
