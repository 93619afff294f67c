"""A stranger's file, opened and read: a regular one alone, and never more of it than is allowed."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final, TypeAlias

StrPath: TypeAlias = "str | os.PathLike[str]"
IRREGULAR: Final = "not a regular file"


def open_regular(path: StrPath, follow: bool = True) -> int:
    """A descriptor of a regular file; OSError if it is anything else, such as a pipe or a device.

    Looked at before it is opened, as opening a device may do something, and after, as it may have
    become another by then; and it never waits for somebody to write.
    """
    found = os.stat(path, follow_symlinks=follow)
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, "a link", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, IRREGULAR, str(path))
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    fd = os.open(path, flags if follow else flags | os.O_NOFOLLOW)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, IRREGULAR, str(path))
    return fd


def read_regular(path: StrPath, most: int, follow: bool = True) -> bytes:
    """The beginning of a regular file, so many bytes at most, however long it is or grows."""
    fd = open_regular(path, follow)
    try:
        found = b""
        while len(found) < most and (part := os.read(fd, min(most - len(found), 1 << 20))):
            found += part
        return found
    finally:
        os.close(fd)
