"""A process locks itself down, with the standard library alone, before any bot is loaded in it."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import struct
import sys
from dataclasses import dataclass, field
from typing import Final

from bots.sandbox import landlock

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_SECCOMP: Final = 22
PR_CAPBSET_DROP: Final = 24
PR_SET_NO_NEW_PRIVS: Final = 38
SET_FILTER: Final = 1
NEW_LISTENER: Final = 8
LOAD: Final = 0x20  # steps of a filter
IF_EQUAL: Final = 0x15
RETURN: Final = 0x06
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000
ASK: Final = 0x7FC00000  # whoever listens
CAPSET: Final = 0x20080522  # version 3 of the structure

MEGABYTE: Final = 1 << 20
# A Python bot: one thread, no files, half a gigabyte. Not CPU: that would blur the bot's own clock.
PYTHON_LIMITS: Final = {
    "AS": 512 * MEGABYTE,
    "NPROC": 0,
    "FSIZE": 0,
    "NOFILE": 32,
    "CORE": 1,  # byte: with 0 the kernel still starts the handler that a host may have for dumps
    "STACK": 8 * MEGABYTE,
    "MEMLOCK": 0,
    "MSGQUEUE": 0,
    "SIGPENDING": 64,
}
MAX_THREADS: Final = 64  # of a program, or of a bot that says it has threads
# A program in any language: run-times reserve address space by the gigabyte and start threads. What
# it fills is its data; what it only reserves still costs tables of pages, so that has an end too.
PROGRAM_LIMITS: Final = PYTHON_LIMITS | {
    "AS": 65_536 * MEGABYTE,
    "NPROC": MAX_THREADS + 1,  # with the zygote, which is the same user's
    "NOFILE": 256,
    "DATA": 1024 * MEGABYTE,
}

CLONE: Final = {"x86_64": 56, "aarch64": 220}  # the call's number, by machine
PEAK: Final = 4  # place of the greatest memory in what the kernel says of a child's usage
SECCOMP: Final = {"x86_64": 317, "aarch64": 277}

_libc: Final = ctypes.CDLL(None, use_errno=True)
_python: Final = ctypes.PyDLL(None, use_errno=True)  # the same, without letting other threads run
_number: Final = CLONE.get(os.uname().machine, 0)  # of the call; 0 where it is not known
_status: Final = ctypes.c_int()
_usage: Final = (ctypes.c_long * 18)()  # struct rusage
_clone: Final = [ctypes.c_long(word) for word in (_number, signal.SIGCHLD, 0, 0, 0, 0)]


@dataclass
class LockdownRules:
    """What a worker is held to; a layer that is empty is not applied."""

    readable: list[str] = field(default_factory=list)  # for landlock
    writable: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)  # folders whose names are seen, not their files
    limits: dict[str, int] = field(default_factory=dict)
    filter: bytes = b""  # seccomp
    signals: list[int] = field(default_factory=list)  # calls for no process but its own
    counted: list[int] = field(default_factory=list)  # calls that the arena lets pass, or not
    asks: bool = False  # whether a worker must not run where the kernel cannot ask the arena
    forking: bytes = b""  # a filter for the zygote that workers may inherit, if they may
    inherited: bool = False  # whether the zygote puts the walls up once, for all its workers


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def prctl(option: int, *args: object) -> None:
    """The system call; OSError if it fails."""
    padded = [*args, *[ctypes.c_ulong(0)] * (4 - len(args))]
    if _libc.prctl(ctypes.c_int(option), *padded) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl {option}: {os.strerror(code)}")


def die_with_parent(by: signal.Signals = signal.SIGKILL) -> None:
    """Get a signal when the parent is gone; unless it is handled, it kills this process."""
    prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(by))


def fork_unnumbered() -> int:
    """Fork a process of one thread, in whose memory nobody writes down its number.

    The C library would, for the child to find. Where its call is not known, it does.
    """
    if not _number:
        return os.fork()
    if (pid := int(_python.syscall(*_clone))) < 0:
        raise OSError(ctypes.get_errno(), "fork")
    return pid


def reap(pid: int, options: int) -> tuple[int, int, int]:
    """The child that has ended, its status, and the kilobytes it took; ChildProcessError if none.

    `os.wait4` of Python 3.12 and 3.13 leaves memory allocated behind some calls, which a process
    forked later could count.
    """
    found = int(_python.wait4(pid, ctypes.byref(_status), options, _usage))
    if found < 0:
        raise OSError(ctypes.get_errno(), "wait4")
    ended = found, _status.value, _usage[PEAK]
    _status.value = 0
    ctypes.memset(_usage, 0, ctypes.sizeof(_usage))  # a process forked later could read them
    return ended


def become(user: int) -> None:
    """Be another user, for good, without any group of root's."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def drop_capabilities() -> None:
    """Be root in name only."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability))
        except OSError:
            break  # past the last one
    header = (ctypes.c_uint32 * 2)(CAPSET, 0)
    none = (ctypes.c_uint32 * 6)()
    if _libc.capset(ctypes.byref(header), ctypes.byref(none)) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def lock_down(rules: LockdownRules) -> None:
    """Give everything up that a bot does not need; OSError if the kernel will not."""
    _lock(rules, rules.limits, rules.filter)


def lock_zygote(rules: LockdownRules) -> None:
    """Put up what workers inherit: everything but the limit that keeps them from forking."""
    limits = {name: most for name, most in rules.limits.items() if name != "NPROC"}
    _lock(rules, limits, rules.forking)


def limit_seconds(seconds: int) -> None:
    """Be ended after so much computing."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _lock(rules: LockdownRules, limits: dict[str, int], code: bytes) -> None:
    prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1))
    prctl(PR_SET_DUMPABLE, ctypes.c_ulong(0))
    if rules.readable:
        landlock.restrict(rules.readable, rules.writable, rules.listed)
    for name, most in limits.items():
        _limit(getattr(resource, f"RLIMIT_{name}"), most)
    if rules.signals:
        install(own_process_filter(rules.signals, os.getpid()))
    if code:
        install(code)


def _limit(what: int, most: int) -> None:
    _, ceiling = resource.getrlimit(what)
    if ceiling != resource.RLIM_INFINITY:
        most = min(most, ceiling)
    resource.setrlimit(what, (most, most))


def own_process_filter(calls: list[int], pid: int) -> bytes:
    """A filter that refuses calls whose first argument is not this process."""
    number, argument = 0, 16 if sys.byteorder == "little" else 20  # places in what it is shown
    steps = [(LOAD, 0, 0, number)]
    steps += [(IF_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps += [(RETURN, 0, 0, ALLOW), (LOAD, 0, 0, argument), (IF_EQUAL, 0, 1, pid)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE | errno.EPERM)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def listen(calls: list[int]) -> int:
    """Have the kernel ask about these calls from now on; the descriptor where it does.

    OSError where it cannot; then there are no such calls.
    """
    steps = [(LOAD, 0, 0, 0)]  # the call's number
    steps += [(IF_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ASK)]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1))
    words = SECCOMP.get(os.uname().machine, -1), SET_FILTER, NEW_LISTENER
    program = _Filter(len(code) // 8, code)
    found = int(_libc.syscall(*map(ctypes.c_long, words), ctypes.byref(program)))
    if found < 0:
        problem = OSError(ctypes.get_errno(), "seccomp")
        install(code)
        raise problem
    return found


def install(code: bytes) -> None:
    """Have the kernel judge every system call by this program from now on."""
    program = _Filter(len(code) // 8, code)
    prctl(PR_SET_SECCOMP, ctypes.c_ulong(2), ctypes.byref(program))
