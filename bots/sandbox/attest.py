"""What the kernel says of a worker, read from outside: nothing a worker reports is evidence."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Final

from engine.errors import ArenaError

WANTED: Final = {"NoNewPrivs": "1", "Threads": "1"}


class SandboxError(ArenaError):
    """The machine, not the bot, failed: no bot may be blamed, and none is run."""


def pid_of(pidfd: int) -> int:
    """The process, by its number out here."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("Pid:"):
                return int(line.split()[1])
    raise SandboxError("expected the number of a worker, got none")


def status_of(pid: int) -> dict[str, str]:
    """The kernel's account of a process."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as lines:
            pairs = (line.partition(":") for line in lines)
            return {key: value.strip() for key, _, value in pairs}
    except OSError as problem:
        raise SandboxError(f"expected a worker, got {problem.strerror}") from None


def attest(pid: int, filtered: bool, renamed: bool) -> None:
    """SandboxError unless the worker is locked: filtered by seccomp, and not root if renamed."""
    status = status_of(pid)
    wanted = WANTED | ({"Seccomp": "2"} if filtered else {})
    for key, value in wanted.items():
        if status.get(key) != value:
            raise SandboxError(f"expected {key} {value} of a worker, got {status.get(key)}")
    for key in ("CapPrm", "CapEff", "CapAmb"):
        if int(status.get(key, "1"), 16) != 0:
            raise SandboxError(f"expected no capabilities of a worker, got {status.get(key)}")
    if renamed and "0" in status["Uid"].split():
        raise SandboxError("expected a worker not to be root, got root")


class Clock:
    """A worker's time by the kernel: what it computed, and what it waited for a processor."""

    def __init__(self, pid: int) -> None:
        self.id = (~pid << 3) | 2
        self.last = 0.0
        try:
            self.queue = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.queue = -1  # a kernel without these figures: nothing is discounted

    def computed(self) -> float:
        """Seconds on a processor so far; the last figure once it is gone."""
        with suppress(OSError):
            self.last = time.clock_gettime(self.id)
        return self.last

    def queued(self) -> float:
        """Seconds it was ready to run and was not let."""
        if self.queue < 0:
            return 0.0
        try:
            return int(os.pread(self.queue, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0

    def close(self) -> None:
        """Be done with it."""
        if self.queue >= 0:
            os.close(self.queue)
            self.queue = -1
