"""The chair of a stranger's bot: behind the walls, timed by the kernel, judged from outside."""

from __future__ import annotations

import math
import os
import select
import signal
import time
from dataclasses import asdict
from typing import Final, NoReturn

from bots.api import Decision, Outcome, Seating
from bots.manifest import Manifest
from bots.players import ChairFault, Limits
from bots.process import LAST_WORDS, MOST_OUTPUT, Process
from bots.sandbox import walls
from bots.sandbox.attest import SandboxError
from bots.sandbox.container import Container, Layers, Worker
from bots.spec import BotSpec
from bots.text import clean
from bots.wire import MOST_BYTES
from engine.contract import Action

IDLE: Final = 1.0  # seconds a bot may be idle beyond those it may compute
PATIENCE: Final = 10  # so many times its time it may wait for a processor
TICK: Final = 0.008  # the kernel brings a running process's clock up to date that often


class Contained(Process):
    """A bot in a container of its own, with a fresh worker for every match."""

    def __init__(
        self, spec: BotSpec, manifest: Manifest, limits: Limits, layers: Layers | None = None
    ) -> None:
        self.layers = layers or Layers()
        self.is_program = manifest.source == "command"
        self.worker: Worker | None = None
        self.container: Container | None = None
        self.most = 0  # kilobytes of memory any of its workers took
        self.began = 0.0
        self.paid = 0.0  # processor time of the worker that is accounted for
        self.used = 0.0  # of that, for the last answer
        self.queued = 0.0
        super().__init__(spec, manifest, limits)

    def _open(self) -> None:
        """Start the container; it gets ready while others do."""
        self.printed = b""
        self.buffer = b""
        self.greeted = False
        if self.is_program:
            visible, words = walls.for_program(self.spec.command)
            self.container = Container(self.layers, visible, {"words": words})
            return
        order = {"manifest": asdict(self.manifest), "params": dict(self.spec.params)}
        self.container = Container(self.layers, walls.for_python(self.manifest), order)

    def _allow(self, seconds: float) -> None:
        """Start the clock; what was computed since the last answer counts already."""
        self.allowed = seconds
        self.began = time.monotonic()
        if self.worker is not None:
            self.queued = self.worker.clock.queued()

    def start(self, seating: Seating) -> None:
        self._dismiss()
        if self.container is None:
            self._open()
        assert self.container is not None
        try:
            self.worker = self.container.spawn()
        except SandboxError:
            self._close_container()
            raise
        self.printed = b""
        self.buffer = b""
        self.greeted = False
        self.paid = 0.0
        self.poller = select.poll()
        for fd in (self.worker.replies, self.worker.errors, self.worker.pidfd):
            self.poller.register(fd, select.POLLIN)
        self._exchange(seating)

    def ask(self, decision: Decision) -> None:
        self._hear_nothing()
        super().ask(decision)

    def _hear_nothing(self) -> None:
        """A bot that speaks before it is asked has failed."""
        self._read()
        if self.buffer:
            self._fail("protocol", f"expected to be asked first, got {self.buffer[:80]!r}")

    def answer(self) -> Action:
        try:
            return super().answer()
        except ChairFault:
            self._dismiss()
            raise

    def finish(self, outcome: Outcome) -> None:
        self._hear_nothing()
        super().finish(outcome)
        self._drain()
        self._dismiss()

    def close(self) -> None:
        self._dismiss()
        self._close_container()

    def peak(self) -> int:
        return self.most

    def _close_container(self) -> None:
        if self.container is not None:
            self.container.close()
            self.container = None

    def _dismiss(self) -> None:
        """Be done with the worker; the next match has a new one."""
        if self.worker is None:
            return
        worker, self.worker = self.worker, None
        try:
            assert self.container is not None
            self.container.end(worker)
            self.most = max(self.most, worker.peak)
        except SandboxError:
            self._close_container()
        finally:
            worker.close()

    def _kill(self) -> None:
        self._drain()
        self._dismiss()

    def _write(self, data: bytes) -> int:
        assert self.worker is not None
        return os.write(self.worker.requests, data)

    def _line(self) -> bytes:
        line = super()._line()
        assert self.worker is not None
        self.used = self.worker.clock.computed() - self.paid
        self.paid += self.used
        if self.used > self.allowed + TICK:
            self._fail(
                "time", f"expected {self.allowed:g} s of computing at most, got {self.used:.3f}"
            )
        return line

    def _charge(self) -> None:
        self.tally.charge(self.used)

    def _listen(self, most: float) -> bool:
        """Take what the bot says and prints; whether it has time left."""
        assert self.worker is not None
        left = self._left()
        ended = False
        for fd, _ in self.poller.poll(math.ceil(1000 * max(0.0, min(left, most)))):
            if fd == self.worker.pidfd:
                ended = True
            elif fd == self.worker.errors:
                self._drain()
            elif not self._read():
                ended = True
        if ended and not (self._read() and b"\n" in self.buffer) and b"\n" not in self.buffer:
            self._crashed()
        if len(self.buffer) > MOST_BYTES + 1:  # and its newline
            self._fail("protocol", f"expected at most {MOST_BYTES} bytes, got more")
        return left > 0

    def _left(self) -> float:
        """Seconds until the bot may have run out of time; none when it has."""
        wall = time.monotonic() - self.began
        if wall < self.allowed and not self.is_program:
            return self.allowed - wall  # one thread cannot compute for longer than time passes
        assert self.worker is not None
        most = self.allowed if self.is_program else self.allowed + IDLE
        computing = self.allowed - (self.worker.clock.computed() - self.paid)
        idle = most - (wall - (self.worker.clock.queued() - self.queued))
        return min(math.inf if self.is_program else computing, idle, PATIENCE * most - wall)

    def _read(self) -> bool:
        assert self.worker is not None
        try:
            part = os.read(self.worker.replies, MOST_BYTES)
        except BlockingIOError:
            return True
        self.buffer += part
        return bool(part)

    def _drain(self) -> None:
        if self.worker is None:
            return
        try:
            if part := os.read(self.worker.errors, MOST_OUTPUT):
                self.printed = (self.printed + part)[-MOST_OUTPUT:]
            else:
                self.poller.unregister(self.worker.errors)
        except (BlockingIOError, KeyError):
            pass

    def _crashed(self) -> NoReturn:
        """Tell by the kernel's word how the worker ended."""
        assert self.worker is not None
        assert self.container is not None
        if not select.select([self.worker.pidfd], [], [], 1)[0]:
            self._fail("protocol", "expected an answer, got a closed pipe")
        self._drain()
        status = self.container.status(self.worker)
        said = clean(self.printed, LAST_WORDS)
        if not os.WIFSIGNALED(status):
            code = os.waitstatus_to_exitcode(status)
            self._fail("crash", f"expected an answer, got exit code {code}\n{said}")
        number = signal.Signals(os.WTERMSIG(status))
        if number == signal.SIGSYS:
            self._fail("violation", f"expected a bot to keep to its box, got a breach\n{said}")
        if number == signal.SIGKILL and not self.is_program:  # a Python bot cannot do it itself
            self._dismiss()
            raise SandboxError("expected a worker to live, got it killed by the machine")
        self._fail("crash", f"expected an answer, got exit code {-number} ({number.name})\n{said}")

    def _fail(self, kind: str, detail: str) -> NoReturn:
        lines = detail.rstrip().splitlines()
        if kind == "exception" and lines and lines[-1].startswith("MemoryError"):
            kind = "memory"
        super()._fail(kind, detail)
