"""Whatever dies of a cluster, every match is stored once and no bot is blamed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from leagues.errors import StorageError
from leagues.storage.handle import read_storage
from leagues.storage.match_filter import MatchFilter
from tests.arena.cluster.chaos import SLOW
from tests.support.cluster import ClusterProcesses, children, open_cluster
from tests.support.command import arena, environment
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow
MATCHES = 80
WORDS = ("tournament", "run", "random", "./slow.py", "--players", "2", "--rounds", "40")
CUP = (*WORDS, "--seed", "3", "--name", "cup", "--in-process", "--json")


def stored(db: Path) -> int:
    try:
        with read_storage(str(db)) as reader:
            return reader.results.count(MatchFilter())
    except StorageError:  # not there yet
        return 0


@contextmanager
def started(folder: Path, cluster: ClusterProcesses) -> Iterator[subprocess.Popen[str]]:
    """The tournament, with its matches on the cluster; killed at the end if it runs on."""
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *CUP, "--db", "cup.db", "--cluster", cluster.address],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        try:
            yield run
        finally:
            run.kill()


def go_on(db: Path, run: subprocess.Popen[str]) -> None:
    """Wait until more is stored."""
    seen = stored(db)
    wait_until(lambda: stored(db) >= seen + 8, run)


def test_processes_machines_scheduler_and_submitter_may_be_killed(tmp_path: Path) -> None:
    db = tmp_path / "cup.db"
    (tmp_path / "slow.py").write_text(SLOW)
    with open_cluster(tmp_path / "cluster", "left", "right", CHAOS_SLEEP="0.02") as cluster:
        with started(tmp_path, cluster) as run:
            go_on(db, run)
            (machine,) = children(cluster.machines["left"].pid)
            for player in children(machine):
                os.kill(player, signal.SIGKILL)
            go_on(db, run)
            os.kill(machine, signal.SIGKILL)
            go_on(db, run)
            cluster.scheduler.kill()
            cluster.scheduler.wait()
            cluster.start_scheduler()
            go_on(db, run)
        assert stored(db) < MATCHES
        with started(tmp_path, cluster) as run:
            there, said = run.communicate(timeout=200)
        assert run.returncode == 0, said
    assert stored(db) == MATCHES
    here = arena(*CUP, "--db", "here.db", cwd=tmp_path)
    assert there == here.stdout
    assert arena("tournament", "verify", "--db", "cup.db", cwd=tmp_path).returncode == 0


def test_a_run_whose_scheduler_is_gone_ends_when_it_is_told_to(tmp_path: Path) -> None:
    db = tmp_path / "cup.db"
    (tmp_path / "slow.py").write_text(SLOW)
    with (
        open_cluster(tmp_path / "cluster", "left", CHAOS_SLEEP="0.02") as cluster,
        started(tmp_path, cluster) as run,
    ):
        go_on(db, run)
        cluster.scheduler.kill()
        assert run.stderr is not None
        said = ""
        while "matches wait for it" not in said:  # within the time-out of the test
            said += run.stderr.readline()
        run.send_signal(signal.SIGINT)
        _, more = run.communicate(timeout=60)
        machine = cluster.machines["left"]
        machine.terminate()  # which waits for a scheduler too
        assert machine.wait(15) == 0
    said += more
    assert run.returncode == 130, said
    assert f"no connection to the scheduler at {cluster.address}" in said
    assert "to go on: arena tournament run" in said
    assert "Traceback" not in said
