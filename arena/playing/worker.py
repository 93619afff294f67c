"""A worker process of the arena: one core and containers of its own, match after match."""

from __future__ import annotations

import multiprocessing
import os
import shlex
import traceback
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.queues import Queue
from typing import Final

from arena import log_config
from arena.log_config import LOGGER, LogQueue
from arena.playing.referee import play as referee
from arena.playing.runner import MatchOutcome, NotPlayed
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool, Isolation
from bots.discovery.digest import digest
from bots.discovery.spec import BotError, parse_spec
from bots.protocol.tracebacks import summary_line
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import die_with_parent
from engine.errors import ArenaError
from engine.match import MatchResult, MatchSpec

ATTEMPTS: Final = 3  # at a match, where the machine and not a bot fails
SPAWN: Final = multiprocessing.get_context("spawn")  # no thread or lock of ours is copied


@dataclass(frozen=True)
class Conditions:
    """Under which bots play: which they are, by their labels, and what they may do."""

    bots: dict[str, str]
    ground: Isolation  # where the arena found that they may stand; a worker does not look again
    limits: Limits
    digests: dict[str, str] = field(default_factory=dict)  # what bots with files must stay
    known: bool = True  # whether the user has the bots by these specs too


class _Desk:
    """What a worker keeps from one match to the next."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self.cabinet = ChairPool(conditions.limits, ground=conditions.ground)

    def play(self, spec: MatchSpec, bots: dict[str, str]) -> MatchOutcome:
        """The match; played again where the machine failed, for which no bot is blamed.

        An error of ours is blamed on none either, and is no reason to play nothing else.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._play(spec, bots)
            except SandboxError as problem:
                LOGGER.warning("match %s: attempt %d: %s", spec.seed, attempt, problem)
                self.cabinet.close()
                trouble = NotPlayed(str(problem))
            except ArenaError:
                raise
            except Exception as problem:
                LOGGER.exception("match %s: an error of ours", spec.seed)
                self.cabinet.close()
                told = f"{type(problem).__name__}: {problem}\n{traceback.format_exc()}"
                return NotPlayed(told, ours=True)
        return trouble

    def _play(self, spec: MatchSpec, bots: dict[str, str]) -> MatchResult:
        limits = self.conditions.limits
        chairs = self.cabinet.chairs([bots[label] for label in spec.bots])
        result = referee(spec, chairs, limits, sandbox=self.conditions.ground.name)
        _tell(result, bots if self.conditions.known else {})
        return result


def _tell(result: MatchResult, bots: dict[str, str]) -> None:
    """Log a match; where the user knows the bots by these specs, with how to see more."""
    spec = result.spec
    match = f"match {spec.game} {spec.seed}"
    ranks = [rank + 1 for rank in result.ranks]
    LOGGER.info("%s: %s: ranks %s in %.2f s", match, " ".join(spec.bots), ranks, result.seconds)
    for fault in result.faults:
        bot = spec.bots[fault.seat]
        about = f"{match} seat {fault.seat} {bot}"
        more = f"; try: arena bot check {shlex.quote(bots[bot])}" if bots else ""
        LOGGER.warning(
            "%s: %s at decision %d: %s%s",
            about,
            fault.kind,
            fault.decision,
            summary_line(fault.kind, fault.detail),
            more,
            extra={"once": (bot, fault.kind)},
        )
        LOGGER.info("%s said: %s", about, fault.detail.strip())
    for seat, account in enumerate(result.accounts):
        if account.printed:
            LOGGER.debug("%s seat %d %s printed: %s", match, seat, spec.bots[seat], account.printed)


_desk: _Desk | None = None


def _begin(
    conditions: Conditions, queue: LogQueue, level: int, numbers: Queue[int], arena: int
) -> None:
    """Become a worker."""
    global _desk
    os.setpgid(0, 0)  # the arena decides what a signal to all of its group ends
    die_with_parent()
    if os.getppid() != arena:  # it died before we could be told
        os._exit(1)
    log_config.send_to(queue, level)
    pin(numbers.get())  # with its bots: waking another core costs more than a turn
    _desk = _Desk(conditions)


def play(specs: list[MatchSpec], bots: dict[str, str] | None = None) -> list[MatchOutcome]:
    """Play matches in this worker, by the bots of its conditions or others under those labels."""
    assert _desk is not None
    for spec, known in _desk.conditions.digests.items():
        if digest(parse_spec(spec)) != known:
            raise BotError(f"expected {spec} to stay what it is while it plays, got other content")
    sat = bots or _desk.conditions.bots
    return [_desk.play(spec, sat) for spec in specs]


def open_pool(conditions: Conditions, jobs: int, queue: LogQueue) -> Executor:
    """Workers on this machine, each on a core of its own while there are enough."""
    numbers: Queue[int] = SPAWN.Queue()
    for number in range(jobs):
        numbers.put(number)
    begin = partial(_begin, conditions, queue, LOGGER.level, numbers, os.getpid())
    return ProcessPoolExecutor(jobs, SPAWN, begin)
