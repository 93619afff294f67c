"""A league whose bots are checked and whose matches are played by a cluster."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.cluster import open_cluster
from tests.support.command import ROOT, arena

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def test_two_conductors_have_bots_checked_and_matches_played_elsewhere(tmp_path: Path) -> None:
    words = ["--game", "architects", "--players", "2", "--games", "8", "--seed", "1"]
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
        conduct = ("league", "work", "cup", "--cluster", cluster.address)
        with ThreadPoolExecutor(2) as both:
            running = [both.submit(arena, *conduct, cwd=tmp_path) for _ in range(2)]
            ended = [each.result() for each in running]
        assert [done.returncode for done in ended] == [0, 0], [done.stderr for done in ended]
        shown = arena("cluster", "status", cluster.address, "--json", cwd=tmp_path)
    said = "".join(done.stderr for done in ended)
    assert said.count("one@1: ACCEPTED") == said.count("two@1: ACCEPTED") == 1
    (machine,) = json.loads(shown.stdout)
    assert (machine["machine"], machine["cores"]) == ("left", 1)
    matches = json.loads(arena("match", "list", "--json", cwd=tmp_path).stdout)
    assert len(matches) >= 8
    assert machine["played"] >= len(matches)  # with those of the checks, and none for nothing
    assert arena("tournament", "verify", cwd=tmp_path).returncode == 0
    table = json.loads(arena("league", "table", "cup", "--json", cwd=tmp_path).stdout)
    assert sorted(row["bot"] for row in table) == ["one@1", "two@1"]
