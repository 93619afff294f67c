"""A bot in a container of its own: a locked worker for every match, or for many if it is ours."""

from __future__ import annotations

import math
import os
import select
import signal
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Final

from bots.chairs.clock import Meter
from bots.chairs.transport import Exit, Streams, Transport
from bots.discovery.manifest import Manifest, Source
from bots.discovery.spec import BotSpec
from bots.protocol import packets
from bots.sandbox import visible_paths
from bots.sandbox.container import Container, Layers, Worker
from bots.sandbox.control import GO
from bots.sandbox.errors import SandboxError
from bots.sandbox.shared_imports import shared_imports, sources_of
from engine.match import FaultKind

MAX_AGE: Final = 600.0  # seconds after which a worker gets no further match
FULL: Final = 0.75  # of the memory a process may fill: who has more and ends ran out of it


class SandboxTransport(Transport):
    """Pipes to a sandboxed worker, whose end is told by the kernel and not by the bot."""

    has_memory_limit = True

    def __init__(
        self, spec: BotSpec, manifest: Manifest, layers: Layers | None = None, freeze: bool = False
    ) -> None:
        super().__init__(manifest)
        self.spec = spec
        self.layers = layers or Layers()
        # What may compute behind its answer's back is stopped after it.
        self.freezes = freeze or self.has_threads
        # Built-in bots are our own code, and play the same in the arena's own process, match after
        # match: a worker of theirs is used again.
        self.reuses = manifest.source is Source.HOUSE
        self.is_idle = False  # whether the worker has ended a match, and may begin another
        self.worker_started = 0.0
        self.params = spec.params  # that the container knows of
        self.worker_params = spec.params  # and the worker
        self.unsent = b""  # what lets the worker load its bot goes with the first message
        self.worker: Worker | None = None
        self.container: Container | None = None
        self.most_filled = 0  # kilobytes, where the kernel does not see to it
        self.overran: Exit | None = None  # what it had too much of, and was killed for
        self.last: Worker | None = None  # that was killed
        self.most = 0  # kilobytes that one took in a container that was closed
        self._open()

    def _open(self) -> None:
        """Start the container; it gets ready while others do."""
        if self.manifest.is_program:
            own = self.manifest.source is Source.PROGRAM
            visible, words = (
                visible_paths.for_folder(self.manifest)
                if own
                else visible_paths.for_program(self.manifest.words)
            )
            self.container = Container(self.layers, visible, {"words": words})
            return
        facts = asdict(self.manifest) | {"source": str(self.manifest.source)}
        sources = sources_of(self.manifest)
        order = {
            "manifest": facts,
            "params": dict(self.params),
            "sources": sources,
            "imports": shared_imports(self.manifest, sources),
        }
        visible = visible_paths.for_python(self.manifest)
        self.container = Container(self.layers, visible, order, threads=self.manifest.threads)

    def use(self, spec: BotSpec) -> None:
        """Have the same bot play with the parameters of this spec from the next match on."""
        self.spec = spec

    def start_match(self) -> bool:
        if self.is_idle and not self._lives():
            self.kill()
            self._close_container()  # with which it may have gone
        if self.is_idle and time.monotonic() - self.worker_started < MAX_AGE:
            self.is_idle = False
            self.streams.printed = b""
            self._tell_params()
            return False
        self.kill()
        if self.container is None:
            self._open()
        assert self.container is not None
        try:
            worker = self.worker = self.container.spawn()
        except SandboxError:
            self._close_container()
            raise
        self.is_paused = False
        self.overran = None
        self.most_filled = self.container.most_filled
        self.worker_started = time.monotonic()
        self.worker_params = self.params
        self.unsent = GO
        self._tell_params()
        self.streams = Streams(worker.requests, worker.replies, worker.errors)
        self.meter = Meter(worker.clock, self.has_threads)
        self.poller = select.poll()
        for fd in (worker.replies, worker.errors, worker.pidfd):
            self.poller.register(fd, select.POLLIN)
        return True

    def _lives(self) -> bool:
        """Whether the worker has not ended meanwhile."""
        assert self.worker is not None
        ending = select.poll()
        ending.register(self.worker.pidfd, select.POLLIN)
        return not ending.poll(0)

    def _tell_params(self) -> None:
        """Have the worker know the parameters of this match before its bot is made."""
        if self.spec.params != self.worker_params:
            self.unsent += packets.pack_params(dict(self.spec.params))
            self.worker_params = self.spec.params

    def end_match(self) -> None:
        """The next match has a new worker, unless the bot is ours."""
        if self.reuses:
            self.drain()
            self.is_idle = True
        else:
            self.kill()

    def send(self, data: bytes) -> int:
        if self.is_paused:
            assert self.worker is not None
            self.worker.thaw()
            self.is_paused = False
        if not self.unsent:
            return self.streams.write(data)
        sent = self.streams.write(self.unsent + data) - len(self.unsent)
        self.unsent = b""
        return sent

    def wait(self, seconds: float) -> bool:
        assert self.worker is not None
        ended = False
        for fd, _ in self.poller.poll(math.ceil(1000 * seconds)):
            if fd == self.worker.errors:
                self.drain()
            elif fd == self.worker.pidfd or not self.streams.read():
                ended = True
        if ended:
            self.streams.read()  # what it said last
        elif self.most_filled and (filled := self.worker.clock.filled()) > self.most_filled:
            told = f"expected at most {self.most_filled >> 10:,} MB filled, got {filled >> 10:,}"
            self.overran = Exit(FaultKind.MEMORY, told)
            self.worker.kill()
            self.streams.received = b""  # too late
            return False
        return not ended

    def pause(self) -> None:
        if self.freezes:
            assert self.worker is not None
            self.worker.freeze()
            self.is_paused = True

    def drain(self) -> None:
        if self.worker is not None and not self.streams.drain():
            with suppress(KeyError):
                self.poller.unregister(self.worker.errors)

    def exit(self) -> Exit | None:
        assert self.worker is not None
        assert self.container is not None
        ending = select.poll()
        ending.register(self.worker.pidfd, select.POLLIN)
        if not ending.poll(1000):
            return None
        try:
            status = self.container.status(self.worker)
        except SandboxError:
            self.close(b"")
            raise
        if self.overran is not None:
            return self.overran
        most = self.container.memory
        # What it does where no more is to be had is its own affair: that it filled it is known.
        if self.worker.peak > FULL * most > 0 and not was_killed(status):
            filled = f"{self.worker.peak >> 10:,} of {most >> 10:,} MB"
            detail = f"expected an answer, got an end with {filled} filled"
            return Exit(FaultKind.MEMORY, detail)
        if not os.WIFSIGNALED(status):
            code = os.waitstatus_to_exitcode(status)
            return Exit(FaultKind.CRASH, f"expected an answer, got exit code {code}")
        number = os.WTERMSIG(status)
        if number == signal.SIGSYS:
            return Exit(FaultKind.VIOLATION, "killed by seccomp: forbidden system call")
        if number == signal.SIGKILL and not self.manifest.is_program:
            # A Python bot cannot do it itself.
            self.kill()
            raise SandboxError(
                "the worker was killed by the machine, not by the bot", FaultKind.MEMORY
            )
        return Exit(
            FaultKind.CRASH, f"expected an answer, got exit code {-number} ({_name(number)})"
        )

    def kill(self) -> None:
        """End the worker, if there is one, and keep the end of what it printed."""
        self.is_idle = False
        if self.worker is None:
            return
        self.drain()
        worker, self.worker = self.worker, None
        self.streams.is_open = False
        try:
            assert self.container is not None
            self.container.end(worker)
            self.last = worker
            if not self.container.forget():
                self.most = max(self.most, self.container.peak)
                self._close_container()
        except SandboxError:
            self._close_container()
        finally:
            worker.close()

    def peak(self) -> int:
        if self.is_idle:
            self.kill()
        if self.container is None or self.last is None:
            return self.most
        self.container.status(self.last)  # its own is known once it is buried
        return self.container.peak

    def close(self, bye: bytes) -> None:
        self.kill()
        self._close_container()

    def _close_container(self) -> None:
        if self.container is not None:
            self.container.close()
            self.container = None


def was_killed(status: int) -> bool:
    """Whether a process was ended by what it cannot bring about where it wants to."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGSYS, signal.SIGKILL)


def _name(number: int) -> str:
    """What a signal is called; most of the real-time ones have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
