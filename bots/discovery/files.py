"""The files a bot is made of: one walk over its folder, and one list of what is not the bot's."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

MAX_DEPTH: Final = 100  # of folders in folders
MAX_FILES: Final = 100_000
CACHES: Final = frozenset(("__pycache__",))
# Version control, environments, caches and editors write here while the bot stays what it is.
IGNORED_NAMES: Final = frozenset(
    (
        "__pycache__",
        ".git",
        ".hg",
        ".svn",
        ".venv",
        ".tox",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".idea",
        ".vscode",
    )
)


def is_ignored(path: str) -> bool:
    """Whether a path, relative to the bot's folder and with / between its parts, is not the bot's.

    By every part: in a work tree of git, `.git` is a file.
    """
    return not IGNORED_NAMES.isdisjoint(path.split("/"))


def walk_files(folder: Path) -> Iterator[Path]:
    """The regular files of a bot's folder in no fixed order, without links."""
    for place, folders, names in os.walk(folder, onerror=_raise):
        _check_depth(folder, place)
        folders[:] = [name for name in folders if name not in IGNORED_NAMES]
        for name in names:
            file = Path(place, name)
            if name not in IGNORED_NAMES and stat.S_ISREG(file.lstat().st_mode):
                yield file


def list_files(folder: Path) -> list[Path]:
    """The files of a bot's folder, in the order of their relative paths."""
    files = list(islice(walk_files(folder), MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise OSError(errno.EFBIG, f"more than {MAX_FILES} files")
    return sorted(files, key=lambda file: file.relative_to(folder).as_posix())


def hidden_places(folder: Path, names: frozenset[str] = IGNORED_NAMES) -> Iterator[Path]:
    """The outermost places below a bot's folder that have such names, or are no files at all.

    A pipe, a socket or a device is a way to somebody else, however it may be mounted.
    """
    waiting = [str(folder)]
    while waiting:
        place = waiting.pop()
        _check_depth(folder, place)
        try:
            found = os.scandir(place)
        except PermissionError:
            continue  # nor may the bot
        with found:
            for entry in found:
                if entry.name in names:
                    yield Path(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                    yield Path(entry.path)


def _check_depth(folder: Path, place: str) -> None:
    if place.count(os.sep) - str(folder).count(os.sep) > MAX_DEPTH:
        raise OSError(errno.ENAMETOOLONG, f"folders more than {MAX_DEPTH} deep")


def _raise(problem: OSError) -> None:
    raise problem
