"""The chair of a stranger's bot: behind the walls, timed by the kernel, judged from outside."""

from __future__ import annotations

import math
import os
import select
import signal
from dataclasses import asdict
from typing import NoReturn

from bots.api import Outcome, Seating
from bots.chairs.base import ChairFault
from bots.chairs.clock import Meter
from bots.chairs.limits import Limits
from bots.chairs.subprocess import LAST_WORDS, MAX_OUTPUT, SubprocessChair
from bots.discovery.manifest import Manifest
from bots.discovery.spec import BotSpec
from bots.protocol.messages import MAX_BYTES
from bots.protocol.sanitize import clean
from bots.sandbox import visible_paths
from bots.sandbox.container import Container, Layers, Worker
from bots.sandbox.errors import SandboxError
from engine.contract import Action


class SandboxedChair(SubprocessChair):
    """A bot in a container of its own, with a fresh worker for every match."""

    def __init__(
        self, spec: BotSpec, manifest: Manifest, limits: Limits, layers: Layers | None = None
    ) -> None:
        self.layers = layers or Layers()
        # What may compute behind its answer's back is stopped after it.
        self.freezes = limits.freeze or manifest.threads or manifest.is_program
        self.frozen = False
        self.worker: Worker | None = None
        self.container: Container | None = None
        self.most = 0  # kilobytes of memory any of its workers took
        super().__init__(spec, manifest, limits)

    def _open(self) -> None:
        """Start the container; it gets ready while others do."""
        if self.is_program:
            own = self.manifest.source == "program"
            visible, words = (
                visible_paths.for_folder(self.manifest)
                if own
                else visible_paths.for_program(self.manifest.words)
            )
            self.container = Container(self.layers, visible, {"words": words})
            return
        order = {"manifest": asdict(self.manifest), "params": dict(self.spec.params)}
        visible = visible_paths.for_python(self.manifest)
        self.container = Container(self.layers, visible, order, threads=self.manifest.threads)

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
        self.frozen = False
        self.meter = Meter(self.worker.clock, self.manifest.threads, self.is_program)
        self.poller = select.poll()
        for fd in (self.worker.replies, self.worker.errors, self.worker.pidfd):
            self.poller.register(fd, select.POLLIN)
        self._exchange(seating)

    def answer(self) -> Action:
        try:
            return super().answer()
        except ChairFault:
            self._dismiss()
            raise

    def finish(self, outcome: Outcome) -> None:
        super().finish(outcome)
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

    def _tell(self, line: bytes) -> None:
        if self.frozen:  # it could not read, and must not be blamed for a full pipe
            self.held += line
        else:
            super()._tell(line)

    def _write(self, data: bytes) -> int:
        assert self.worker is not None
        if self.frozen:
            self.worker.thaw(self.is_program)
            self.frozen = False
        return os.write(self.worker.requests, data)

    def _line(self) -> bytes:
        line = super()._line()
        if self.freezes:
            assert self.worker is not None
            self.worker.freeze(self.is_program)
            self.frozen = True
        return line

    def _listen(self, most: float) -> bool:
        """Take what the bot says and prints; whether it has time left."""
        assert self.worker is not None
        left = self.meter.left()
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
        if len(self.buffer) > MAX_BYTES + 1:  # and its newline
            self._fail("protocol", f"expected at most {MAX_BYTES} bytes, got more")
        return left > 0

    def _read(self) -> bool:
        assert self.worker is not None
        try:
            part = os.read(self.worker.replies, MAX_BYTES)
        except BlockingIOError:
            return True
        self.buffer += part
        return bool(part)

    def _drain(self) -> None:
        if self.worker is None:
            return
        try:
            if part := os.read(self.worker.errors, MAX_OUTPUT):
                self.printed = (self.printed + part)[-MAX_OUTPUT:]
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
        number = os.WTERMSIG(status)
        if number == signal.SIGSYS:
            self._fail("violation", f"expected a bot to keep to its box, got a breach\n{said}")
        if number == signal.SIGKILL and not self.is_program:  # a Python bot cannot do it itself
            self._dismiss()
            raise SandboxError("expected a worker to live, got it killed by the machine")
        self._fail(
            "crash", f"expected an answer, got exit code {-number} ({_name(number)})\n{said}"
        )

    def _fail(self, kind: str, detail: str) -> NoReturn:
        lines = detail.rstrip().splitlines()
        if kind == "exception" and lines and lines[-1].startswith("MemoryError"):
            kind = "memory"
        super()._fail(kind, detail)


def _name(number: int) -> str:
    """What a signal is called; most of the real-time ones have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
