"""A worker of leagues: checks who is new, plays what is due, and never what another one plays."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Final, Self

from arena import worker
from arena.check import Check
from arena.hall import Leaders, say
from arena.league.bench import Bench, Means, ground
from arena.league.charter import Charter, parse_charter
from arena.league.stages import Due, agenda
from arena.log import LOGGER, LogQueue
from arena.progress import Ticker
from arena.runner import Played as Outcome
from arena.runner import Runner, Trouble
from arena.schedule import Fixture
from arena.tournament import version
from bots.sandbox.attest import SandboxError
from bots.text import clean
from engine.errors import ArenaError
from engine.record import MatchSpec
from leagues import claims
from leagues.conduct import conduct, fault_counts
from leagues.database import RefusedError, StoreError
from leagues.entry import PLAYING, WORKER, Entry
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
MOST_REASON: Final = 300
MOST_DETAIL: Final = 8_000


class Shift:
    """One worker process: enrolled while it is open."""

    def __init__(self, roster: Roster, means: Means, queue: LogQueue) -> None:
        self.roster = roster
        self.means = means
        self.queue = queue
        self.stopping = False
        self.played = 0
        self.spoilt = 0  # in a row
        self.bench = Bench(roster)
        self.id = claims.enrol(roster, f"{socket.gethostname()}:{os.getpid()}", means.lease)
        self._over = threading.Event()
        self._pulse = threading.Thread(target=self._beat, daemon=True)
        self._runner: Runner[Fixture] | None = None
        self._seats: dict[str, str] = {}  # what the runner's workers know
        self._league = 0  # whose runner it is
        self._said: set[str] = set()

    def __enter__(self) -> Self:
        self._pulse.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._close_runner()
        self._pulse.join()
        claims.leave(self.roster, self.id)
        self.bench.close()

    def _beat(self) -> None:
        """Say again and again that this worker lives."""
        while not self._over.wait(self.means.lease / 4):
            try:
                claims.extend(self.roster, self.id, self.means.lease)
            except StoreError as problem:  # another writer was slow; there is a next time
                LOGGER.warning("the lease was not extended: %s", problem)

    def stop(self) -> None:
        """Begin nothing more."""
        self.stopping = True
        if self._runner is not None:
            self._runner.stop()

    def work(self, names: list[str], follow: bool) -> None:
        """Do what is due in these leagues, or in all; then wait for more, if asked to."""
        for name in names:
            league = self.roster.league(name)
            if self.roster.state(league.id or 0) == "CLOSED":
                self._say(f"{name} is CLOSED: nothing is checked or played")
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
        checked, waiting = self._check_newcomers(league, charter)
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

    # Checks

    def _check_newcomers(self, league: League, charter: Charter) -> tuple[bool, bool]:
        """Check what nobody checks: whether there was something, and is at another worker's."""
        assert league.id is not None
        done = waiting = False
        for entry in self.roster.entries(league.id):
            if self.stopping:
                break
            if entry.state != "RECEIVED":
                continue
            task = claims.check_task(entry.id)
            if not claims.claim(self.roster, self.id, task):
                waiting = True
                continue
            try:
                if self.roster.entry_of(entry.id).state == "RECEIVED":
                    reason = self.check(entry, charter)
                    say(f"{entry.label}: {'REJECTED: ' + reason if reason else 'ACCEPTED'}")
            finally:
                claims.release(self.roster, self.id, [task])
            done = True
        return done, waiting

    def check_one(self, entry: Entry) -> bool:
        """Check one bot, unless somebody else is at it; whether nobody was."""
        task = claims.check_task(entry.id)
        league = self.roster.league_of(entry)
        if not claims.claim(self.roster, self.id, task):
            return False
        try:
            if self.roster.entry_of(entry.id).state == "RECEIVED":
                self.check(entry, parse_charter(league.rules, league.name))
        finally:
            claims.release(self.roster, self.id, [task])
        return True

    def check(self, entry: Entry, charter: Charter) -> str:
        """Accept or reject a bot by what it does in the sandbox; why it was rejected, if so."""
        ground(charter, [self.bench.path(entry)], self.means)
        reason, detail = self._verdict(entry, charter)
        by = f"{WORKER}{self.id}"
        try:
            if reason:
                self.roster.say(entry.id, "REJECTED", reason, detail, by)
            else:
                self.roster.say(entry.id, "ACCEPTED", "", detail, by)
        except RefusedError as problem:  # withdrawn while it was checked
            LOGGER.warning("%s: %s", entry.label, problem)
        return reason

    def _verdict(self, entry: Entry, charter: Charter) -> tuple[str, str]:
        """Why it is rejected, if it is; and what was found."""
        games = entry.facts["games"]
        if games and charter.game not in games:
            return f"expected a bot that plays {charter.game}, got one for {', '.join(games)}", ""
        found = []
        try:
            checked = Check(
                self.bench.path(entry),
                charter.limits,
                self.means.trust,
                self.means.in_process,
                (charter.game,),
            )
            for step in checked.run():
                first, _, rest = step.found.partition("\n")
                first = self.bench.plainly(clean(first, MOST_DETAIL))
                found.append(f"{step.number} {step.verdict} {step.name}: {first}")
                if step.verdict == "FAIL":
                    said = self.bench.plainly(clean(rest, MOST_DETAIL))
                    return f"step {step.number}, {step.name}: {first}"[:MOST_REASON], said
        except SandboxError:
            raise
        except ArenaError as problem:
            return clean(str(problem), MOST_REASON), ""
        return "", "\n".join(found)

    # Matches

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
        numbers = range(len(due.fixtures))
        looked = time.monotonic()
        while not self.stopping:
            if time.monotonic() > looked + LOOK:
                looked = time.monotonic()
                self._suspend(league)
                if not self._is_due(league, charter, due):
                    return
            mine = claims.claim_matches(
                self.roster, self.id, due.stage.tournament, numbers, AHEAD * self.means.jobs
            )
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
        return not any(
            entry.state == "RECEIVED"
            and not claims.is_claimed(self.roster, claims.check_task(entry.id))
            for entry in self.roster.entries(league.id)
        )

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
            except RefusedError:  # by another worker, just now
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
        self._close_runner()
        place = ground(charter, list(wanted.values()), self.means)
        conditions = worker.Conditions(wanted, place, charter.limits, known=False)
        jobs = self.means.jobs
        pool = partial(worker.open_pool, conditions, jobs, self.queue)
        self._runner = Runner(pool, worker.play, jobs)
        self._seats, self._league = wanted, league.id
        return self._runner

    def _close_runner(self) -> None:
        if self._runner is not None:
            self._runner.__exit__()
            self._runner = None


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
