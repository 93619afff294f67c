"""The one module that knows Dask: its scheduler, its workers, and who sends them portions.

`dask worker --preload arena.cluster.dask_backend` makes any worker of Dask a machine of the arena.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import signal
import uuid
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Self

import dask
import distributed
from distributed.client import ClosedClientError, FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker
from distributed.versions import VersionMismatchWarning, get_versions

from arena.cluster.facts import MachineFacts, facts_of_here
from arena.cluster.kit import Kit, PlayedKit
from arena.cluster.metrics import ANY_CORE, MachineMetrics
from arena.playing.progress import notify
from arena.playing.runner import PortionLostError
from arena.playing.worker import kill_workers
from arena.tempdirs import TempFolder
from bots.chairs.processor_speed import measure_processor
from engine.errors import ArenaError

LOOPBACK: Final = "127.0.0.1"
CONNECT: Final = 10.0  # seconds until a scheduler is taken for not there
CLOSE: Final = 2.0  # seconds to take leave of a scheduler
LEAVE: Final = 20.0  # seconds to end what still runs
REMIND: Final = 60.0  # seconds between two lines about what is waited for
FACTS: Final = "arena"  # under which a machine announces itself
# One place for time limits, logs that are bounded, and nothing measured that nobody reads.
SETTINGS: Final = {
    "distributed.admin.large-graph-warning-threshold": "1GiB",
    "distributed.admin.log-length": 100,
    "distributed.admin.low-level-log-length": 100,
    "distributed.admin.tick.limit": "60s",
    "distributed.diagnostics.computations.max-history": 1,
    "distributed.diagnostics.computations.nframes": 0,
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
}
# Loggers whose level Dask sets.
LOGGERS: Final = (
    *("distributed", "distributed.client", "distributed.gc", "bokeh"),
    *("tornado", "tornado.application", "asyncio"),
)
# What Dask raises for a task whose machine or scheduler is gone.
LOST: Final = (ClosedClientError, CommClosedError, FutureCancelledError, KilledWorker, OSError)

dask.config.set(SETTINGS)
warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # a machine is refused for it


def silence(level: int = logging.CRITICAL) -> None:
    """Let Dask's own log have only what is that grave."""
    for name in LOGGERS:
        logging.getLogger(name).setLevel(level)


def security(tls: Path | None) -> Any:
    """TLS with the files that `arena cluster certificates` made; nothing else is then taken."""
    if tls is None:
        return distributed.Security(require_encryption=False)
    names = {"ca": "ca.pem", "cert": "cert.pem", "key": "key.pem"}
    files = {part: str(tls / name) for part, name in names.items()}
    for file in files.values():
        if not Path(file).is_file():
            raise ArenaError(f"expected {file}, got no such file; try: arena cluster certificates")
    roles = {
        f"tls_{role}_{part}": files[part]
        for role in ("scheduler", "worker", "client")
        for part in ("cert", "key")
    }
    return distributed.Security(tls_ca_file=files["ca"], require_encryption=True, **roles)


# --- a machine ---------------------------------------------------------------------------------

_facts: MachineFacts | None = None


_metrics = MachineMetrics()


def dask_setup(worker: Any, name: str = "") -> None:
    """Announce the facts of this machine; Dask calls this for a preloaded module."""
    global _facts
    measured = measure_processor()
    _metrics.add_measurement(ANY_CORE, measured)
    _metrics.watch_processor()
    _facts = facts = facts_of_here(name, worker.state.nthreads, measured.speed)
    worker.startup_information[FACTS] = lambda _worker: facts.plain()
    worker.metrics[FACTS] = _metrics.heartbeat
    # A machine whose scheduler is gone ends at once, and not with the match that it plays.
    worker.extensions[FACTS] = SimpleNamespace(close=kill_workers)


def _play(kit: PlayedKit, portion: bytes, matches: int) -> bytes:
    """On a machine: what a process of it makes of a portion."""
    assert _facts is not None
    with _metrics.count(matches):
        return kit.play(portion, _facts, _metrics.add_measurement)


async def run_worker(address: str, cores: int, name: str, host: str, tls: Path | None) -> None:
    """Be a machine of a cluster until its scheduler is gone or this process is to end."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    with TempFolder() as scratch:
        worker = distributed.Worker(
            address,
            nthreads=cores,
            host=host or None,
            memory_limit=0,
            local_directory=str(scratch.path),
            dashboard=False,
            security=security(tls),
        )
        dask_setup(worker, name)
        loop.add_signal_handler(signal.SIGTERM, over.set)
        serving, ending = loop.create_task(_serve(worker)), loop.create_task(over.wait())
        done: set[asyncio.Task[Any]] = set()
        while not done:
            done, _ = await asyncio.wait(
                (serving, ending), timeout=REMIND, return_when=asyncio.FIRST_COMPLETED
            )
            if not done and worker.status is distributed.Status.init:
                notify(f"no scheduler at {address}; this machine waits for it")
        if ending in done:
            serving.cancel()
            await asyncio.wait((serving,), timeout=LEAVE)
        else:
            serving.result()  # which may be an error


async def _serve(worker: Any) -> None:
    """Join the cluster, as soon as it has a scheduler, and stay until that is gone."""
    async with worker:
        await worker.finished()


# --- the scheduler -----------------------------------------------------------------------------


@asynccontextmanager
async def open_scheduler(
    host: str = LOOPBACK, port: int = 0, tls: Path | None = None, dashboard: int | None = None
) -> AsyncIterator[str]:
    """A scheduler in this process; its address."""
    shown = dashboard is not None and find_spec("bokeh") is not None
    async with distributed.Scheduler(
        host=host,
        port=port,
        protocol="tls" if tls else "tcp",
        security=security(tls),
        dashboard=shown,
        dashboard_address=f"{host}:{dashboard or 0}",
    ) as scheduler:
        yield str(scheduler.address)


# --- who sends portions ------------------------------------------------------------------------


@dataclass(frozen=True)
class MachineState:
    """A machine as the scheduler knows it just now."""

    facts: MachineFacts | None  # None where it is no machine of ours
    address: str
    last_seen: float
    under_way: int  # portions
    played: int  # matches
    rate: float  # matches a second, of late
    speed: float = 1.0  # of a core, by the latest measurements
    noise: str = ""  # why these cannot be relied on


def _state(address: str, worker: dict[str, Any]) -> MachineState:
    facts = MachineFacts.parse(worker.get(FACTS, {}))
    metrics = worker["metrics"]
    tasks: dict[str, int] = metrics.get("task_counts", {})
    ours = metrics.get(FACTS, {})
    return MachineState(
        facts,
        address,
        worker["last_seen"],
        sum(count for state, count in tasks.items() if state not in ("memory", "released")),
        ours.get("played", 0),
        ours.get("rate", 0.0),
        ours.get("speed", facts.speed if facts else 1.0),
        ours.get("noise", ""),
    )


class SchedulerClient:
    """A client of a scheduler; whatever tells that it is gone becomes PortionLostError."""

    def __init__(self, client: Any, scheduler: str) -> None:
        self._client = client
        self._scheduler = scheduler  # its id, which differs if it is started again
        self._kit: Any = None

    @classmethod
    async def open(cls, address: str, tls: Path | None = None) -> Self:
        """Connect; OSError if there is no scheduler."""
        client: Any = distributed.Client(
            address,
            asynchronous=True,
            set_as_default=False,
            timeout=CONNECT,
            security=security(tls),
        )
        try:
            await client
            return cls(client, (await client.scheduler.identity(n_workers=0))["id"])
        except BaseException:
            await client.close(timeout=CLOSE)
            raise

    async def check_versions(self) -> None:
        """ArenaError if the scheduler is of other versions than this process."""
        # Not `Client.get_versions`, which asks all machines and waits for each of them.
        found = await self._client.scheduler.versions()
        here, there = get_versions()["packages"], found["packages"]
        for name in ("python", "distributed", "msgpack"):
            if here[name] != there[name]:
                raise ArenaError(
                    f"expected a scheduler with {name} {here[name]}, got {there[name]}"
                )

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is gone, or another one that was never given the kit is there.

        Dask's client connects again by itself when the scheduler was away, and is then as before,
        except that all it had put on the cluster is cancelled.
        """
        is_cancelled = self._kit is not None and self._kit.status == "cancelled"
        return is_cancelled or bool(self._client.status != "running")

    async def machines(self) -> list[MachineState]:
        """The machines that are there; OSError if the scheduler is not.

        Where the kit could not be unpacked, the error of the machine that tried.
        """
        if self._kit is not None and self._kit.status == "error":
            try:
                await self._kit
            except KilledWorker as problem:  # not the kit, but the machines that tried
                raise ConnectionResetError(str(problem)) from None
        found = await self._client.scheduler.identity(n_workers=-1)
        if found["id"] != self._scheduler:
            raise ConnectionResetError("expected the scheduler as before, got another")
        return [_state(address, worker) for address, worker in found["workers"].items()]

    def put_kit(self, kit: Kit) -> None:
        """Have the kit on the cluster while this connection lasts; machines fetch it once each."""
        content = pickle.dumps(kit, pickle.HIGHEST_PROTOCOL)
        key = f"kit-{uuid.uuid4().hex}"
        self._kit = self._client.submit(PlayedKit, content, key=key, pure=False)

    async def play(self, address: str, portion: bytes, matches: int) -> bytes:
        """What a machine makes of a portion; PortionLostError if it is gone meanwhile."""
        try:
            future = self._client.submit(
                _play,
                self._kit,
                portion,
                matches,
                key=f"matches-{uuid.uuid4().hex}",
                workers=[address],
                pure=False,
            )
            try:
                answer: bytes = await future
            finally:
                future.release()
        except LOST as problem:
            raise PortionLostError(str(problem)) from None
        return answer

    async def close(self) -> None:
        """Leave; what is still under way is of no use to anybody."""
        self._kit = None
        with suppress(OSError, asyncio.TimeoutError):
            await self._client.close(timeout=CLOSE)
