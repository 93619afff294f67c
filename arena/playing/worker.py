"""A worker process of the arena: one core and containers of its own, match after match."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import shlex
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.queues import SimpleQueue
from multiprocessing.util import Finalize
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena import log_config
from arena.log_config import LOGGER, LogQueue
from arena.playing.conformance import BotCheck, CheckScope, CheckStep
from arena.playing.live.reporter import MatchReporter
from arena.playing.machine_failures import RETRY, AttemptLog, Blame
from arena.playing.referee import play as referee
from arena.playing.runner import MatchOutcome, NotPlayed
from arena.playing.signals import release_ctrl_c
from bots.chairs.limits import NOT_SCALED, FactorBounds, Limits, limit_words, scale_limits
from bots.chairs.pool import ChairPool, Isolation, IsolationKind
from bots.chairs.processor_speed import Measurement, TimeFactor
from bots.discovery.digest import digest
from bots.discovery.spec import BotError, parse_spec
from bots.protocol.tracebacks import summary_line
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import die_with_parent
from engine.errors import ArenaError
from engine.match import MatchResult, MatchSpec

SPAWN: Final = multiprocessing.get_context("spawn")  # no thread or lock of ours is copied
FORK: Final = multiprocessing.get_context("fork")  # where there is none
NOBODY: Final[Mapping[str, Blame]] = MappingProxyType({})


@dataclass(frozen=True)
class Conditions:
    """The bots that play, by their labels, and what they may do."""

    bots: dict[str, str]
    isolation: Isolation  # found by the arena; a worker does not probe again
    limits: Limits
    digests: dict[str, str] = field(default_factory=dict)  # what bots with files must stay
    known: bool = True  # whether the user has the bots by these specs too
    paths: dict[str, str] = field(default_factory=dict)  # where else targets of specs are found
    homes: dict[str, str] = field(default_factory=dict)  # what the user calls these paths
    # How far limits are scaled by the speed of a processor; if not given, on clusters alone.
    factor_bounds: FactorBounds | None = None
    reports: str = ""  # the folder that matches under way are reported to, if they are

    def local_spec(self, text: str) -> str:
        """A spec with the target that the bot has on this machine."""
        if not self.paths:
            return text
        target = parse_spec(text).target
        at = text.index(target)  # a command may have a name before it
        return text[:at] + self.paths.get(target, target) + text[at + len(target) :]

    def name_homes(self, said: str) -> str:
        """What a bot said, with its files named as its user has them."""
        for path, home in self.homes.items():
            said = said.replace(path, home)
        return said


class _MatchPlayer:
    """Plays matches, and keeps the chairs of its bots from one match to the next."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self.chairs = ChairPool(conditions.limits, isolation=conditions.isolation)
        self.time_factor = TimeFactor(conditions.factor_bounds or NOT_SCALED)
        self._factor = 1.0
        self.reporter = MatchReporter(Path(conditions.reports)) if conditions.reports else None

    def close(self) -> None:
        """End the chairs, and the reports."""
        self.chairs.close()
        if self.reporter is not None:
            self.reporter.stop()

    def settle_limits(self) -> None:
        """Have the time limits that this processor's speed asks for, from the next match on."""
        factor = self.time_factor.current()
        if factor != self._factor:
            self._factor = factor
            self.chairs.close()
            self.chairs.limits = scale_limits(self.conditions.limits, factor)

    def play(
        self,
        spec: MatchSpec,
        bots: dict[str, str],
        blamed: Mapping[str, Blame] = NOBODY,
        attempts: int = RETRY.attempts,
    ) -> MatchOutcome:
        """The match; played again where the machine failed, for which no bot is blamed here.

        An internal error is blamed on none either, and is no reason to play nothing else.
        """
        log = AttemptLog()

        def on_failure(attempt: int, problem: SandboxError) -> None:
            LOGGER.warning("match %s: attempt %d: %s", spec.seed, attempt, problem)
            log.add(problem)
            self.chairs.close()

        try:
            policy = RETRY if attempts == RETRY.attempts else replace(RETRY, attempts=attempts)
            return policy.run(lambda: self._play(spec, bots, blamed), on_failure)
        except SandboxError as problem:
            works = log.machine_works(self.conditions.isolation.layers)
            detail = self.conditions.name_homes(str(problem))
            return NotPlayed(detail, False, log.kind, log.seat, works)
        except ArenaError:
            raise
        except Exception as problem:
            LOGGER.exception("match %s: internal error, please report it", spec.seed)
            self.chairs.close()
            detail = f"{type(problem).__name__}: {problem}\n{traceback.format_exc()}"
            return NotPlayed(detail, internal_error=True)

    def _play(
        self, spec: MatchSpec, bots: dict[str, str], blamed: Mapping[str, Blame]
    ) -> MatchResult:
        limits = self.chairs.limits
        local_spec = self.conditions.local_spec
        playing = [local_spec(bots[bot]) for bot in spec.bots if bot not in blamed]
        chairs = self.chairs.chairs(playing)
        if blamed:
            others = iter(chairs)
            chairs = [blamed[bot].chair() if bot in blamed else next(others) for bot in spec.bots]
        watch = None if self.reporter is None else self.reporter.watcher(spec)
        result = referee(spec, chairs, limits, watch, self.conditions.isolation.name)
        if self._factor != 1.0:
            result = replace(result, time_factor=self._factor)
        if self.conditions.homes:
            result = edit_texts(result, self.conditions.name_homes)
        _log_match(result, bots if self.conditions.known else {}, self.conditions.limits)
        return result


def edit_texts(result: MatchResult, edit: Callable[[str], str]) -> MatchResult:
    """The match with every text of a bot edited: details of faults and what was printed."""
    faults = tuple(replace(fault, detail=edit(fault.detail)) for fault in result.faults)
    accounts = tuple(replace(account, printed=edit(account.printed)) for account in result.accounts)
    return replace(result, faults=faults, accounts=accounts)


def _log_match(result: MatchResult, bots: dict[str, str], limits: Limits) -> None:
    """Log a match; where the user knows the bots by these specs, with how to see more."""
    if not result.faults and not LOGGER.isEnabledFor(logging.INFO):
        return
    spec = result.spec
    match = f"match {spec.game} {spec.seed}"
    ranks = [rank + 1 for rank in result.ranks]
    LOGGER.info("%s: %s: ranks %s in %.2f s", match, " ".join(spec.bots), ranks, result.seconds)
    for fault in result.faults:
        bot = spec.bots[fault.seat]
        about = f"{spec.game}, seed {spec.seed}: seat {fault.seat} ({bot})"
        words = ["arena", "bot", "check", bots[bot], *limit_words(limits)] if bots else []
        more = f"; try: {shlex.join(words)}" if bots else ""
        LOGGER.warning(
            "%s failed at decision %d: %s: %s%s",
            about,
            fault.decision,
            fault.kind,
            summary_line(fault.kind, fault.detail),
            more,
            extra={"once": (bot, fault.kind)},
        )
        LOGGER.info("%s said: %s", about, fault.detail.strip())
    for seat, account in enumerate(result.accounts):
        if account.printed:
            LOGGER.debug("%s seat %d %s printed: %s", match, seat, spec.bots[seat], account.printed)


_player: _MatchPlayer | None = None


def _begin(
    conditions: Conditions, queue: LogQueue, level: int, numbers: SimpleQueue[int], arena: int
) -> None:
    """Become a worker."""
    global _player
    os.setpgid(0, 0)  # the arena decides what a signal to all of its group ends
    die_with_parent()
    if os.getppid() != arena:  # it died before we could be told
        os._exit(1)
    release_ctrl_c()
    os.dup2(2, 1)  # what a bot in this process prints is no result of the arena's
    log_config.log_to_queue(queue, level)
    pin(numbers.get())  # with its bots: waking another core costs more than a turn
    _player = _MatchPlayer(conditions)
    if _player.reporter is not None:
        _player.reporter.start()
    Finalize(None, _player.close, exitpriority=0)  # what is forked knows no atexit
    gc.freeze()  # what is here stays
    gc.set_threshold(10_000, 20, 20)  # a match makes thousands of objects and hardly a cycle


def play(
    specs: list[MatchSpec],
    bots: dict[str, str] | None = None,
    blamed: Mapping[str, Blame] = NOBODY,
    attempts: int = RETRY.attempts,
) -> list[MatchOutcome]:
    """Play matches in this worker, by the bots of its conditions or others under those labels.

    Those who are blamed for a failure of the machine forfeit them.
    """
    assert _player is not None
    for spec, known in _player.conditions.digests.items():
        if digest(parse_spec(spec)) != known:
            raise BotError(f"{spec} changed while it was playing: its files must stay as they are")
    _player.settle_limits()
    sat = bots or _player.conditions.bots
    return [_player.play(spec, sat, blamed, attempts) for spec in specs]


def prepare(bots: list[str]) -> None:
    """Have containers of these bots get ready; what is wrong with them, a match will tell."""
    assert _player is not None
    with suppress(ArenaError):
        _player.chairs.chairs([_player.conditions.local_spec(bot) for bot in bots])


def take_measurement() -> Measurement | None:
    """What was found of this worker's processor since this was asked last, if anything."""
    return _player.time_factor.take_latest() if _player is not None else None


def check(text: str, games: list[str]) -> list[CheckStep]:
    """Check a bot in this worker, under its conditions."""
    assert _player is not None
    _player.settle_limits()
    return check_bot(replace(_player.conditions, limits=_player.chairs.limits), text, games)


def check_bot(conditions: Conditions, text: str, games: list[str]) -> list[CheckStep]:
    """What a check of a bot at these games found."""
    kind = conditions.isolation.name
    trust, in_process = kind is IsolationKind.TRUSTED, kind is IsolationKind.IN_PROCESS
    scope = CheckScope(tuple(games))
    checked = BotCheck(conditions.local_spec(text), conditions.limits, trust, in_process, scope)
    return [replace(step, found=conditions.name_homes(step.found)) for step in checked.run()]


def kill_workers() -> None:
    """End the worker processes of this arena at once, whatever they play."""
    for child in multiprocessing.active_children():
        child.kill()


def open_pool(conditions: Conditions, jobs: int, queue: LogQueue, first_core: int = 0) -> Executor:
    """Workers on this machine, each on a core of its own while there are enough.

    They are forked with their first task, and so have loaded all they need, if this process has no
    other threads yet.
    """
    context = SPAWN if threading.active_count() > 1 else FORK
    numbers: SimpleQueue[int] = SPAWN.SimpleQueue()
    for number in range(first_core, first_core + jobs):
        numbers.put(number)
    begin = partial(_begin, conditions, queue, LOGGER.level, numbers, os.getpid())
    if not gc.get_freeze_count():  # what is loaded stays, here and in the workers; garbage does not
        gc.freeze()
    return ProcessPoolExecutor(jobs, context, begin)
