"""Bots that cannot be meant: one line on stderr, and exit code 2."""

import subprocess
from pathlib import Path

import pytest

from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import parse_spec
from tests.bots.matches import arena
from tests.support.command import arena as arena_alone
from tests.support.command import complaints

GOOD = {"name": '"good"', "version": '"1"', "entry": '"bot.py"'}


def toml(**changes: str) -> bytes:
    facts = GOOD | changes
    return "".join(f"{key} = {value}\n" for key, value in facts.items() if value).encode()


MANIFESTS = {
    "no name": toml(name=""),
    "no version": toml(version=""),
    "no entry": toml(entry=""),
    "empty": b"",
    "name a number": toml(name="7"),
    "name empty": toml(name='""'),
    "name a list": toml(name='["a"]'),
    "name with markup": toml(name='"[red]x[/red]"'),
    "name with an escape": toml(name='"\\u001b[2J"'),
    "name with a slash": toml(name='"../x"'),
    "name too long": toml(name=f'"{"x" * 65}"'),
    "version a number": toml(version="1.0"),
    "version blank": toml(version='"  "'),
    "entry a table": toml(entry="{}"),
    "entry missing": toml(entry='"none.py"'),
    "entry outside": toml(entry='"../outside.py"'),
    "entry absolute": toml(entry='"/etc/hosts.py"'),
    "entry by a link": toml(entry='"link.py"'),
    "entry a folder": toml(entry='"folder.py"'),
    "entry of elsewhere": toml(entry='"os:getcwd"'),
    "entry no module": toml(entry='"bot module:Bot"'),
    "entry no attribute": toml(entry='"bot:1st"'),
    "entry with NUL": toml(entry='"a\\u0000.py"'),
    "games a text": toml(games='"architects"'),
    "games unknown": toml(games='["chess"]'),
    "games nested": toml(games='[["architects"]]'),
    "games a table": toml(games="[{}]"),
    "summary a number": toml(summary="1"),
    "threads a text": toml(threads='"yes"'),
    "unknown key": toml(author='"me"'),
    "unknown key with markup": toml() + b'"[red]\\u001b[2J" = 1\n',
    "unknown table": toml() + b"[tool]\nx = 1\n",
    "key twice": toml() + b'name = "again"\n',
    "no toml": b"{]\n",
    "bad utf-8": toml() + b"# \xff\xfe\n",
    "nul": b"\0",
    "too big": toml() + b"#" * 2_000_000,
    "too deep": b"name = " + b"[" * 7_000,
    "too many dots": b"a." * 100_000 + b"b = 1\n",
    "too great a number": b"name = " + b"9" * 6_000,
}
SPECS = [
    "",
    " ",
    ":",
    ":ms=1",
    "deep",
    "[red]deep",
    "\x1b[2Jdeep",
    "ismcts:ms",
    "ismcts:=1",
    "ismcts:m s=1",
    "ismcts:ms=-1",
    "ismcts:ms=0",
    "ismcts:ms=fast",
    "ismcts:ms=",
    f"ismcts:ms={'9' * 5000}",
    "ismcts:worlds=1",
    "ismcts:explore=much",
    "ismcts:explore=nan",
    "ismcts:explore=-1",
    "flat:worlds=-1",
    "greedy:worlds=0",
    "random:x=1",
    "random:self=1",
    "cmd:",
    "cmd:  ",
    "cmd:''",
    "cmd:'open",
    "cmd:./none",
    "cmd:.",
    "cmd:./empty/plain.txt",
    "none.py",
    "./none",
    "empty",
    "./empty",
    "./empty/plain.txt",
    "./empty/folder.py/bot.toml",
    "./big.py",
    ".",
    "..",
    "x" * 5000 + "/",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "bot"
    (place / "folder.py").mkdir(parents=True)
    (tmp_path / "outside.py").write_text("def decide(d): ...\n", "utf-8")
    (place / "bot.py").write_text("def decide(d):\n    return d.options[0]\n", "utf-8")
    (place / "link.py").symlink_to(tmp_path / "outside.py")
    return place


def assert_one_line(done: "subprocess.CompletedProcess[str]") -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("arena: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr[:-1].isprintable()
    assert len(done.stderr) < 500


def test_the_manifest_all_others_are_spoilt_from_is_good(folder: Path) -> None:
    (folder / "bot.toml").write_bytes(toml(games='["architects"]', summary='"fine"'))
    assert arena("bot", "show", ".", cwd=folder).returncode == 0
    (folder / "bot.toml").write_bytes(toml(entry='"bot:decide"'))
    assert complaints(arena("play", "architects", ".", "random", cwd=folder).stderr) == []


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_bad_manifest(folder: Path, name: str) -> None:
    (folder / "bot.toml").write_bytes(MANIFESTS[name])
    assert_one_line(arena("bot", "show", ".", cwd=folder))


@pytest.mark.parametrize("command", [("bot", "check"), ("play", "architects", "random")])
def test_a_bad_manifest_in_other_commands(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "bot.toml").write_bytes(MANIFESTS["entry missing"])
    assert_one_line(arena_alone(*command, ".", cwd=folder))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: repr(spec[:30]))
def test_a_bad_spec(tmp_path: Path, spec: str) -> None:
    (tmp_path / "empty" / "folder.py").mkdir(parents=True)
    (tmp_path / "empty" / "plain.txt").write_text("", "utf-8")
    (tmp_path / "big.py").write_bytes(b"#" * 1_000_001)
    assert_one_line(arena("bot", "check", spec, cwd=tmp_path))


@pytest.mark.parametrize("spec", ["", "deep", "cmd:./none", "cmd:'open", "random:x=1", "./none"])
@pytest.mark.parametrize("where", [(), ("--in-process",)])
def test_a_bad_spec_at_a_table(tmp_path: Path, spec: str, where: tuple[str, ...]) -> None:
    words = ("play", "architects", "random", spec, "--trace", "t.jsonl", *where)
    assert_one_line(arena(*words, cwd=tmp_path))
    assert not (tmp_path / "t.jsonl").exists()


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "../x", "a/b", "[red]", "\x1b[2J", "é", "x" * 65, "a\n", ".", "a.b"]
)
def test_a_bad_name_for_a_new_bot(tmp_path: Path, name: str) -> None:
    assert_one_line(arena("bot", "new", name, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("source", "summary"),
    [
        (b'"""Plays.\n\nMore."""\n', "Plays."),
        (b'\xef\xbb\xbf#!/usr/bin/python\n\n# why\nr"""\n  Plays.\n"""', "Plays."),
        (b"'Plays.'  # well", "Plays."),
        (b'"""Plays."""\n' + b"(" * 10_000, "Plays."),  # which no parser would take
        (b'"""Plays', "Plays"),
        (b'"""', ""),
        (b"import os", ""),
        (b"# only this", ""),
        (b"\xff\x00", ""),
        (b"", ""),
    ],
)
def test_a_file_says_what_it_is_without_being_parsed(
    tmp_path: Path, source: bytes, summary: str
) -> None:
    file = tmp_path / "plays.py"
    file.write_bytes(source)
    assert read_manifest(parse_spec(str(file))).summary == summary
