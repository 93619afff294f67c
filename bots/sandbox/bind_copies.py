"""A bot's files as another user sees them: plain files alone, as they are now, and not too many."""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path
from typing import Final

from bots.discovery.files import walk_files
from bots.discovery.regular_file import read_regular
from bots.discovery.spec import BotError

MAX_FILES: Final = 500  # each is a descriptor for a moment
MAX_BYTES: Final = 64 << 20


def snapshot(source: str) -> list[Path] | None:
    """The files of a file or folder as `walk_files` has them; None if they are too many."""
    if os.path.isfile(source):
        files = [Path(source)]
    else:
        files = list(islice(walk_files(Path(source)), MAX_FILES + 1))
    if len(files) > MAX_FILES or sum(file.lstat().st_size for file in files) > MAX_BYTES:
        return None
    return files


def covered_files(folder: str) -> list[str]:
    """The files of a bot's folder that its digest covers; BotError if they are too many to name."""
    try:
        files = snapshot(folder)
    except OSError as problem:
        raise BotError(f"expected to read the bot's files, got {problem.strerror}") from None
    if files is None:
        raise BotError(
            f"expected at most {MAX_FILES} files of {MAX_BYTES >> 20} MB in a bot's folder "
            f"where there are no containers, got more"
        )
    return [str(file) for file in files]


class Copies:
    """Open files that go into a container as copies, and leave none outside."""

    def __init__(self) -> None:
        self.fds: list[int] = []
        self.words: list[str] = []
        self.made: set[str] = set()
        self.copied: set[str] = set()

    def add(self, path: str) -> None:
        """Have a file or folder copied, if it is small enough."""
        files = snapshot(path)
        if files is None:
            return
        self.copied.add(path)
        if os.path.isdir(path):
            self._make(Path(path))
        left = MAX_BYTES
        for file in files:
            self._make(file.parent)
            perms = "0755" if file.lstat().st_mode & stat.S_IXUSR else "0644"
            # Not what a link may lead to by now; and no longer than it is now.
            content = read_regular(file, left, follow=False)
            left -= len(content)
            fd = os.memfd_create("bot")
            self.fds.append(fd)
            with open(fd, "wb", closefd=False) as copy:
                copy.write(content)
            os.lseek(fd, 0, os.SEEK_SET)
            self.words += ["--perms", perms, "--file", str(fd), str(file)]

    def _make(self, folder: Path) -> None:
        for parent in (*reversed(folder.parents), folder):
            if str(parent) not in (*self.made, "/"):
                self.made.add(str(parent))
                self.words += ["--perms", "0755", "--dir", str(parent)]

    def close(self) -> None:
        """Give the descriptors back."""
        while self.fds:
            os.close(self.fds.pop())
