"""The same command here and on a cluster: the same matches, decisions and ratings."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from arena.new_bot import BotTemplate, write
from arena.schemas.outputs import schema_text
from bots.sandbox.probe import probe
from tests.support.cluster import ClusterProcesses, open_cluster
from tests.support.command import ROOT, arena
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


SPY = """
import socket

def decide(decision):
    socket.create_connection(("127.0.0.1", {port}))
    return decision.options[0]
"""


def machines(cluster: ClusterProcesses) -> list[str]:
    said = arena("cluster", "status", cluster.address, "--json", cwd=cluster.folder).stdout
    rows = json.loads(said)
    jsonschema_rs.validate(json.loads(schema_text("cluster status")), rows)
    return sorted(row["machine"] for row in rows)


def faults_of(bot: str, matches: list[dict[str, Any]]) -> set[str]:
    """The last lines of a bot's faults."""
    return {
        fault["detail"].splitlines()[-1]
        for match in matches
        for fault in match["faults"]
        if match["seats"][fault["seat"]]["bot"] == bot
    }


def matches_of(folder: Path, db: str) -> list[dict[str, Any]]:
    """What was stored, without what a clock told."""
    said = arena("tournament", "export", "cup", "--db", db, cwd=folder)
    found = [json.loads(line) for line in said.stdout.splitlines()]
    kept = ("number", "fixture", "spec", "decisions", "seats", "faults", "sandbox", "rated")
    matches = [{key: match[key] for key in kept} for match in found]
    return sorted(matches, key=lambda match: int(match["number"]))


def test_files_a_folder_a_program_and_house_bots_play_the_same(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(ROOT / "examples/first_bot.py", home / "mine.py")
    write("other", BotTemplate.PYTHON, home)
    shutil.copy(ROOT / "examples/stdio_bot.py", home / "talker.py")
    bots = ("./mine.py", "./other", f"cmd:{sys.executable} talker.py", "greedy", "./spy.py")
    words = ["tournament", "run", *bots, "--players", "2", "--rounds", "1"]
    words += ["--seed", "3", "--name", "cup", "--json"]
    with open_cluster(tmp_path / "cluster", "left", "right") as cluster:
        cluster.start_machine("weak", "--jobs", "1", PATH="/nowhere")  # where no bwrap is
        (home / "spy.py").write_text(SPY.format(port=cluster.address.rpartition(":")[2]))
        wait_until(lambda: machines(cluster) == ["left", "right", "weak"], cluster.scheduler)
        there = arena(*words, "--db", "there.db", "--cluster", cluster.address, cwd=home)
        assert there.returncode == 0, there.stderr
        refused = there.stderr.count("weak is not given matches: expected sandbox ")
        assert refused == probe().layers.container  # once, unless no machine has bwrap
        assert str(cluster.folder) not in there.stderr
        # The bots' files go with the run, and the machines stay.
        wait_until(lambda: not [*cluster.folder.glob("*/arena-*/0")], cluster.scheduler)
    here = arena(*words, "--db", "here.db", "--jobs", 2, cwd=home)
    assert there.stdout == here.stdout
    played = matches_of(home, "there.db")
    assert played == matches_of(home, "here.db") != []
    # No bot reaches the scheduler, which runs whatever it is sent.
    assert faults_of("spy", played) == {"PermissionError: [Errno 1] Operation not permitted"}
