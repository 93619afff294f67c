"""A worker of leagues: checks who is new, plays what is due, and never what another one plays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Final

from arena import worker
from arena.hall import Leaders, say
from arena.league.bench import Bench, Means, ground
from arena.league.charter import Charter, parse_charter
from arena.league.checks import Checks
from arena.league.holds import Holds
from arena.league.lease import enrolled
from arena.league.stages import Due, agenda
from arena.log import LogQueue
from arena.progress import Ticker
from arena.runner import Played as Outcome
from arena.runner import Runner, Trouble
from arena.schedule import Fixture
from arena.tournament import version
from bots.sandbox.attest import SandboxError
from engine.record import MatchSpec
from leagues import claims
from leagues.conduct import conduct, fault_counts
from leagues.database import StoreError
from leagues.entry import PLAYING, WORKER
from leagues.roster import Roster
from leagues.store import Played
from leagues.tables import League

AHEAD: Final = 4  # matches claimed at once, for each process
PORTION: Final = 100  # matches stored at once, or
PAUSE: Final = 0.25  # seconds between two writes
LOOK: Final = 1.0  # seconds between two looks at whether the field has changed
IDLE: Final = 0.5  # seconds between two looks for work
SPOILT: Final = 20  # matches in a row the machine may spoil
FEWEST_GAMES: Final = 20  # before a bot is suspended
MOST_FAULTS: Final = 0.2  # of its games


@contextmanager
def open_shift(roster: Roster, means: Means, queue: LogQueue) -> Iterator[Shift]:
    """A worker, enrolled while it is open; whatever goes wrong, nothing of it stays."""
    with (
        closing(Bench(roster)) as bench,
        enrolled(roster, means.lease) as worker,
        closing(Shift(roster, means, queue, bench, worker)) as shift,
    ):
        yield shift


class Shift:
    """One worker process: what it does in its time."""

    def __init__(
        self, roster: Roster, means: Means, queue: LogQueue, bench: Bench, worker: int
    ) -> None:
        self.roster = roster
        self.means = means
        self.queue = queue
        self.bench = bench
        self.id = worker
        self.holds = Holds()
        self.checks = Checks(roster, means, bench, worker, self.holds)
        self.stopping = False
        self.played = 0
        self.spoilt = 0  # in a row
        self._runner: Runner[Fixture] | None = None
        self._seats: dict[str, str] = {}  # what the runner's workers know
        self._league = 0  # whose runner it is
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
        """One league's checks and its stage: whether anything was done, and is being by others."""
        assert league.id is not None
        state = self.roster.state(league.id)
        if state == "CLOSED":
            return False, False
        charter = parse_charter(league.rules, league.name)
        checked, waiting = self.checks.check_all(league, charter)
        if self.stopping or state not in PLAYING:
            if not checked and not waiting:
                self._say(f"{league.name} is {state}: nothing is played")
            return checked, waiting
        plan = agenda(self.roster, league, charter)
        if plan.left_out:
            self._say(f"{league.name}: {plan.left_out}")
        if plan.due is None:
            if not checked and not waiting:
                self._say(f"{league.name}: {plan.why_not}")
            return checked, waiting
        played = self._play(league, charter, plan.due)
        # What is left of the stage is another worker's, or its time has come by now.
        return checked or played > 0, True

    def _say(self, text: str) -> None:
        """Tell something once."""
        if text not in self._said:
            self._said.add(text)
            say(text)

    def _play(self, league: League, charter: Charter, due: Due) -> int:
        """Play what nobody else plays of a stage; how many matches."""
        runner = self._open_runner(league, charter, due)
        scribe = Scribe(self.roster, self.id, due)
        before = self.played
        try:
            with self._ticker(league, due) as (ticker, leaders):
                for fixture, outcome in runner.run(self._claimed(league, charter, due)):
                    if isinstance(outcome, Trouble):
                        self._spoil(scribe, fixture, outcome)
                        continue
                    self.spoilt = 0
                    self.played += 1
                    scribe.take(fixture, self.bench.told(outcome))
                    leaders.add(fixture, outcome)
                    ticker.count(len(outcome.faults))
        finally:
            scribe.write()
            # Claims of matches that were not begun, such as when it was stopped.
            claims.release(self.roster, self.id)
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

    def _claimed(
        self, league: League, charter: Charter, due: Due
    ) -> Iterator[tuple[Fixture, MatchSpec]]:
        """Matches as they are claimed, a few at a time, while the stage is what is due."""
        unplayed = claims.Unplayed(self.roster, due.stage.tournament, len(due.fixtures))
        looked = time.monotonic()
        while not self.stopping:
            if time.monotonic() > looked + LOOK:
                looked = time.monotonic()
                self._suspend(league)
                if not self._is_due(league, charter, due):
                    return
            mine = unplayed.claim(self.id, AHEAD * self.means.jobs, self.holds)
            if not mine:
                return
            for number in mine:
                yield due.fixtures[number], due.fixtures[number].spec

    def _is_due(self, league: League, charter: Charter, due: Due) -> bool:
        """Whether the league still plays this stage, and nobody is to be checked first."""
        assert league.id is not None
        if self.roster.state(league.id) not in PLAYING:
            return False
        now = agenda(self.roster, league, charter)
        if now.due is None or now.due.stage.number != due.stage.number:
            return False
        return not any(self.checks.is_free(entry) for entry in self.checks.wanted(league.id))

    def _spoil(self, scribe: Scribe, fixture: Fixture, trouble: Trouble) -> None:
        self.spoilt += 1
        self.roster.report(scribe.due.stage.tournament, fixture.number, trouble.detail)
        task = claims.match_task(scribe.due.stage.tournament, fixture.number)
        claims.release(self.roster, self.id, [task])
        if self.spoilt == SPOILT:
            raise SandboxError(
                f"expected to play, got {SPOILT} failures of the machine in a row, "
                f"the last: {trouble.detail}"
            )

    def _suspend(self, league: League) -> None:
        """Take bots out of the field that fail too often."""
        assert league.id is not None
        counts = fault_counts(self.roster, league.id)
        for entry in self.roster.field(league.id):
            if not counts.get(entry.entrant, (0, 0))[1]:
                continue
            # From when it was last let play; what was before is forgiven.
            late = conduct(self.roster, league.id, entry.entrant, entry.since).get(entry.entrant)
            if late is None or not is_faulty(late.games, late.failed):
                continue
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(late.faults.items()))
            reason = f"it failed in {late.failed} of {late.games} games: {kinds}"
            try:
                self.roster.say(entry.id, "SUSPENDED", reason, by=f"{WORKER}{self.id}")
            except StoreError:  # by another worker, just now
                continue
            say(f"{entry.label}: SUSPENDED: {reason}")

    def _open_runner(self, league: League, charter: Charter, due: Due) -> Runner[Fixture]:
        """Workers that know the bots of a stage; those of the stage before, if they do."""
        assert league.id is not None
        entries = {entry.entrant: entry for entry in self.roster.entries(league.id)}
        wanted = {
            entries[entrant].label: self.bench.path(entries[entrant]) for entrant in due.entrants
        }
        if self._runner and self._league == league.id and wanted.items() <= self._seats.items():
            return self._runner
        self.close()
        place = ground(charter, list(wanted.values()), self.means)
        conditions = worker.Conditions(wanted, place, charter.limits, known=False)
        jobs = self.means.jobs
        pool = partial(worker.open_pool, conditions, jobs, self.queue)
        self._runner = Runner(pool, worker.play, jobs)
        self._seats, self._league = wanted, league.id
        return self._runner


class Scribe:
    """Writes a stage's results in portions, and gives up the claims of what is written."""

    def __init__(self, roster: Roster, worker: int, due: Due) -> None:
        self.roster = roster
        self.worker = worker
        self.due = due
        self.waiting: list[Played] = []
        self.written = time.monotonic()

    def take(self, fixture: Fixture, outcome: Outcome) -> None:
        assert not isinstance(outcome, Trouble)
        entrants = tuple(self.due.entrants[place] for place in fixture.entrants)
        self.waiting.append(
            Played(fixture.number, fixture.id, fixture.stage, fixture.round, entrants, outcome)
        )
        if len(self.waiting) >= PORTION or time.monotonic() > self.written + PAUSE:
            self.write()

    def write(self) -> None:
        """Store what waits, all or nothing."""
        if self.waiting:
            tournament = self.due.stage.tournament
            self.roster.add(tournament, self.waiting, version())
            done = [claims.match_task(tournament, played.number) for played in self.waiting]
            claims.release(self.roster, self.worker, done)
            self.waiting = []
        self.written = time.monotonic()


def is_faulty(games: int, failed: int) -> bool:
    """Whether a bot fails too often to play on."""
    return games >= FEWEST_GAMES and failed > MOST_FAULTS * games
