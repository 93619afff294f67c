"""A cluster of real processes: a scheduler, and machines with folders of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.command import environment
from tests.support.waiting import wait_until


class ClusterProcesses:
    """A scheduler and its machines, to be started and killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = "tcp://127.0.0.1:0"
        self.scheduler = self.start_scheduler()
        self.machines: dict[str, subprocess.Popen[str]] = {}

    def start_scheduler(self, *more: str) -> subprocess.Popen[str]:
        """Start it at the address it had before, if any."""
        log = self.folder / "scheduler.log"
        log.write_bytes(b"")
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start("scheduler", log, "scheduler", "--port", port, *more)
        wait_until(lambda: "scheduler at" in log.read_text(), self.scheduler)
        (line,) = log.read_text().splitlines()  # and nothing of what Dask logs
        self.address = line.split()[-1]
        return self.scheduler

    def start_machine(self, name: str, *more: str, **extra: str) -> subprocess.Popen[str]:
        """A machine with a temporary folder of its own."""
        log = self.folder / f"{name}.log"
        words = ("worker", "--scheduler", self.address, "--name", name, *more)
        self.machines[name] = process = self._start(name, log, *words, **extra)
        return process

    def _start(self, name: str, log: Path, *words: str, **extra: str) -> subprocess.Popen[str]:
        place = self.folder / name
        place.mkdir(exist_ok=True)
        with log.open("ab") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "arena", "cluster", *words],
                cwd=place,
                env=environment(TMPDIR=str(place), **extra),
                stdout=out,
                stderr=out,
                text=True,
                start_new_session=True,
            )

    def close(self) -> None:
        """End them all."""
        for process in (*self.machines.values(), self.scheduler):
            process.terminate()
        for process in (*self.machines.values(), self.scheduler):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def children(pid: int) -> list[int]:
    """The workers that a process has started and that live, without what Python starts beside."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(word) for word in (task / "children").read_text().split()]
    return [each for each in found if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


@contextmanager
def open_cluster(folder: Path, *machines: str, **extra: str) -> Iterator[ClusterProcesses]:
    """A cluster of machines with these names, a core each."""
    folder.mkdir(exist_ok=True)
    cluster = ClusterProcesses(folder)
    try:
        for name in machines:
            cluster.start_machine(name, "--jobs", "1", **extra)
        yield cluster
    finally:
        cluster.close()
