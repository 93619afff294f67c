"""The client of a real scheduler, when that is started again or a machine hangs."""

import asyncio
import os
import signal
import subprocess
from concurrent.futures import Future
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.cluster import dask_backend, status
from arena.cluster.address import ClusterAddress
from arena.cluster.dask_backend import SchedulerClient, open_scheduler
from arena.cluster.executor import ClusterExecutor
from arena.cluster.facts import Demands, this_build
from arena.cluster.kit import Kit
from arena.playing.runner import PortionLostError
from bots.chairs.limits import Limits
from engine.errors import ArenaError
from tests.support.cluster import ClusterProcesses, children, open_cluster
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow
KIT = Kit({}, {}, Limits(), Demands(this_build()), in_process=True)


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def test_a_client_knows_that_its_scheduler_was_started_again() -> None:
    async def restart() -> None:
        async with open_scheduler() as address:
            client = await SchedulerClient.open(address)
            client.put_kit(KIT)
            assert await client.machines() == []
            assert not client.is_lost
        looking = asyncio.create_task(client.machines())  # which waits for a scheduler
        async with open_scheduler(port=port_of(address)):
            with pytest.raises(OSError, match=r"got another|closed"):
                await looking
            while client._client.status == "connecting":  # Dask does this by itself
                await asyncio.sleep(0.01)
            with pytest.raises(ConnectionResetError):
                await client.machines()
            assert client.is_lost
            await client.close()

    asyncio.run(restart())


def test_a_kit_that_is_lost_with_its_machine_is_no_lost_scheduler(tmp_path: Path) -> None:
    async def lose(cluster: ClusterProcesses) -> None:
        client = await SchedulerClient.open(cluster.address)
        client.put_kit(KIT)
        await client._kit
        cluster.machines["left"].kill()
        while client._kit.status == "finished":
            await asyncio.sleep(0.01)
        assert client._kit.status != "cancelled"
        assert not client.is_lost
        cluster.start_machine("right", "--jobs", "1")
        await asyncio.wait_for(client._kit, 60)
        await client.close()

    with open_cluster(tmp_path, "left") as cluster:
        asyncio.run(lose(cluster))


def test_a_kit_that_no_machine_can_unpack_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def spoil(cluster: ClusterProcesses) -> None:
        client = await SchedulerClient.open(cluster.address)
        monkeypatch.setattr(dask_backend, "PlayedKit", bytes.decode)
        client.put_kit(KIT)
        while client._kit.status == "pending":
            await asyncio.sleep(0.01)
        with pytest.raises(UnicodeDecodeError):
            await client.machines()
        await client.close()

    with open_cluster(tmp_path, "left") as cluster:
        asyncio.run(spoil(cluster))


def test_the_machines_of_a_scheduler_that_hangs_are_not_waited_for(tmp_path: Path) -> None:
    with open_cluster(tmp_path) as cluster:
        os.kill(cluster.scheduler.pid, signal.SIGSTOP)
        try:
            with (
                patch.object(status, "CONNECT", 0.5),
                pytest.raises(ArenaError, match="got no answer"),
            ):
                status.cluster_report(ClusterAddress(cluster.address))
        finally:
            os.kill(cluster.scheduler.pid, signal.SIGCONT)


async def _played(pool: ClusterExecutor) -> int:
    """What comes of a portion that is submitted until it is played."""
    while True:
        future: Future[int] = pool.submit(sum, [1, 2])
        try:
            return await asyncio.wrap_future(future)
        except PortionLostError:
            await asyncio.sleep(0.01)


def test_a_run_goes_on_when_its_scheduler_is_back_at_once(
    tmp_path: Path,
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def restart() -> None:
        async with open_scheduler() as address:
            cluster.address = address
            cluster.start_machine("left", "--jobs", "1")
            pool = await asyncio.to_thread(ClusterExecutor, ClusterAddress(address), KIT)
            assert await asyncio.wait_for(_played(pool), 60) == 3
            endless = pool.submit(subprocess.check_output, ["cat", str(pipe)])
            writer = await asyncio.to_thread(os.open, pipe, os.O_WRONLY)  # when it is read from
        async with open_scheduler(port=port_of(address)):
            assert await asyncio.wait_for(_played(pool), 60) == 3
            assert isinstance(endless.exception(), PortionLostError)
            await asyncio.to_thread(pool.shutdown)
            os.close(writer)

    with open_cluster(tmp_path) as cluster:
        asyncio.run(restart())


def test_a_command_does_not_wait_for_a_machine_that_hangs(tmp_path: Path) -> None:
    async def machines(cluster: ClusterProcesses) -> int:
        client = await SchedulerClient.open(cluster.address)
        try:
            await asyncio.wait_for(client.check_versions(), 20)
            return len(await client.machines())
        finally:
            await client.close()

    with open_cluster(tmp_path, "left") as cluster:
        wait_until(lambda: asyncio.run(machines(cluster)), cluster.scheduler)
        (machine,) = children(cluster.machines["left"].pid)
        os.kill(machine, signal.SIGSTOP)
        try:
            assert asyncio.run(machines(cluster)) == 1
        finally:
            os.kill(machine, signal.SIGCONT)
