"""A database for every test, and the command as one function."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli import main
from tests.arena.reports.sample_tournament import build


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("original") / "arena.db"
    build(path)
    return path


@pytest.fixture
def db(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to look at or to spoil, where the command looks for it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    return Path(shutil.copy(original, tmp_path / "arena.db"))


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command, in this process."""

    def call(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["arena", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Said(int(ended.value.code or 0), out, err)

    return call
