"""Programs in a folder of their own: what a bot.toml may say is run, and how it is run."""

import json
import sys
from pathlib import Path

import pytest

from arena.new_bot import BotTemplate, write
from bots.discovery.digest import digest
from bots.discovery.finder import find_bot
from bots.discovery.manifest import Manifest
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.program import find_interpreter, interpreter_of
from bots.discovery.spec import BotError, parse_spec
from bots.sandbox.container import Layers
from tests.bots.matches import arena, compiled
from tests.bots.sandbox.matches import behind, need, outcome

FACTS = 'name = "mine"\nversion = "1"\n'
SCRIPT = "#!/usr/bin/env python3\n"


def folder(place: Path, program: str, content: str = SCRIPT, mode: int = 0o755) -> Manifest:
    """What is found of a folder with these facts and one script."""
    place.mkdir(exist_ok=True)
    (place / "run.py").write_text(content, "utf-8")
    (place / "run.py").chmod(mode)
    (place / "bot.toml").write_text(f"{FACTS}{program}\n", "utf-8")
    return read_manifest(parse_spec(str(place)))


def test_a_program_is_a_file_of_the_folder_with_arguments(tmp_path: Path) -> None:
    for program, entry in (
        ('program = "run.py"', "run.py"),
        ('program = ["./run.py", "-v", "--book=data/b", "a b"]', "run.py -v --book=data/b 'a b'"),
    ):
        manifest = folder(tmp_path, program)
        assert (manifest.source, manifest.entry) == ("program", entry)
        assert (manifest.kind, manifest.is_program) == ("program over stdio", True)
    assert manifest.words == [str(tmp_path / "run.py"), "-v", "--book=data/b", "a b"]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ('program = "/usr/bin/python3"', "to be a file in the bot's folder, got '/usr/bin/pyt"),
        ('program = "../other/run.py"', "to be a file in the bot's folder, got '../other/run.py'"),
        ('program = "sub/../../run.py"', "to be a file in the bot's folder"),
        ('program = "python3"', "to be a file in the bot's folder, got 'python3'"),
        ('program = "run.py --fast"', "to be a file in the bot's folder, got 'run.py --fast'"),
        ('program = "link"', "to be a file in the bot's folder, got 'link'"),
        ('program = "within"', "to be a file in the bot's folder, got 'within'"),
        ('program = "."', "to be a file in the bot's folder, got '.'"),
        ('program = ""', "to be a file in the bot's folder, got ''"),
        ('program = ["run.py", "/etc/passwd"]', "stay in the bot's folder, got '/etc/passwd'"),
        ('program = ["run.py", "../x"]', "stay in the bot's folder, got '../x'"),
        ('program = ["run.py", "a/../../x"]', "stay in the bot's folder"),
        ('program = ["run.py", "--book=/etc/x"]', "stay in the bot's folder, got '--book=/etc/x'"),
        ('program = ["run.py", "-I/etc"]', "stay in the bot's folder"),
        ('program = ["run.py", "~/x"]', "stay in the bot's folder"),
        ('program = ["run.py", "a\\u0000b"]', "words of 200 letters, got others"),
        ("program = []", "program as FILE or [FILE, ARGUMENT, ...], got []"),
        ("program = 3", "program as FILE or [FILE, ARGUMENT, ...], got 3"),
        ('program = ["run.py", 3]', "program as FILE or [FILE, ARGUMENT, ...]"),
        ('program = "run.py"\nentry = "run.py"', "expected entry or program in"),
    ],
)
def test_what_is_not_in_the_folder_is_refused(tmp_path: Path, program: str, reason: str) -> None:
    (tmp_path / "link").symlink_to(sys.executable)
    (tmp_path / "within").symlink_to(tmp_path / "run.py")
    with pytest.raises(BotError) as told:
        folder(tmp_path, program)
    assert reason in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("#!/opt/python/bin/python3\n", "run by /usr/bin/env NAME or a program in /usr/ or /bin/"),
        ("#!/home/ann/venv/bin/python\n", "got /home/ann/venv/bin/python"),
        ("#!/usr/../opt/python\n", "got /usr/../opt/python"),
        ("#!python3\n", "got python3"),
        ("#!/usr/bin/env\n", "got /usr/bin/env"),
        ("#!/usr/bin/env ./python3\n", "got /usr/bin/env ./python3"),
        ("#!/usr/bin/env python3 -u\n", "got /usr/bin/env python3 -u"),
        ("#!\n", "got none"),
        ("#!/usr/bin/env python3\r\n", "got a return too, as Windows writes"),
        ("#!" + "/usr/bin/env" + " " * 300 + "python3\n", "got more"),
        ("#!/usr/bin/env python3", "got more"),
        ("import sys\n", "to be compiled or to begin with #!, got neither"),
        ("", "to be compiled or to begin with #!, got neither"),
    ],
)
def test_an_interpreter_is_one_the_sandbox_shows(tmp_path: Path, line: str, reason: str) -> None:
    with pytest.raises(BotError) as told:
        folder(tmp_path, 'program = "run.py"', line)
    assert reason in str(told.value)


def test_interpreters_are_told_by_the_first_line(tmp_path: Path) -> None:
    file = tmp_path / "run"
    for line, named in (
        ("#!/bin/sh\n", "/bin/sh"),
        ("#! /usr/bin/python3 -u\n", "/usr/bin/python3"),
        ("#!/usr/bin/env python3\n", "python3"),
        ("#!/usr/bin/env -S python3 -u\n", "python3"),
        ("#!/usr/bin/env /usr/bin/node\n", "/usr/bin/node"),
    ):
        file.write_text(line, "utf-8")
        assert interpreter_of(file) == named
    file.write_bytes(b"\x7fELF\0\0")
    assert interpreter_of(file) == ""
    find_interpreter(file, "")
    file.write_text("#!/usr/bin/env brainwaves\n", "utf-8")
    with pytest.raises(BotError, match="expected brainwaves for run, got none on this machine"):
        find_interpreter(file, "/usr/bin:/bin")


def test_a_plain_file_is_not_run(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"got a plain file: chmod \+x run.py"):
        folder(tmp_path, 'program = "run.py"', mode=0o644)


def test_a_program_takes_no_parameters_and_no_place_in_our_process(tmp_path: Path) -> None:
    write("other", BotTemplate.PYTHON_STDIO, tmp_path)
    with pytest.raises(BotError, match="expected no parameters for other, a program, got depth"):
        find_bot(parse_spec(f"{tmp_path}/other:depth=2"))
    done = arena("play", "architects", "./other", "random", "--in-process", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "expected a Python bot to run in this process" in done.stderr


def test_show_tells_the_kind_and_a_digest_the_content(tmp_path: Path) -> None:
    made = write("other", BotTemplate.PYTHON_STDIO, tmp_path)
    assert "    kind  program over stdio\n" in arena("bot", "show", "./other", cwd=tmp_path).stdout
    first = digest(parse_spec(str(made)))
    with (made / "bot.py").open("a") as file:
        file.write("# more\n")
    assert digest(parse_spec(str(made))) != first


@pytest.mark.parametrize("level", ["full", "reduced"])
def test_it_runs_in_its_folder_and_sees_no_other(tmp_path: Path, level: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hush", "utf-8")
    made = write("other", BotTemplate.PYTHON_STDIO, tmp_path)
    text = (made / "bot.py").read_text("utf-8")
    (made / "data").mkdir()
    (made / "data" / "book").write_text("open", "utf-8")
    spy = f"""
import os
assert open("data/book").read() == "open" and os.getcwd() == {str(made)!r}
for place in ({str(secret)!r}, "/etc/passwd", "/proc/1/environ"):
    try:
        open(place)
    except OSError:
        continue
    sys.exit(9)
"""
    (made / "bot.py").write_text(text.replace("\nimport sys\n", f"\nimport sys\n{spy}"), "utf-8")
    with behind(str(made), Layers(container=level == "full")) as bot:
        assert outcome(bot) == ("well", "")


@pytest.mark.parametrize("level", ["full", "reduced"])
def test_what_was_compiled_runs(tmp_path: Path, level: str) -> None:
    need(Layers(container=level == "full"))
    made = compiled(tmp_path / "c")
    with behind(str(made), Layers(container=level == "full")) as bot:
        assert outcome(bot) == ("well", "")
        (made / "bot.toml").write_text(FACTS + 'program = ["bot", "99"]\n', "utf-8")
    with behind(str(made), Layers(container=level == "full")) as bot:
        assert outcome(bot)[0] == "illegal"


def test_what_cannot_be_run_says_why(tmp_path: Path) -> None:
    made = tmp_path / "foreign"
    made.mkdir()
    (made / "bot").write_bytes(b"\x7fELF\0another machine's\0")
    (made / "bot").chmod(0o755)
    (made / "bot.toml").write_text(FACTS + 'program = "bot"\n', "utf-8")
    with behind(str(made)) as bot:
        kind, detail = outcome(bot)
    assert kind == "crash"
    assert "expected to run bot, got Exec format error" in detail


def test_it_plays_in_a_tournament(tmp_path: Path) -> None:
    need(Layers())
    write("other", BotTemplate.PYTHON_STDIO, tmp_path)
    words = ("tournament", "run", "./other", "random", "--game", "architects", "--players", "2")
    done = arena(*words, "--rounds", "1", "--jobs", "1", "-o", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {row["bot"] for row in json.loads(done.stdout)} == {"other", "random"}
