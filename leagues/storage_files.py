"""Files of SQLite databases: complete copies, and how an incomplete one is recognised.

What is written goes to a write-ahead log beside the file first, so a file copied alone while it is
in use lacks the newest results, and nothing in it would tell. Therefore a file carries a mark while
a process writes: the number of its own inode, as SQLite's `user_version`. It reaches the file
before anything is written to the log, and is taken away when the log is empty again. A copy has
another inode: where it carries the mark of the original and has no log, results are missing.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from leagues.errors import RefusedError, StorageError

MARK_BITS: Final = 0x7FFFFFFF  # user_version is a signed number of 32 bits
USER_VERSION: Final = slice(60, 64)  # in the header of the file
PAGES_AT_ONCE: Final = 1024  # copied while writers wait


def write_mark(path: Path) -> int:
    """The mark of a file that is being written; never 0, which says that its log is empty."""
    return path.stat().st_ino & MARK_BITS or 1


def is_incomplete_copy(path: Path) -> bool:
    """Whether a file was copied without its log while a process wrote to the original."""
    return _has_mark_of_another(path) and not _has_log(path)


def adopt_copy(path: Path) -> None:
    """Give a copy that came with its log a mark of its own: whoever closes it empties the log."""
    if _has_mark_of_another(path) and _has_log(path):
        with closing(sqlite3.connect(path, timeout=60)) as connection:
            connection.execute(f"PRAGMA user_version = {write_mark(path)}")


def _has_log(path: Path) -> bool:
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


def _has_mark_of_another(path: Path) -> bool:
    with path.open("rb") as file:
        mark = int.from_bytes(file.read(100)[USER_VERSION], "big")
    return mark not in (0, write_mark(path))


def incomplete_copy_message(path: Path) -> str:
    """What is wrong with an incomplete copy, and the way out."""
    return (
        f"{path} is an incomplete copy: it was copied without {log_of(path).name} while in use, "
        "so its newest results are missing (arena backup FILE makes a complete copy)"
    )


def log_of(path: Path) -> Path:
    """The write-ahead log beside a file."""
    return path.with_name(f"{path.name}-wal")


def backup_file(source: Path, target: Path, replace: bool = False) -> int:
    """Copy a database that may be in use; the size of the copy in bytes.

    The copy is one file without a log. It appears under its name when it is complete.
    """
    if target.is_dir():
        raise StorageError(f"expected a file to write to, got the folder {target}")
    if target.exists() and target.samefile(source):
        raise StorageError(f"expected a file other than the database itself, got {target}")
    if target.exists() and not replace:
        raise RefusedError(f"{target} exists already (--force replaces it)")
    if is_incomplete_copy(source):
        raise StorageError(incomplete_copy_message(source))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _copy(source, part)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(target)
    except sqlite3.Error as problem:
        raise StorageError(f"cannot copy {source}: {problem}") from problem
    except OSError as problem:
        raise StorageError(f"cannot write {target}: {problem.strerror}") from problem
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(source: Path, part: Path) -> None:
    part.touch(mode=0o600)
    uri = f"{source.absolute().as_uri()}?mode=rw"
    with (
        closing(sqlite3.connect(uri, uri=True, timeout=60)) as original,
        closing(sqlite3.connect(part)) as copy,
    ):
        # A snapshot: writers go on, and the copy need not begin anew whenever one commits.
        original.execute("BEGIN")
        original.execute("SELECT count(*) FROM sqlite_master").fetchone()
        original.backup(copy, pages=PAGES_AT_ONCE)
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("PRAGMA user_version = 0")
        copy.commit()
        if (found := copy.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
            raise StorageError(f"{source} is damaged: {found}")
