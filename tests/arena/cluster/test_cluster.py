"""The same command here and on a cluster: the same matches, decisions and ratings."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from arena.new_bot import BotTemplate, write
from tests.support.cluster import open_cluster
from tests.support.command import ROOT, arena
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def matches_of(folder: Path, db: str) -> list[dict[str, object]]:
    """What was stored, without what a clock told."""
    said = arena("tournament", "export", "cup", "--db", db, cwd=folder)
    found = [json.loads(line) for line in said.stdout.splitlines()]
    kept = ("number", "fixture", "spec", "decisions")
    seats = ("label", "score", "rank", "fault")
    return [
        {key: match[key] for key in kept}
        | {"seats": [[seat.get(key) for key in seats] for seat in match["seats"]]}
        for match in sorted(found, key=lambda match: int(match["number"]))
    ]


def test_files_a_folder_a_program_and_house_bots_play_the_same(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(ROOT / "examples/first_bot.py", home / "mine.py")
    write("other", BotTemplate.PYTHON, home)
    shutil.copy(ROOT / "examples/stdio_bot.py", home / "talker.py")
    bots = ("./mine.py", "./other", f"cmd:{sys.executable} talker.py", "greedy", "random")
    words = ["tournament", "run", *bots, "--players", "2", "--rounds", "2"]
    words += ["--seed", "3", "--name", "cup", "--json"]
    with open_cluster(tmp_path / "cluster", "left", "right") as cluster:
        there = arena(*words, "--db", "there.db", "--cluster", cluster.address, cwd=home)
        assert there.returncode == 0, there.stderr
        # The bots' files go with the run, and the machines stay.
        wait_until(lambda: not [*cluster.folder.glob("*/arena-*/0")], cluster.scheduler)
    here = arena(*words, "--db", "here.db", "--jobs", 2, cwd=home)
    assert there.stdout == here.stdout
    assert matches_of(home, "there.db") == matches_of(home, "here.db") != []
