"""The trained example: it plays, it beats greedy, and it can be trained again."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arena.playing.referee import play
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.discovery.loader import find_maker
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import parse_spec
from bots.house.greedy import Greedy
from engine.catalog import find
from tests.support.command import ROOT, arena, environment

pytestmark = pytest.mark.slow

FOLDER = ROOT / "examples" / "trained"
GAME = find("architects")


def test_it_passes_the_check(tmp_path: Path) -> None:
    done = arena("bot", "check", FOLDER, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    steps = json.loads(done.stdout)["steps"]
    assert [step["found"] for step in steps if "again" in step["name"]] == ["yes"]


@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize("extra", [(), ("--expansions", "medals", "--expert")], ids=["", "medals"])
def test_it_plays_every_table(players: int, extra: tuple[str, ...], tmp_path: Path) -> None:
    rivals = ["greedy"] * (players - 1)
    words = ("--seed", 1, "--json", *extra)
    done = arena("play", "architects", FOLDER, *rivals, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"][0]["faults"] == []


def test_it_beats_greedy() -> None:
    """The same deals in both seatings, by the seeds: the outcome is always the same."""
    make = find_maker(read_manifest(parse_spec(str(FOLDER))))
    won = 0.0
    for seed in range(1, 13):
        setup = GAME.setup(2, seed)
        for seat in (0, 1):
            chairs = [InProcessChair(make), InProcessChair(Greedy)][:: 1 - 2 * seat]
            spec = GAME.spec(setup, seed, ("", ""))
            result = play(spec, chairs, Limits())
            assert not result.faults, result.faults
            won += (result.ranks[seat] == 0) / result.ranks.count(0)
    assert won > 0.6 * 24


def train(folder: Path, *words: object) -> list[float]:
    """The weights of a short training, warnings being errors."""
    done = subprocess.run(
        [sys.executable, "train.py", "--rounds", "2", "--games", "4", *map(str, words)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "round 2:" in done.stdout
    weights: list[float] = np.loadtxt(folder / "weights.txt").tolist()
    return weights


def test_training_gives_the_same_weights_by_the_same_seed(tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "trained")
    shipped = np.loadtxt(FOLDER / "weights.txt").tolist()
    first = train(folder)
    assert len(first) == len(shipped)
    assert first != shipped
    assert train(folder) == first
    assert train(folder, "--seed", 2) != first
    done = arena("play", "architects", "./trained", "random", "--seed", 1, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["games"][0]["faults"] == []
