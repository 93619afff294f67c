"""The commands about bots as an author meets them, good bots and bad."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bots.house import LADDER
from tests.bots.matches import SAMPLES, arena, bot, program
from tests.support.command import ROOT, complaints, environment
from tests.support.command import arena as arena_alone

pytestmark = pytest.mark.slow

# Letters a terminal acts upon: escapes, and their shorter kin above ASCII.
CONTROL = {chr(code) for code in [*range(32), *range(127, 160)]} - {"\n"}


def assert_harmless(text: str) -> None:
    assert not CONTROL & set(text)


LOADS = "startup"
SURVIVES = "whole games"
# What is checked, the step that fails, and words that tell why.
UNFIT = {
    "crashes_at_import.py": (2, LOADS, "RuntimeError: no import of mine"),
    "empty.py": (2, LOADS, "one class with a method decide"),
    "crashes.py": (2, LOADS, "missing 1 required positional argument: 'at'"),
    "crashes.py:at=construct": (2, LOADS, "RuntimeError: broken at construct"),
    "crashes.py:at=decide": (3, SURVIVES, "RuntimeError: broken at decide"),
    "crashes.py:at=finish": (3, SURVIVES, "RuntimeError: broken at finish"),
    "raises.py:what=ansi": (3, SURVIVES, "[bold]red[/bold]"),
    "raises.py:what=surrogate": (3, SURVIVES, "of a letter"),
    "talks_then_crashes.py": (3, SURVIVES, "last words"),
    "illegal.py:text=resign": (3, SURVIVES, "illegal in architects, 2 players, seed 2000"),
    "wrong_type.py:what=none": (3, SURVIVES, "from decide, got None"),
    "dies.py:by=segfault": (3, SURVIVES, "exit code -11"),
    "hog.py": (2, LOADS, "MemoryError"),
}
FIT = {
    "random": "random",
    "duck": bot("duck.py"),
    "function": bot("function.py"),
    "watches": bot("watches.py"),
    "talks": bot("talks.py"),
    "folder": bot("folder"),
    "plugin": bot("plugin"),
    "program": program("answers.py", "by text"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_check_names_the_step_and_tells_why(tmp_path: Path, name: str) -> None:
    number, step, words = UNFIT[name]
    done = arena("bot", "check", bot(name), cwd=tmp_path)
    assert (done.returncode, complaints(done.stderr)) == (1, [])
    lines = done.stdout.splitlines()
    assert [line[:6] for line in lines[: number - 1]] == [f"{n} ok  " for n in range(1, number)]
    assert lines[number - 1].startswith(f"{number} FAIL {step}")
    assert words in done.stdout
    assert "is ready to compete" not in done.stdout
    left = ", ".join(str(left) for left in range(number + 1, 8))
    verdict = f"{bot(name)} failed the check: step {number}; not run: {left}"
    again = f"again: arena bot check {bot(name)}"
    assert lines[-2] == verdict
    assert lines[-1].startswith(again)
    assert_harmless(done.stdout)


def test_check_shows_the_line_of_the_bots_own_code(tmp_path: Path) -> None:
    done = arena("bot", "check", bot("crashes.py:at=decide"), cwd=tmp_path)
    assert "Traceback (most recent call last)" in done.stdout
    assert f'{SAMPLES}/crashes.py", line' in done.stdout


@pytest.mark.parametrize("name", ["hangs.py", "spins.py"])
def test_check_of_a_bot_that_never_answers(tmp_path: Path, name: str) -> None:
    done = arena("bot", "check", bot(name), "--time", "200ms", cwd=tmp_path)
    assert done.returncode == 1
    assert "3 FAIL" in done.stdout
    assert "time in " in done.stdout
    assert_harmless(done.stdout)


@pytest.mark.parametrize("spec", FIT.values(), ids=FIT)
def test_check_of_a_good_bot(tmp_path: Path, spec: str) -> None:
    done = arena("bot", "check", spec, "--time", "100s", "--budget", "2s", cwd=tmp_path)
    assert (done.returncode, complaints(done.stderr)) == (0, [])
    assert done.stdout.splitlines()[-1] == f"{spec} is ready to compete"
    assert done.stdout.count(" ok   ") + done.stdout.count(" note ") == 7
    assert "6 ok   same decisions again under the same seed: yes" in done.stdout
    assert_harmless(done.stdout)


def test_check_shows_what_a_good_bot_printed(tmp_path: Path) -> None:
    words = ("--game", "architects", "--players", 2, "--seed", 2000)
    done = arena("bot", "check", bot("talks.py"), *words, cwd=tmp_path)
    assert done.returncode == 0
    assert "it printed in its first game" in done.stdout
    assert "loud" in done.stdout


def test_a_program_that_does_not_flush_is_asked_whether_it_did(tmp_path: Path) -> None:
    source = "import sys\nfor line in sys.stdin:\n    sys.stdout.write('{}')\n"
    (tmp_path / "quiet.py").write_text(source, "utf-8")
    spec = f"cmd:{sys.executable} {tmp_path}/quiet.py"
    done = arena("bot", "check", spec, "--time", "1s/200ms", cwd=tmp_path)
    assert done.returncode == 1
    assert "did you flush stdout?" in done.stdout


def test_check_as_json(tmp_path: Path) -> None:
    good = arena("bot", "check", "random", "--json", cwd=tmp_path)
    facts = json.loads(good.stdout)
    assert (good.returncode, facts["bot"], facts["passed"]) == (0, "random", True)
    assert [step["number"] for step in facts["steps"]] == [1, 2, 3, 4, 5, 6, 7]
    spec = bot("raises.py:what=ansi")
    bad = arena("bot", "check", spec, "--json", cwd=tmp_path)
    facts = json.loads(bad.stdout)
    assert (bad.returncode, facts["bot"], facts["passed"]) == (1, spec, False)
    assert [step["verdict"] for step in facts["steps"]] == ["ok", "ok", "FAIL"]
    assert len(facts["not_run"]) == 4
    assert facts["repeat"].endswith("--game architects --players 2 --seed 2000")
    assert facts["steps"][-1].keys() == {"number", "name", "verdict", "found"}
    assert_harmless(bad.stdout)


@pytest.mark.parametrize("where", [(), ("--in-process",)], ids=["own", "ours"])
@pytest.mark.parametrize("name", ["raises.py:what=ansi", "illegal.py:text=ansi", "crashes.py"])
def test_play_says_who_failed(tmp_path: Path, name: str, where: tuple[str, ...]) -> None:
    words = ("play", "architects", "random", bot(name), "--seed", 3, "--games", 2, *where)
    done = arena(*words, "--fixed-seats", "--trace", "t.jsonl", cwd=tmp_path)
    assert done.returncode == 0
    assert_harmless(done.stdout + done.stderr)
    told = [line.split(" (")[0] for line in complaints(done.stderr)]
    assert told == ["seed 3: seat 1"]  # once
    table = [line.split("│") for line in done.stdout.splitlines() if line.startswith("│")]
    assert [row[-2].strip() for row in table] == ["0", "2"]
    assert [row[-3].strip().endswith("*") for row in table] == [False, True]
    assert [row[-4].split()[0] for row in table] == ["1.00", "2.00"]
    assert arena("replay", "t.jsonl", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["talks.py", "talks_then_crashes.py"])
def test_what_a_bot_prints_does_not_reach_the_terminal(tmp_path: Path, name: str) -> None:
    done = arena_alone("play", "architects", "random", bot(name), "--watch", cwd=tmp_path)
    assert done.returncode == 0
    assert "loud" not in done.stdout + done.stderr
    assert_harmless(done.stdout + done.stderr)


def test_play_tells_faults_as_json(tmp_path: Path) -> None:
    for how, kind in (("failure", "exception"), ("exit", "crash"), ("above", "illegal")):
        words = ("play", "architects", program("answers.py", how), "random", "--json")
        facts = json.loads(arena(*words, cwd=tmp_path).stdout)
        (fault,) = facts["games"][0]["faults"]
        assert (fault["seat"], fault["kind"]) == (0, kind)
        assert facts["games"][0]["ranks"] == [2, 1]


def test_list_and_show(tmp_path: Path) -> None:
    shown = arena("bot", "list", cwd=tmp_path).stdout
    facts = json.loads(arena("bot", "list", "--json", cwd=tmp_path).stdout)
    names = [fact["name"] for fact in facts if fact["source"] == "house"]
    assert names == list(LADDER)
    assert all(f"\n{name} " in shown for name in names)
    one = json.loads(arena("bot", "show", "ismcts:ms=30", "--json", cwd=tmp_path).stdout)
    assert one.pop("parameters")[0]["name"] == "ms"
    assert one == next(fact for fact in facts if fact["name"] == "ismcts")
    folder = json.loads(arena("bot", "show", bot("folder"), "--json", cwd=tmp_path).stdout)
    assert (folder["name"], folder["version"], folder["source"]) == ("in-a-folder", "1.2", "folder")
    file = arena("bot", "show", bot("duck.py"), cwd=tmp_path).stdout
    assert "A class of nobody's family." in file
    assert "   games  all\n" in file


def test_what_a_stranger_writes_of_himself_harms_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("", "utf-8")
    (tmp_path / "bot.toml").write_text(
        'name = "x"\nversion = "\\u001b[2J\\u009b1m"\n'
        'entry = "bot.py"\nsummary = "[red]\\u202e\\r"\n',
        "utf-8",
    )
    for words in ((), ("--json",)):
        done = arena("bot", "show", ".", *words, cwd=tmp_path)
        assert done.returncode == 0
        assert "[red]" in done.stdout
        assert_harmless(done.stdout)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder as if a package with a bot had been installed into it, and half another."""
    place = tmp_path / "site"
    info = place / "stranger-3.1.dist-info"
    info.mkdir(parents=True)
    facts = "Metadata-Version: 2.1\nName: stranger\nVersion: 3.1\nSummary: [red]from afar\n"
    (info / "METADATA").write_text(facts, "utf-8")
    (info / "entry_points.txt").write_text("[wonders_arena.bots]\nstranger = marker\n", "utf-8")
    half = place / "half-1.dist-info"
    half.mkdir()
    (half / "entry_points.txt").write_text("[wonders_arena.bots]\nhalf = half:Half\n", "utf-8")
    shutil.copy(SAMPLES / "marker" / "marker.py", place)
    return place


def with_package(place: Path) -> dict[str, str]:
    path = [environment()["PYTHONPATH"], str(place)]
    return {"PYTHONPATH": os.pathsep.join(filter(None, path)), "MARK": str(place / "mark")}


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("list", "--json"),
        ("show", "stranger"),
        ("show", "stranger:key=1", "--json"),
        ("show", bot("marker")),
        ("show", bot("marker/marker.py"), "--json"),
    ],
    ids=lambda words: " ".join(Path(word).name for word in words),
)
def test_nothing_a_bot_brings_runs_when_it_is_listed_or_shown(
    tmp_path: Path, package: Path, words: tuple[str, ...]
) -> None:
    done = arena_alone("bot", *words, cwd=tmp_path, **with_package(package))
    assert (done.returncode, done.stderr) == (0, "")
    assert not (package / "mark").exists()


def test_a_bot_of_an_installed_package(tmp_path: Path, package: Path) -> None:
    extra = with_package(package)
    listed = json.loads(arena_alone("bot", "list", "--json", cwd=tmp_path, **extra).stdout)
    half, stranger = listed[-2:]
    assert (half["name"], half["version"], half["summary"]) == ("half", None, None)
    assert (stranger["name"], stranger["version"], stranger["source"]) == (
        "stranger",
        "3.1",
        "package",
    )
    assert "[red]from afar" in arena_alone("bot", "list", cwd=tmp_path, **extra).stdout
    words = ("stranger", "random", "--trust-bots")
    done = arena_alone("play", "architects", *words, cwd=tmp_path, **extra)
    assert (done.returncode, done.stderr) == (0, "")
    assert (package / "mark").exists()


def test_the_users_folder_hides_no_module_of_ours(tmp_path: Path) -> None:
    """An author's first file may well be called random.py."""
    shutil.copy(SAMPLES / "function.py", tmp_path / "random.py")
    for name in ("json.py", "bots.py", "traceback.py"):
        (tmp_path / name).write_text("raise SystemError('not meant')\n", "utf-8")
    run = subprocess.run(
        [sys.executable, "-P", "-m", "arena", "play", "architects", "random", "./random.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, complaints(run.stderr)) == (0, [])


@pytest.mark.parametrize("lang", ["python", "python-stdio"])
def test_a_new_bot_works_as_it_is(tmp_path: Path, lang: str) -> None:
    made = arena("bot", "new", "my-first_1", "--lang", lang, cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    _, first, second = made.stdout.splitlines()
    advice = first.split("now: arena ")[1].split()
    assert second == "its own test: pip install pytest; pytest my-first_1"
    done = arena(*advice, "--budget", "2s", cwd=tmp_path)
    assert (done.returncode, complaints(done.stderr)) == (0, [])
    own = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *second.split()[-1:]],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert own.returncode == 0, own.stdout
    again = arena("bot", "new", "my-first_1", "--lang", lang, cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr.count("\n") == 1


def test_a_new_bot_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    made = arena("bot", "new", "b", "--in", tmp_path / "deep", cwd=ROOT)
    assert made.returncode == 0
    assert 'name = "b"' in (tmp_path / "deep" / "b" / "bot.toml").read_text("utf-8")
    absent = arena("bot", "new", "b", "--in", tmp_path / "none", cwd=ROOT)
    assert absent.returncode == 2
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("", "utf-8")
    assert arena("bot", "new", "b", "--in", tmp_path / "file", cwd=ROOT).returncode == 2


@pytest.mark.parametrize("words", [("bot", "check"), ("play", "architects", "random", "--watch")])
def test_a_file_may_have_any_name(tmp_path: Path, words: tuple[str, ...]) -> None:
    name = "x\x1b]0;title\x07\x1b[31mred\u202ez.py"
    (tmp_path / name).write_text("def decide(d):\n    return d.options[0]\n", encoding="utf-8")
    done = arena(*words, f"./{name}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "red" in done.stdout
    assert_harmless(done.stdout + done.stderr)
    assert "\u202e" not in done.stdout
