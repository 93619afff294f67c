"""Files the user names: a problem with one is the user's to mend, in one line."""

from pathlib import Path
from typing import TextIO

import typer

from arena.reports.terminal import plain
from engine.errors import ArenaError


def create(path: Path) -> TextIO:
    """Open a file for writing."""
    try:
        return path.open("w", encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"expected to write {path}, got {problem.strerror}") from None


def wrote(path: Path, what: str = "") -> None:
    """Say which file there is now; on stderr, as it is no result."""
    typer.echo(f"wrote {plain(str(path))}{f': {what}' if what else ''}", err=True)


def read(path: Path) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"expected to read {path}, got {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise ArenaError(f"expected UTF-8 text in {path}, got {problem.reason}") from None
