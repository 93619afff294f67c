"""How and where results are written: the format, and the files that the user names."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError


class OutputFormat(StrEnum):
    """How a table is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"


def create_file(path: Path) -> TextIO:
    """Open a file for writing."""
    try:
        return path.open("w", encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"cannot write {path}: {problem.strerror}") from None


def report_file(path: Path, what: str = "") -> None:
    """Name the file that was written; on stderr, as it is no result."""
    print(f"wrote {for_terminal(str(path))}{f': {what}' if what else ''}", file=sys.stderr)  # noqa: T201


def read_text(path: Path) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise ArenaError(f"expected UTF-8 text in {path}, got {problem.reason}") from None
