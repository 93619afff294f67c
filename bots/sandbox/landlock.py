"""Landlock by hand: after this a process reads the given paths and reaches no other file."""

import ctypes
import os
from collections.abc import Iterable
from typing import Final

CREATE: Final = 444  # the numbers are the same on every architecture
ADD_RULE: Final = 445
RESTRICT_SELF: Final = 446
O_PATH: Final = 0o10000000

EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
FILE_RIGHTS: Final = EXECUTE | WRITE_FILE | READ_FILE
# All file rights known to each version of the interface.
RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
TCP: Final = 3  # bind and connect
SCOPES: Final = (3, 1, 0)  # signals and abstract sockets; some kernels claim more than they do

_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("fd", ctypes.c_int32))


def _call(number: int, *args: object) -> int:
    done = int(_libc.syscall(ctypes.c_long(number), *args))
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"landlock: {os.strerror(code)}")
    return done


def version() -> int:
    """The interface's version on this kernel; 0 where there is none."""
    try:
        return _call(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(
    readable: Iterable[str], writable: Iterable[str] = (), listed: Iterable[str] = ()
) -> None:
    """Confine this process for good; OSError if the kernel will not."""
    abi = version()
    rights = max(RIGHTS[known] for known in RIGHTS if known <= max(abi, 1))
    ruleset = _create(abi, rights)
    for path in readable:
        _allow(ruleset, path, EXECUTE | READ_FILE | READ_DIR)
    for path in writable:
        _allow(ruleset, path, READ_FILE | WRITE_FILE)
    for path in listed:
        _allow(ruleset, path, READ_DIR)
    _call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _create(abi: int, rights: int) -> int:
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    for scopes in SCOPES if abi >= 6 else (0,):
        rules = _Ruleset(rights, TCP if abi >= 4 else 0, scopes)
        try:
            return _call(CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
        except OSError as problem:
            refused = problem
    raise refused


def _allow(ruleset: int, path: str, rights: int) -> None:
    fd = os.open(path, O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= FILE_RIGHTS
        rule = _Beneath(rights, fd)
        _call(
            ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(1),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(fd)
