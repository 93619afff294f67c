"""Temporary folders that go with the process that made them; the next one removes what is left.

The owner of a folder locks a file in it, and the kernel releases the lock however the process
ends. So a folder whose lock is free has no owner.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

PREFIX: Final = "arena-"
HELD: Final = ".arena-held"  # a folder without this file is no work of ours


class TempFolder:
    """A new folder; it goes, with whatever is in it, when it is closed or forgotten."""

    def __init__(self) -> None:
        clear()
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            lock = _open(self.path, os.O_CREAT)
            if _take(self.path, lock):
                break
            os.close(lock)  # another took it for a dead one's, just before
        self._end = weakref.finalize(self, _remove, self.path, lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove it; again is nothing."""
        self._end()


def clear() -> None:
    """Remove the folders of the dead; what another user made is left alone."""
    with os.scandir(tempfile.gettempdir()) as found:
        folders = [Path(item.path) for item in found if item.name.startswith(PREFIX)]
    for folder in folders:
        with suppress(OSError):
            status = folder.lstat()
            if status.st_uid != os.geteuid() or not stat.S_ISDIR(status.st_mode):
                continue
            lock = _open(folder)
            if _take(folder, lock):
                _remove(folder, lock)
            else:
                os.close(lock)


def _open(folder: Path, create: int = 0) -> int:
    return os.open(folder / HELD, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | create, 0o600)


def _take(folder: Path, lock: int) -> bool:
    """Whether the folder is ours now: nobody has its lock, and nobody removed it before us."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock), (folder / HELD).stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove(folder: Path, lock: int) -> None:
    """Remove a folder we hold; what marks it goes last, so that another may finish this."""
    with suppress(OSError):
        for item in folder.iterdir():
            if item.is_dir() and not item.is_symlink():
                shutil.rmtree(item)
            elif item.name != HELD:
                item.unlink()
        (folder / HELD).unlink()
        folder.rmdir()
    os.close(lock)
