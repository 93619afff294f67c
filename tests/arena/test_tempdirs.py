"""Temporary folders: gone with who made them, however that ended, and not before."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.tempdirs import HELD, TempFolder
from tests.support.command import environment

HOLD = """
import sys
from arena.tempdirs import TempFolder
with TempFolder() as scratch:
    (scratch.path / "deep").mkdir()
    (scratch.path / "deep" / "file").write_text("x")
    print(scratch.path, flush=True)
    sys.stdin.read()
"""
HURRY = """
from arena.tempdirs import TempFolder
for _ in range(60):
    with TempFolder() as scratch:
        (scratch.path / "file").write_text("x")
        assert (scratch.path / "file").read_text() == "x"
    assert not scratch.path.exists()
"""


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary folders, this process's and those of its children."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def run(code: str, temp: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment(TMPDIR=str(temp)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def held(process: "subprocess.Popen[str]") -> Path:
    assert process.stdout is not None
    return Path(process.stdout.readline().strip())


def test_a_folder_goes_when_it_is_closed_or_forgotten(temp: Path) -> None:
    with TempFolder() as scratch:
        (scratch.path / "deep").mkdir()
        (scratch.path / "deep" / "link").symlink_to(temp)
        assert [scratch.path] == list(temp.iterdir())
    assert list(temp.iterdir()) == []
    scratch.close()
    forgotten = TempFolder()
    assert len(list(temp.iterdir())) == 1
    del forgotten
    assert list(temp.iterdir()) == []


def test_what_the_killed_left_is_cleared_and_what_the_living_have_is_not(temp: Path) -> None:
    users = temp / "arena-notes"
    users.mkdir()
    (users / "note").write_text("mine", "utf-8")
    (temp / "arena-link").symlink_to(users)
    dead, living = run(HOLD, temp), run(HOLD, temp)
    left, kept = held(dead), held(living)
    dead.kill()
    dead.communicate()
    assert (left / "deep" / "file").exists()
    with TempFolder() as scratch:
        assert not left.exists()
        assert (kept / "deep" / "file").exists()
        assert scratch.path.exists()
    living.communicate()
    assert living.returncode == 0
    assert sorted(item.name for item in temp.iterdir()) == ["arena-link", "arena-notes"]
    assert (users / "note").read_text("utf-8") == "mine"


def test_a_removal_that_was_cut_off_is_finished(temp: Path) -> None:
    (temp / "arena-half").mkdir()
    (temp / "arena-half" / HELD).touch()
    TempFolder().close()
    assert list(temp.iterdir()) == []


def test_many_at_once_take_nothing_from_each_other(temp: Path) -> None:
    crowd = [run(HURRY, temp) for _ in range(4)]
    for process in crowd:
        process.communicate(timeout=100)
    assert [process.returncode for process in crowd] == [0, 0, 0, 0]
    assert list(temp.iterdir()) == []
