"""A worker of leagues: checks who is new, plays what is due, and never what another one plays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Final

from arena.league.admission import Checks
from arena.league.agenda import Due, agenda, is_current
from arena.league.lease import enrolled
from arena.league.retry import RetryList
from arena.league.rules import LeagueRules, parse_rules
from arena.league.suspension import suspend
from arena.league.unpacked_bots import UnpackedBots, WorkerOptions, league_isolation
from arena.log_config import LogQueue
from arena.playing import worker
from arena.playing.progress import Ticker
from arena.playing.runner import MatchOutcome, NotPlayed, Runner
from arena.schedule import Fixture
from arena.tournament.contest import version
from arena.tournament.run import Leaders, notify
from bots.sandbox.errors import SandboxError
from engine.errors import ArenaError
from engine.match import MatchSpec
from leagues.ratings.reliability import Faults
from leagues.storage import leases
from leagues.storage.leagues import Roster
from leagues.storage.models import League
from leagues.storage.results import ScheduledResult
from leagues.submissions.lifecycle import PLAYING, WORKER

AHEAD: Final = 4  # matches claimed at once, for each process
PORTION: Final = 100  # matches stored at once, or
PAUSE: Final = 0.25  # seconds between two writes
LOOK: Final = 1.0  # seconds between two looks at whether the field has changed
IDLE: Final = 0.5  # seconds between two looks for work
SPOILT: Final = 20  # matches in a row the machine may spoil


@contextmanager
def open_league_worker(
    roster: Roster, means: WorkerOptions, queue: LogQueue
) -> Iterator[LeagueWorker]:
    """A worker, enrolled while it is open; whatever goes wrong, nothing of it stays."""
    with (
        closing(UnpackedBots(roster)) as bench,
        enrolled(roster, means.lease) as worker,
        closing(LeagueWorker(roster, means, queue, bench, worker)) as shift,
    ):
        yield shift


class LeagueWorker:
    """One worker process: what it does in its time."""

    def __init__(
        self,
        roster: Roster,
        means: WorkerOptions,
        queue: LogQueue,
        bench: UnpackedBots,
        worker: int,
    ) -> None:
        self.roster = roster
        self.means = means
        self.queue = queue
        self.bench = bench
        self.id = worker
        self.holds = RetryList()
        self.checks = Checks(roster, means, bench, worker, self.holds)
        self.stopping = False
        self.played = 0
        self.spoilt = 0  # in a row
        self._runner: Runner[Fixture] | None = None
        self._seats: dict[str, str] = {}  # what the runner's workers know
        self._league = 0  # whose runner it is
        self._stage: dict[int, int] = {}  # of each league the one seen last
        self._quiet: dict[int, tuple[int, ...]] = {}  # leagues as they were with nothing to do
        self._faults: dict[int, Faults] = {}
        self._said: set[str] = set()

    def close(self) -> None:
        """Let the processes go."""
        if self._runner is not None:
            self._runner.__exit__()
            self._runner = None

    def stop(self) -> None:
        """Begin nothing more."""
        self.stopping = self.checks.stopping = True
        if self._runner is not None:
            self._runner.stop()

    def work(self, names: list[str], follow: bool) -> None:
        """Do what is due in these leagues, or in all; then wait for more, if asked to."""
        for name in names:
            league = self.roster.league(name)
            if self.roster.state(league.id or 0) == "CLOSED":
                self._say(f"{name} is CLOSED: nothing is checked or played")
        self.holds.endless = follow
        while not self.stopping:
            busy = False
            waiting = False
            for league in self._leagues(names):
                done, others = self._turn(league)
                busy = busy or done
                waiting = waiting or others
                if self.stopping:
                    return
            if busy:
                continue
            if not follow and not waiting:
                return
            self._rest()

    def _rest(self) -> None:
        until = time.monotonic() + IDLE
        while not self.stopping and time.monotonic() < until:
            time.sleep(0.05)

    def _leagues(self, names: list[str]) -> list[League]:
        if names:
            return [self.roster.league(name) for name in names]
        return self.roster.leagues()

    def _turn(self, league: League) -> tuple[bool, bool]:
        """One league's checks and its stage: whether anything was done, and whether some waits."""
        assert league.id is not None
        mark = self.roster.mark(league.id)
        if self._quiet.get(league.id) == mark:
            return False, False
        state = self.roster.state(league.id)
        if state == "CLOSED":
            return False, False
        charter = parse_rules(league.rules, league.name)
        checked, waiting = self.checks.check_all(league, charter)
        if self.stopping:
            return checked, waiting
        played = False
        # A stage that is opened while another worker checks would be given up when that is done.
        due, why_not = self._due(league, charter, state, may_open=not waiting)
        if due is not None:
            played = self._play(league, charter, due) > 0
            waiting = waiting or not self._is_stuck(due)
        elif not checked and not waiting:
            self._say(why_not)
            if not self.holds:
                self._quiet[league.id] = mark
        return checked or played, waiting

    def _due(
        self, league: League, charter: LeagueRules, state: str, may_open: bool
    ) -> tuple[Due | None, str]:
        """The stage that is due; or why there is none."""
        assert league.id is not None
        due = None
        why_not = f"{league.name} is {state}: nothing is played"
        if state in PLAYING:
            plan = agenda(self.roster, league, charter, may_open)
            due, why_not = plan.due, f"{league.name}: {plan.why_not}"
            if plan.left_out:
                self._say(f"{league.name}: {plan.left_out}")
        now = 0 if due is None else due.stage.tournament
        before = self._stage.get(league.id, now)
        self._stage[league.id] = now
        if before != now:
            self.holds.drop_all(leases.match_tasks(before))
        return due, why_not

    def _is_stuck(self, due: Due) -> bool:
        """Whether all that is left of a stage is given up here; else it is to be waited for.

        It is another worker's, or put off, or its time has come by now.
        """
        if not self.holds:
            return False
        tournament = due.stage.tournament
        played = self.roster.played(tournament)
        left = [fixture.number for fixture in due.fixtures if fixture.number not in played]
        tasks = [leases.match_task(tournament, number) for number in left]
        return bool(tasks) and all(self.holds.is_given_up(task) for task in tasks)

    def _say(self, text: str) -> None:
        """Tell something once."""
        if text not in self._said:
            self._said.add(text)
            notify(text)

    def _play(self, league: League, charter: LeagueRules, due: Due) -> int:
        """Play what nobody else plays of a stage; how many matches."""
        runner = self._open_runner(league, charter, due)
        scribe = LeagueResultWriter(self.roster, self.id, due)
        before = self.played
        try:
            with self._ticker(league, due) as (ticker, leaders):
                for fixture, outcome in runner.run(self._claimed(league, due)):
                    if isinstance(outcome, NotPlayed):
                        self._spoil(scribe, fixture, outcome)
                        continue
                    self.spoilt = 0
                    self.played += 1
                    self.holds.drop(leases.match_task(due.stage.tournament, fixture.number))
                    scribe.take(fixture, self.bench.told(outcome))
                    leaders.add(fixture, outcome)
                    ticker.count(len(outcome.faults))
        finally:
            scribe.write()
            # Claims of matches that were not begun, such as when it was stopped.
            leases.release(self.roster, self.id)
        self._suspend(league)
        return self.played - before

    @contextmanager
    def _ticker(self, league: League, due: Due) -> Iterator[tuple[Ticker, Leaders]]:
        """How the stage is going, and who leads by what this worker plays of it."""
        assert league.id is not None
        entries = {entry.entrant: entry for entry in self.roster.entries(league.id)}
        leaders = Leaders([entries[entrant].label for entrant in due.entrants])
        done = self.roster.played_by_stage(league.id).get(due.stage.tournament, 0)
        what = f"{league.name}, stage {due.stage.number}, {due.stage.kind}"
        with Ticker(done, len(due.fixtures), leaders.lines, what) as ticker:
            yield ticker, leaders

    def _claimed(self, league: League, due: Due) -> Iterator[tuple[Fixture, MatchSpec]]:
        """Matches as they are claimed, a few at a time, while the stage is what is due."""
        unplayed = leases.Unplayed(self.roster, due.stage.tournament, len(due.fixtures))
        looked = time.monotonic()
        while not self.stopping:
            if time.monotonic() > looked + LOOK:
                looked = time.monotonic()
                self._suspend(league)
                if not self._is_due(league, due):
                    return
            mine = unplayed.claim(self.id, AHEAD * self.means.jobs, self.holds)
            if not mine:
                return
            for number in mine:
                yield due.fixtures[number], due.fixtures[number].spec

    def _is_due(self, league: League, due: Due) -> bool:
        """Whether the league still plays this stage, and nobody is to be checked first."""
        assert league.id is not None
        if self.roster.state(league.id) not in PLAYING:
            return False
        if not is_current(self.roster, league.id, due):
            return False
        return not any(self.checks.is_free(entry) for entry in self.checks.wanted(league.id))

    def _spoil(self, scribe: LeagueResultWriter, fixture: Fixture, trouble: NotPlayed) -> None:
        """Nobody's fault: the match is to be played later, by this worker or another."""
        self.spoilt += 1
        self.roster.report(scribe.due.stage.tournament, fixture.number, trouble.detail)
        task = leases.match_task(scribe.due.stage.tournament, fixture.number)
        leases.release(self.roster, self.id, [task])
        kind = ArenaError if trouble.ours else SandboxError
        self.holds.put_off(task, kind(f"expected to play {fixture.id}, got {trouble.detail}"))
        if self.spoilt == SPOILT:
            raise SandboxError(
                f"expected to play, got {SPOILT} failures of the machine in a row, "
                f"the last: {trouble.detail}"
            )

    def _suspend(self, league: League) -> None:
        assert league.id is not None
        faults = self._faults.setdefault(league.id, Faults(self.roster, league.id))
        for label, reason in suspend(self.roster, league.id, faults, f"{WORKER}{self.id}"):
            notify(f"{label}: SUSPENDED: {reason}")

    def _open_runner(self, league: League, charter: LeagueRules, due: Due) -> Runner[Fixture]:
        """Workers that know the bots of a stage; those of the stage before, if they do."""
        assert league.id is not None
        entries = {entry.entrant: entry for entry in self.roster.entries(league.id)}
        wanted = {
            entries[entrant].label: self.bench.path(entries[entrant]) for entrant in due.entrants
        }
        if self._runner and self._league == league.id and wanted.items() <= self._seats.items():
            return self._runner
        self.close()
        place = league_isolation(charter, list(wanted.values()), self.means)
        conditions = worker.Conditions(wanted, place, charter.limits, known=False)
        jobs = self.means.jobs
        pool = partial(worker.open_pool, conditions, jobs, self.queue)
        self._runner = Runner(pool, worker.play, jobs)
        self._seats, self._league = wanted, league.id
        return self._runner


class LeagueResultWriter:
    """Writes a stage's results in portions, and gives up the claims of what is written."""

    def __init__(self, roster: Roster, worker: int, due: Due) -> None:
        self.roster = roster
        self.worker = worker
        self.due = due
        self.waiting: list[ScheduledResult] = []
        self.written = time.monotonic()

    def take(self, fixture: Fixture, outcome: MatchOutcome) -> None:
        assert not isinstance(outcome, NotPlayed)
        entrants = tuple(self.due.entrants[place] for place in fixture.entrants)
        self.waiting.append(
            ScheduledResult(
                fixture.number, fixture.id, fixture.stage, fixture.round, entrants, outcome
            )
        )
        if len(self.waiting) >= PORTION or time.monotonic() > self.written + PAUSE:
            self.write()

    def write(self) -> None:
        """Store what waits, all or nothing."""
        if self.waiting:
            tournament = self.due.stage.tournament
            self.roster.add(tournament, self.waiting, version())
            done = [leases.match_task(tournament, played.number) for played in self.waiting]
            leases.release(self.roster, self.worker, done)
            self.waiting = []
        self.written = time.monotonic()
