"""Copies of a bot's files that another user can read: plain files alone, and not too many."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

MOST_FILES: Final = 2_000
MOST_BYTES: Final = 64 << 20


def snapshot(source: str, target: str) -> bool:
    """Copy a file or folder without links and caches; whether it was small enough to."""
    files = [Path(source)] if os.path.isfile(source) else _files(Path(source))
    if len(files) > MOST_FILES or sum(file.lstat().st_size for file in files) > MOST_BYTES:
        return False
    if os.path.isdir(source):
        _make(Path(target))
    for file in files:
        place = Path(target, file.relative_to(source)) if os.path.isdir(source) else Path(target)
        _make(place.parent)
        shutil.copyfile(file, place, follow_symlinks=False)
        place.chmod(0o755 if file.lstat().st_mode & stat.S_IXUSR else 0o644)
    return True


def _make(folder: Path) -> None:
    for parent in (*reversed(folder.parents), folder):
        if not parent.exists():
            parent.mkdir()
            parent.chmod(0o755)


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            file = Path(place, name)
            if stat.S_ISREG(file.lstat().st_mode):
                found.append(file)
        if len(found) > MOST_FILES:
            break
    return found
