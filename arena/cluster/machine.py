"""A machine of a cluster: a worker of Dask in a process that is started again if it dies."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from arena.cluster.dask_backend import LOOPBACK, open_scheduler, run_worker, silence
from arena.playing.worker import SPAWN
from bots.sandbox.lockdown import die_with_parent
from engine.errors import ArenaError

PAUSE: Final = 1.0  # seconds before a worker is started again
GRACE: Final = 5.0  # seconds to end by itself


@dataclass(frozen=True)
class MachineOptions:
    """Which cluster a machine joins, and as what."""

    scheduler: str
    cores: int
    name: str = ""
    host: str = ""  # to listen at
    tls: Path | None = None


def _leave_with(parent: int) -> None:
    """Have this process end with its parent, and by nothing that is sent to the parent's group."""
    os.setpgid(0, 0)
    die_with_parent()
    if os.getppid() != parent:
        os._exit(1)


def _be_worker(options: MachineOptions, parent: int) -> None:
    """In a process of its own: join the cluster, and leave it with the parent."""
    _leave_with(parent)
    silence()
    asyncio.run(
        run_worker(options.scheduler, options.cores, options.name, options.host, options.tls)
    )


def serve_machine(options: MachineOptions) -> int:
    """Be a machine of a cluster until it is told to end; a worker that ends is started again."""
    stopping = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        if child.is_alive() and child.pid is not None:
            os.kill(child.pid, signal.SIGTERM)

    child = SPAWN.Process(target=_be_worker, args=(options, os.getpid()))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    while not stopping:
        child.start()
        if stopping:  # since `stop` looked for a child
            child.terminate()
        child.join()
        if not stopping:
            time.sleep(PAUSE)
            child = SPAWN.Process(target=_be_worker, args=(options, os.getpid()))
    return 0


def _serve_local(options: MachineOptions, parent: int) -> None:
    """In a process of its own: be the machine of a cluster for trying."""
    _leave_with(parent)
    serve_machine(options)


@asynccontextmanager
async def open_local(cores: int) -> AsyncIterator[str]:
    """A cluster of this machine alone, for trying; the address of its scheduler."""
    async with open_scheduler() as address:
        options = MachineOptions(address, cores, host=LOOPBACK)
        child = SPAWN.Process(target=_serve_local, args=(options, os.getpid()))
        child.start()
        try:
            yield address
        finally:
            child.terminate()
            await asyncio.to_thread(child.join, GRACE)
            child.kill()
            await asyncio.to_thread(child.join)


async def serve_scheduler(host: str, port: int, tls: Path | None, dashboard: int | None) -> None:
    """Run a scheduler until the process is to end."""
    silence()
    try:
        socket.create_server((host, port)).close()  # Dask would not say why it cannot
    except OSError as problem:
        reason, _, _ = str(problem.strerror).partition(" (while")  # which repeats the address
        raise ArenaError(f"cannot listen at {host}:{port}: {reason}") from None
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    async with open_scheduler(host, port, tls, dashboard) as address:
        print(f"scheduler at {address}", file=sys.stderr, flush=True)  # noqa: T201
        await over.wait()
