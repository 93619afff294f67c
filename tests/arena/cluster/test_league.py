"""A league whose bots are checked and whose matches are played by a cluster."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support.cluster import open_cluster
from tests.support.command import ROOT, arena

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def test_bots_are_checked_and_play_elsewhere(tmp_path: Path) -> None:
    words = ["--game", "architects", "--players", "2", "--games", "2", "--seed", "1"]
    words += ["--time-factor", "off"]  # whatever else runs beside the test
    assert arena("league", "create", "cup", *words, cwd=tmp_path).returncode == 0
    assert arena("league", "open", "cup", cwd=tmp_path).returncode == 0
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        shutil.copy(ROOT / "examples/first_bot.py", tmp_path / name / "bot.py")
        (tmp_path / name / "bot.toml").write_text(
            f'name = "{name}"\nversion = "1"\nentry = "bot:decide"\n'
        )
        done = arena("league", "submit", "cup", f"./{name}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    with open_cluster(tmp_path / "cluster", "left") as cluster:
        done = arena("league", "work", "cup", "--cluster", cluster.address, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        shown = arena("cluster", "status", cluster.address, "--json", cwd=tmp_path)
    assert "one@1: ACCEPTED" in done.stderr
    (machine,) = json.loads(shown.stdout)
    assert (machine["machine"], machine["cores"]) == ("left", 1)
    assert machine["played"] > 2
    table = json.loads(arena("league", "table", "cup", "--json", cwd=tmp_path).stdout)
    assert sorted(row["bot"] for row in table) == ["one@1", "two@1"]
