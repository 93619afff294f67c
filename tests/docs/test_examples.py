"""Every example passes the check, plays every game, and does what its README says."""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

import engine
from engine.catalog import GAMES
from engine.contract import Game
from tests.support.command import ROOT, arena, complaints
from tests.support.needs import requires

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples"
PYTHON = shlex.quote(sys.executable)
needs_node = requires("node")


def path(name: str) -> str:
    """An example as a word of a command."""
    return shlex.quote(str(EXAMPLES / name))


STDIO = f"{PYTHON} {path('stdio_bot.py')}"
OVERHEARD = f"cmd:{PYTHON} {path('overhear.py')} talk.jsonl {STDIO}"
JAVASCRIPT = shlex.quote(str(ROOT / "arena" / "templates" / "javascript" / "bot.js"))
SEARCH = f"{EXAMPLES}/search_bot.py:worlds=1"
BOTS = [
    pytest.param(f"{EXAMPLES}/first_bot.py", id="first_bot.py"),
    pytest.param(SEARCH, id="search_bot.py"),
    pytest.param(f"cmd:{STDIO}", id="stdio_bot.py"),
    pytest.param(f"cmd:{STDIO} --observe", id="observing"),
    pytest.param(f"cmd:node {JAVASCRIPT}", id="javascript", marks=needs_node),
    pytest.param(OVERHEARD, id="overhear.py"),
]
every_bot = pytest.mark.parametrize("bot", BOTS)


def trust(bot: str) -> tuple[str, ...]:
    """What writes files cannot do so in the sandbox."""
    return ("--trust-bots",) if bot == OVERHEARD else ()


def test_every_example_is_tried_here() -> None:
    programs = {file.name for file in EXAMPLES.iterdir() if file.suffix == ".py"}
    assert programs <= {str(bot.id) for bot in BOTS}


@every_bot
def test_it_passes_the_check(bot: str, tmp_path: Path) -> None:
    if bot == SEARCH and not engine.COMPILED:
        pytest.skip("a hundred games of search take a minute interpreted")
    done = arena("bot", "check", bot, "--json", *trust(bot), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert complaints(done.stderr) == []
    steps = json.loads(done.stdout)["steps"]
    assert [step["found"] for step in steps if "again" in step["name"]] == ["yes"]


@every_bot
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("size", [0, -1], ids=["fewest", "most"])
def test_it_plays_against_greedy(bot: str, game: Game, size: int, tmp_path: Path) -> None:
    rivals = ["greedy"] * (game.players[size] - 1)
    done = arena("play", game.id, bot, *rivals, "--seed", 1, "--json", *trust(bot), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (played,) = json.loads(done.stdout)["games"]
    assert played["faults"] == []
    assert min(played["ranks"]) == 1


def test_overhearing_keeps_what_was_said(tmp_path: Path) -> None:
    words = ("random", "--seed", 1, "--trust-bots")
    done = arena("play", "architects", OVERHEARD, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "talk.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = [json.loads(line)["message"]["type"] for line in lines]
    assert kinds[:4] == ["hello", "ready", "start", "ready"]
    assert "finish" in kinds


def test_the_search_is_short() -> None:
    assert len((EXAMPLES / "search_bot.py").read_text(encoding="utf-8").splitlines()) < 40


def shown() -> list[str]:
    """The commands on the pages for bot authors."""
    pages = (EXAMPLES / "README.md", ROOT / "docs" / "protocol.md")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return sorted({line for block in blocks for line in block.splitlines()})


@pytest.mark.parametrize("line", shown())
def test_commands_shown_run(line: str, tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLES, tmp_path / "examples")
    program, *words = shlex.split(line.replace("python3 ", f"{PYTHON} "))
    assert program == "arena"
    done = arena(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert complaints(done.stderr) == []
