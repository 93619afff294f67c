"""A bot's time: what an answer is charged by the kernel's clocks, and when it has come too late."""

from __future__ import annotations

import time
from typing import Final

from mypy_extensions import mypyc_attr

from bots.chairs.limits import Limits
from bots.sandbox.process_clock import ProcessClock

IDLE: Final = 1.0  # seconds a bot may be idle at least, beyond those it may compute
LAZY: Final = 5  # so many times its computing time it may take of wall-clock time
PATIENCE: Final = 10  # and so many times that if it waits for a processor
TICK: Final = 0.008  # the kernel brings a running process's clock up to date that often
NEAR: Final = 0.001  # seconds that in-process times are not better known than
RECENT: Final = 0.005  # seconds for which what a process has waited is believed, in its favour
STARVED: Final = 0.5  # of the time without a processor: the machine's fault


@mypyc_attr(acyclic=True)
class TimeBudget:
    """What a bot has taken of its time in one match."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.bank = limits.bank
        self.asked = 0
        self.computed = 0.0
        self.longest = 0.0

    @property
    def left(self) -> float:
        """Seconds the next answer may take."""
        return self.limits.move + self.bank

    def charge(self, seconds: float) -> None:
        """Book what an answer took, with all that was computed since the one before."""
        self.computed += seconds
        if seconds > self.longest:
            self.longest = seconds
        beyond = seconds - self.limits.move
        if beyond > 0:
            self.bank -= min(self.bank, beyond)


class ThreadClock:
    """What this thread computes for an answer, close to a millisecond.

    The thread's own clock is a system call. Where less wall-clock time than that has passed, what
    has passed is near enough; where more has, the thread may have waited for a processor.
    """

    def __init__(self) -> None:
        self._began = 0.0
        self._read = -1.0  # when the thread's clock was read
        self._computed = 0.0  # and what it said

    def begin(self) -> None:
        """A question is put."""
        self._began = time.perf_counter()
        if self._began - self._read > NEAR:
            self._read = self._began
            self._computed = time.thread_time()

    def used(self) -> float:
        """Seconds since then."""
        wall = time.perf_counter() - self._began
        if wall <= NEAR:
            return wall
        return min(wall, max(0.0, time.thread_time() - self._computed))


class Meter:
    """Times the answers of one process: alone, on one thread, with threads, or with children."""

    def __init__(self, clock: ProcessClock, threads: bool = False, children: bool = False) -> None:
        self.clock = clock
        self.one_thread = not threads and not children
        self.may_have_family = children
        self.by_wall = not clock.works
        self.paid = clock.computed()  # what was charged already
        self.allowed = self.began = self.queued = self.stolen = 0.0
        self.looked = -1.0  # when the queue was read
        self.slow = False

    def begin(self, allowed: float) -> None:
        """A question is put; what was computed since the last answer counts already."""
        self.allowed = allowed
        self.slow = False
        self.began = time.monotonic()
        if self.began - self.looked > RECENT:  # a file, needed only by those that come late
            self.looked = self.began
            self.queued = self.clock.queued()

    def left(self) -> float:
        """Seconds until the bot may have run out of time; none when it has."""
        wall = time.monotonic() - self.began
        if wall < self.allowed and self.one_thread:
            return self.allowed - wall  # one thread cannot compute for longer than time passes
        if not self.slow:
            self.slow = True
            # As if it had been half of what passed.
            self.stolen = self.clock.stolen() - STARVED * wall
        idle = self._most() - (wall - self._waited())
        return min(self.allowed - self.used(), idle, PATIENCE * self._most() - wall)

    def used(self) -> float:
        """Seconds to be charged for the answer so far."""
        computed = self.clock.computed() - self.paid
        if self.may_have_family and not self.by_wall:
            self.by_wall = self.clock.has_family()
        if not self.by_wall:
            return computed
        wall = time.monotonic() - self.began
        # Its own processes may be what it waits for: no more than half is believed.
        return max(computed, wall - min(self._waited(), wall / 2))

    def settle(self) -> float:
        """The answer is there, or will not come: what it is charged."""
        used = self.used()
        self.paid = self.clock.last
        return used

    def starved(self) -> bool:
        """Whether the machine kept a bot, now out of time, from computing."""
        wall = time.monotonic() - self.began
        if self.clock.computed() - self.paid >= self.allowed:
            return False
        if self.clock.stolen() - self.stolen > STARVED * wall:
            return True
        waited = self._waited()
        if wall - waited >= self._most():
            return False  # idle of its own accord: however busy a machine is, it need not be
        # With threads of its own, it may be them it waited for.
        return self.one_thread and not self.by_wall and waited > STARVED * wall

    def _most(self) -> float:
        """Seconds of wall-clock time for an answer, but for the wait for a processor."""
        return max(LAZY * self.allowed, self.allowed + IDLE)

    def _waited(self) -> float:
        return self.clock.queued() - self.queued
