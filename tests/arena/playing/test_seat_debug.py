"""A stored decision comes again exactly, under a debugger if one likes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.matches import SAMPLES
from tests.support.command import arena, environment

pytestmark = pytest.mark.slow

BOT = '''
import random
from bots.api import Bot

class Mine(Bot):
    """Its choice depends on its dice, on what it saw and on how often it was asked."""
    def start(self, seating):
        self.count = random.randrange(1000)
    def observe(self, view):
        self.count += 1
    def decide(self, decision):
        self.count += random.randrange(5)
        return decision.options[self.count % len(decision.options)]
'''
BREAKS = """
def decide(decision):
    if len(decision.options) > 3:
        raise ValueError("too many")
    return decision.options[0]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with matches of the two, played behind walls."""
    place = tmp_path_factory.mktemp("author")
    (place / "mine.py").write_text(BOT)
    (place / "breaks.py").write_text(BREAKS)
    ask = ("./mine.py", "./breaks.py", "random", "--players", 3, "--rounds", 1, "--seed", 5)
    done = arena("tournament", "run", *ask, "--game", "seven", cwd=place)
    assert done.returncode == 0, done.stderr
    return place


def seat_of(folder: Path, match: int, bot: str) -> int:
    done = arena("match", "show", match, "-o", "json", cwd=folder)
    bots: list[str] = json.loads(done.stdout)["spec"]["bots"]
    return bots.index(bot)


def debug(folder: Path, match: int, *words: object) -> dict[str, object]:
    done = arena("match", "debug", match, *words, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    facts: dict[str, object] = json.loads(done.stdout)
    return facts


@pytest.mark.parametrize("match", [1, 2, 3])
def test_every_answer_is_the_same_again(folder: Path, match: int) -> None:
    facts = debug(folder, match, "--seat", seat_of(folder, match, "mine"))
    assert facts["answer"] == facts["recorded"]
    assert facts["changed"] == []
    assert facts["decision"] > 10  # type: ignore[operator]


def test_a_fault_comes_again_where_it_was(folder: Path) -> None:
    seat = seat_of(folder, 1, "breaks")
    assert arena("match", "debug", 1, "--seat", seat, cwd=folder).stderr == ""
    facts = debug(folder, 1, "--seat", seat)
    assert facts["answer"] is None
    assert "ValueError: too many" in str(facts["fault"])
    assert len(facts["options"]) > 3  # type: ignore[arg-type]


def test_another_bot_in_the_seat_is_told_where_it_differs(folder: Path) -> None:
    seat = seat_of(folder, 1, "mine")
    facts = debug(folder, 1, "--seat", seat, "--bot", "greedy")
    assert facts["changed"]
    rows = facts["differences"]
    assert isinstance(rows, list)
    assert [row["decision"] for row in rows] == facts["changed"]
    assert all(row["recorded"] != row["answer"] for row in rows)
    told = arena("match", "debug", 1, "--seat", seat, "--bot", "greedy", cwd=folder).stdout
    assert f"{len(rows)} of {facts['asked']} answers differ from the match" in told


def test_a_program_is_asked_again_over_the_wire(folder: Path) -> None:
    seat = seat_of(folder, 1, "mine")
    program = SAMPLES / "programs" / "answers.py"
    spec = f"cmd:{sys.executable} {program} 'by text'"
    facts = debug(folder, 1, "--seat", seat, "--bot", spec)
    assert facts["answer"] in facts["options"]  # type: ignore[operator]
    refused = arena("match", "debug", 1, "--seat", seat, "--bot", spec, "--pdb", cwd=folder)
    assert refused.returncode == 2
    assert "expected a Python bot for --pdb" in refused.stderr


def test_without_a_fault_it_says_which_decision_that_is(folder: Path) -> None:
    seat = seat_of(folder, 1, "mine")
    done = arena("match", "debug", 1, "--seat", seat, "--save", "test_it.py", cwd=folder)
    number = done.stdout.split()[1].rstrip(",")
    note, saved = done.stderr.splitlines()
    assert note.startswith(f"note: seat {seat} had no fault; decision {number} is the last of ")
    assert note.endswith(f" to {number}")
    assert saved == f"wrote test_it.py: a test of decision {number}"


def test_the_debugger_stops_at_the_decision(folder: Path) -> None:
    seat = str(seat_of(folder, 1, "mine"))
    done = subprocess.run(
        [sys.executable, "-m", "arena", "match", "debug", "1", "--seat", seat, "--pdb"],
        cwd=folder,
        env=environment(),
        input="s\nw\np decision.prompt\nc\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "mine.py" in done.stdout or "plugins.py" in done.stdout
    assert "now: " in done.stdout


def test_a_decision_is_saved_as_a_test_that_runs(folder: Path) -> None:
    seat = seat_of(folder, 1, "breaks")
    first = debug(folder, 1, "--seat", seat, "--decision", seat, "--save", "test_saved.py")
    assert first["decision"] == seat
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder / "test_saved.py"],
        cwd="/",
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("1 passed" in done.stdout) == (first["answer"] == first["recorded"]), done.stdout


def test_two_matches_part_somewhere(folder: Path) -> None:
    assert arena("match", "diff", 1, 1, cwd=folder).returncode == 0
    done = arena("match", "diff", 1, 2, "--json", cwd=folder)
    assert done.returncode == 1
    facts = json.loads(done.stdout)
    assert facts["decision"] >= 0
    assert "bots" in facts
    assert facts["seed"] is None  # one round, one deal
    assert min(facts["ranks"][0]) == 1
    told = arena("match", "diff", 1, 2, cwd=folder).stdout
    first = ", ".join(map(str, facts["ranks"][0]))
    assert f"ranks: match 1: {first}; match 2: " in told


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("debug", 1, "--seat", 7), "expected a seat below 3, got 7"),
        (("debug", 1, "--seat", 0, "--decision", 10_000), "expected a decision of seat 0 out of"),
        (("debug", 99, "--seat", 0), "expected"),
        (("diff", 1, 99), "expected"),
    ],
)
def test_bad_input_is_one_line(folder: Path, words: tuple[object, ...], problem: str) -> None:
    done = arena("match", *words, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert problem in done.stderr
