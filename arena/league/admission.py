"""Checks of who is new: accepted or rejected by what a bot does in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from arena.i18n import N_
from arena.league.retry import RetryList
from arena.league.rules import LeagueRules, parse_rules
from arena.league.unpacked_bots import UnpackedBots, WorkerOptions, league_isolation
from arena.log_config import LOGGER
from arena.playing.entrants import OTHER_GAME
from arena.playing.machine_failures import RETRY, AttemptLog
from arena.playing.progress import notify
from arena.playing.worker import Conditions
from bots.chairs.pool import Isolation
from bots.protocol.sanitize import for_storage, one_line
from bots.sandbox.errors import SandboxError
from engine.errors import ArenaError
from engine.match import FaultKind
from leagues.errors import RefusedError
from leagues.records import WORKER, League, Submission, SubmissionState
from leagues.storage import leases
from leagues.storage.handle import Storage

MAX_REASON: Final = 300
MAX_DETAIL: Final = 8_000
# Why a bot is rejected; pages translate the stored sentence by these messages.
STEP_FAILED: Final = N_("step {number}, {step}: {reason}")
MACHINE_FAILED: Final = N_("the machine failed in all of {attempts} checks: {problem}")


class AdmissionChecks:
    """The checks that one worker does."""

    def __init__(
        self,
        storage: Storage,
        options: WorkerOptions,
        unpacked: UnpackedBots,
        worker: int,
        retries: RetryList,
    ) -> None:
        self.storage = storage
        self.options = options
        self.unpacked = unpacked
        self.worker = worker
        self.retries = retries
        self.stopping = False

    def wanted(self, league: int) -> list[Submission]:
        """Who is to be checked, by this worker or another."""
        return [
            entry
            for entry in self.storage.reader.leagues.submissions(league)
            if entry.state == SubmissionState.RECEIVED
        ]

    def is_free(self, entry: Submission) -> bool:
        """Whether this worker could check a bot now."""
        task = leases.check_task(entry.id)
        return task not in self.retries and not self.storage.reader.leases.is_claimed(task)

    def check_all(self, league: League, rules: LeagueRules) -> tuple[bool, bool]:
        """Check whom nobody checks: whether there was any, and whether some have to wait.

        What goes wrong without the bot's doing is held against nobody: it is left as it is.
        """
        done = waiting = False
        for entry in self.storage.reader.leagues.submissions(league.id):
            task = leases.check_task(entry.id)
            if self.stopping:
                break
            if entry.state != SubmissionState.RECEIVED:
                self.retries.drop(task)
                continue
            if task in self.retries:
                waiting = waiting or not self.retries.is_exhausted(task)
                continue
            league_isolation(rules, [], self.options)  # another worker may do better
            with self._claimed(entry) as mine:
                if mine:
                    self._try(entry, rules)
            done = done or mine
            waiting = waiting or not mine
        return done, waiting

    def check(self, entry: Submission) -> bool:
        """Check one bot, unless somebody else is at it; whether nobody was."""
        league = self.storage.reader.leagues.by_id(entry.league)
        with self._claimed(entry) as mine:
            if mine:
                self._judge(entry, parse_rules(league.rules, league.name))
        return mine

    @contextmanager
    def _claimed(self, entry: Submission) -> Iterator[bool]:
        """Whether the check is this worker's, for now."""
        task = leases.check_task(entry.id)
        mine = self.storage.leases.claim(self.worker, task)
        try:
            yield mine
        finally:
            if mine:
                self.storage.leases.release(self.worker, [task])

    def _try(self, entry: Submission, rules: LeagueRules) -> None:
        """Check a bot; what fails without its doing must not keep the others waiting."""
        task = leases.check_task(entry.id)
        try:
            verdict = self._judge(entry, rules)
        except Exception as problem:
            bug = None if isinstance(problem, ArenaError) else problem
            LOGGER.error("%s was not checked: %s", entry.label, problem, exc_info=bug)
            self.retries.defer(task, problem)
        else:
            self.retries.drop(task)
            if verdict:
                notify(f"{entry.label}: {verdict}")

    def _judge(self, entry: Submission, rules: LeagueRules) -> str:
        """Accept or reject a bot that nobody has judged yet, and why, if it was not before."""
        if self.storage.reader.leagues.submission(entry.id).state != SubmissionState.RECEIVED:
            return ""
        reason, detail = self._attempt(entry, rules)
        by = f"{WORKER}{self.worker}"
        try:
            self.storage.leagues.set_submission_state(
                entry.id,
                SubmissionState.REJECTED if reason else SubmissionState.ACCEPTED,
                reason,
                detail,
                by,
            )
        except RefusedError as problem:
            if self.storage.reader.leagues.submission(entry.id).state == SubmissionState.RECEIVED:
                raise  # it would be checked again for ever
            LOGGER.warning("%s: %s", entry.label, problem)  # withdrawn while it was checked
        return f"REJECTED: {reason}" if reason else SubmissionState.ACCEPTED

    def _attempt(self, entry: Submission, rules: LeagueRules) -> tuple[str, str]:
        """The verdict; checked again where the machine failed, for which no bot is blamed.

        Unless it failed every time with this bot, also later, and works without it.
        """
        path = self.unpacked.path(entry)
        isolation = league_isolation(rules, [path], self.options)
        log = AttemptLog()

        def on_failure(attempt: int, problem: SandboxError) -> None:
            LOGGER.warning("%s: attempt %d: %s", entry.label, attempt, problem)
            log.add(problem)

        try:
            return RETRY.run(lambda: self._verdict(entry, rules, path, isolation), on_failure)
        except SandboxError as problem:
            busy = any(each.kind is FaultKind.TIME for each in log.problems)
            is_last = self.retries.is_last(leases.check_task(entry.id))
            if busy or not is_last or not log.machine_works(isolation.layers):
                raise
            return MACHINE_FAILED.format(attempts=RETRY.attempts, problem=problem), ""

    def _verdict(
        self, entry: Submission, rules: LeagueRules, path: str, isolation: Isolation
    ) -> tuple[str, str]:
        """Why it is rejected, if it is; and what was found."""
        games = entry.facts["games"]
        settings = rules.settings
        if games and settings.game not in games:
            return OTHER_GAME.format(game=settings.game, games=", ".join(games)), ""
        found = []
        conditions = Conditions(
            {}, isolation, settings.limits, factor_bounds=settings.factor_bounds
        )
        try:
            for step in self.options.workers.check_bot(conditions, path, [settings.game]):
                first, _, rest = step.found.partition("\n")
                first = self.unpacked.strip_paths(for_storage(first, MAX_DETAIL))
                found.append(f"{step.number} {step.verdict} {step.name}: {first}")
                if step.verdict == "FAIL":
                    said = self.unpacked.strip_paths(for_storage(rest, MAX_DETAIL))
                    failed = STEP_FAILED.format(number=step.number, step=step.name, reason=first)
                    return one_line(failed)[:MAX_REASON], said
        except SandboxError:
            raise
        except ArenaError as problem:
            return one_line(str(problem))[:MAX_REASON], ""
        return "", "\n".join(found)
