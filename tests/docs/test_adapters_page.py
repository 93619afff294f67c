"""The page on adapters: its tables are true, its blocks run."""

import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from arena.adapters.encoding import Encoding, zero_sum_rewards
from arena.adapters.layout import FeatureBlock
from engine.catalog import GAMES, find
from engine.match import Variant
from tests.support.command import ROOT, arena, environment

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "adapters.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
TITLES = {"architects": "Architects", "seven": "7 Wonders"}


def rows(header: str, after: str = "") -> list[list[str]]:
    """The cells of the first table with that header after some words."""
    table = TEXT[TEXT.index(after) :].partition(f"\n{header}\n")[2].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]


def test_sizes_are_true() -> None:
    true = [
        [game.id, edition or "-", *map(str, (n, c.size, c.table_size, c.seat_size, len(c.actions)))]
        for game in GAMES
        for edition in game.editions or (None,)
        for n in game.players
        for c in [Encoding(game, n, Variant(game.id, edition))]
    ]
    header = "| game | edition | players | observation | table | a seat | actions |"
    assert rows(header) == true


def numbers(game: str, block: FeatureBlock, other: FeatureBlock) -> str:
    if block.name == "seat":
        return "n"
    return f"{block.size}" if block.size == other.size else f"{block.size}, 1st: {other.size}"


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("part", ["table", "seat"])
def test_blocks_are_true(game: str, part: str) -> None:
    editions = find(game).editions
    code = Encoding(find(game), 3)
    first = Encoding(find(game), 3, Variant(game, editions[-1])) if editions else code
    pairs = zip(getattr(code.layout, part), getattr(first.layout, part), strict=True)
    true = [[f"`{b.name}`", numbers(game, b, o), f"{b.most:g}"] for b, o in pairs]
    words = "the table" if part == "table" else "each seat"
    told = rows("| block | numbers | one is | meaning |", f"### {TITLES[game]}: {words}\n")
    assert [row[:3] for row in told] == true
    assert all(len(row) == 4 and row[3] for row in told)


def test_verbs_are_true() -> None:
    true = []
    for game in GAMES:
        verbs = Counter(game.text(action).split()[0] for action in Encoding(game, 3).actions)
        true += [[game.id, f"`{verb}`", str(count)] for verb, count in verbs.items()]
    assert rows("| game | verb | indices |") == true


def test_rewards_are_true() -> None:
    for ranks, rewards in rows("| ranks | rewards |"):
        found = zero_sum_rewards([int(rank) for rank in ranks.split(", ")])
        assert ", ".join(f"{points:g}" for points in found) == rewards


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    assert {kind for kind, _ in BLOCKS} == {"sh", "python"}
    assert TEXT.count("```") == 2 * len(BLOCKS)


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind == "python"])
def test_python_blocks_run(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_commands_run_in_order(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "trained", tmp_path / "examples" / "trained")
    for line in "".join(text for kind, text in BLOCKS if kind == "sh").splitlines():
        program, *words = shlex.split(line)
        if program == "arena":
            done = arena(*words, cwd=tmp_path)
        else:
            assert program == "python3"
            command = [sys.executable, *words]
            done = subprocess.run(
                command,
                cwd=tmp_path,
                env=environment(),
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode == 0, (line, done.stderr)
        if "compare" in words:
            told = re.search(r"after (\d+) games at (\S+) Elo.*between (\S+) and (\S+)", TEXT, re.S)
            assert told is not None
            assert f"gain    {told[2]} Elo" in done.stdout
            assert f"{told[3]} to {told[4]}" in done.stdout
            assert f"games   {told[1]} in" in done.stdout
    assert (tmp_path / "weights.txt").exists()


def test_links_lead_somewhere() -> None:
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in anchors
        elif not target.startswith("https:"):
            assert (PAGE.parent / target.partition("#")[0]).exists()
