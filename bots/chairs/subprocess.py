"""A bot in a plain process of its own, in any language, for all matches of a run."""

from __future__ import annotations

import json
import math
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from bots.chairs.clock import Meter
from bots.chairs.transport import Exit, Streams, Transport
from bots.discovery.manifest import Manifest
from bots.discovery.spec import BotError, BotSpec
from bots.sandbox.lockdown import die_with_parent
from bots.sandbox.process_clock import ProcessClock
from engine.match import FaultKind

ROOT: Final = Path(__file__).resolve().parents[2]
HOST: Final = (
    "import sys; sys.path.append(sys.argv.pop(1)); from bots.protocol import host; host.main()"
)
# A program in Python reads no byte code from its folder, which no digest covers, and writes none.
NO_CACHES: Final = {"PYTHONPYCACHEPREFIX": os.devnull, "PYTHONDONTWRITEBYTECODE": "1"}


class PipeTransport(Transport):
    """Pipes to a process without a sandbox: for bots the user trusts, which are never paused."""

    def __init__(self, spec: BotSpec, manifest: Manifest) -> None:
        super().__init__(manifest)
        self.spec = spec
        self._open()

    def _open(self) -> None:
        self.process = _spawn(self.spec, self.manifest)
        self.meter = Meter(ProcessClock(self.process.pid), children=self.manifest.is_program)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        for pipe in self.pipes:
            os.set_blocking(pipe.fileno(), False)
        self.streams = Streams(*(pipe.fileno() for pipe in self.pipes))
        self.poller = select.poll()
        for fd in (self.streams.replies, self.streams.errors):
            self.poller.register(fd, select.POLLIN)
        self.is_new = True

    def start_match(self) -> bool:
        if self.process.poll() is not None:  # it failed in the match before
            self.close(b"")
            self._open()
        self.streams.printed = b""
        is_new, self.is_new = self.is_new, False
        return is_new

    def end_match(self) -> None:
        self.drain()

    def send(self, data: bytes) -> int:
        return self.streams.write(data)

    def wait(self, seconds: float) -> bool:
        heard = False
        for fd, _ in self.poller.poll(math.ceil(1000 * seconds)):
            if fd == self.streams.errors:
                self.drain()
            elif self.streams.read():
                heard = True
            else:
                return False
        # A child it started may hold its pipes open, so its end is watched for itself.
        if not heard and self.process.poll() is not None:
            self.streams.read()  # what it said last
            return False
        return True

    def drain(self) -> None:
        if not self.streams.drain() and self.streams.is_open:
            with suppress(KeyError):
                self.poller.unregister(self.streams.errors)

    def exit(self) -> Exit | None:
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return None
        return Exit(FaultKind.CRASH, f"expected an answer, got exit code {code}")

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # with everything it started
        self.process.wait()

    def peak(self) -> int:
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as lines:
                return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            return 0

    def close(self, bye: bytes) -> None:
        if self.process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                self.streams.write(bye)
                self.process.wait(0.5)
        self.kill()
        self.streams.is_open = False
        self.meter.clock.close()
        for pipe in self.pipes:
            pipe.close()


def _spawn(spec: BotSpec, manifest: Manifest) -> subprocess.Popen[bytes]:
    if manifest.is_program:
        words = manifest.words
    else:
        order = {"manifest": asdict(manifest), "params": dict(spec.params)}
        # Not from the current folder: a random.py there would be imported for the library's.
        words = [sys.executable, "-P", "-c", HOST, str(ROOT), json.dumps(order)]
    try:
        return subprocess.Popen(
            words,
            env=os.environ | NO_CACHES if manifest.is_program else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            cwd=manifest.folder if manifest.is_program and manifest.folder else None,
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )
    except OSError as problem:
        raise BotError(f"expected to run {words[0]}, got {problem.strerror}") from None
