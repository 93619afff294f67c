"""A bot that computes where it hopes that nobody looks: in others, and behind its answer.

It stands alone, as it is copied into a bot's folder, and may be a Python bot or a program.
"""

import ctypes
import json
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

libc = ctypes.CDLL(None, use_errno=True)
FORK, VFORK, CLONE, TIMER_CREATE, TIMER_SETTIME = 57, 58, 56, 222, 223
CLONE_PARENT = 0x8000
SECONDS = 0.3  # that each helper would compute


def burn() -> None:
    end = time.thread_time() + SECONDS
    while time.thread_time() < end:
        pass


def helper(number: int, *args: int) -> None:
    """A process that computes, and is not waited for."""
    if libc.syscall(ctypes.c_long(number), *(ctypes.c_long(arg) for arg in args)) == 0:
        burn()
        time.sleep(600)
        os._exit(0)


def orphan() -> None:
    """A process whose parent is gone at once."""
    if os.fork() == 0:
        helper(CLONE, signal.SIGCHLD, 0, 0, 0, 0)
        os._exit(0)


def unburied() -> None:
    """Children whose time nobody is told, as they are not waited for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    helper(CLONE, signal.SIGCHLD, 0, 0, 0, 0)


def waker() -> None:
    """A timer that would let a stopped process go on."""
    signal.signal(signal.SIGCONT, lambda *_: None)  # one that is ignored wakes nobody
    event = struct.pack("<QiiQ32x", 0, signal.SIGCONT, 0, 0)
    timer = ctypes.c_int()
    if libc.syscall(ctypes.c_long(TIMER_CREATE), 1, event, ctypes.byref(timer)) == 0:
        often = struct.pack("<qqqq", 0, 10_000_000, 0, 10_000_000)
        libc.syscall(ctypes.c_long(TIMER_SETTIME), timer, 0, often, None)


WAYS: tuple[Callable[[], object], ...] = (
    lambda: helper(FORK),
    lambda: helper(CLONE, signal.SIGCHLD | CLONE_PARENT, 0, 0, 0, 0),
    orphan,
    unburied,
    waker,
    lambda: threading.Thread(target=burn, daemon=True).start(),
)


def steal() -> None:
    for way in WAYS:
        with suppress(OSError, RuntimeError):
            way()


def decide(decision: object) -> object:
    """As a Python bot."""
    steal()
    return decision.options[0]  # type: ignore[attr-defined]


def main() -> None:
    """As a program."""
    for line in sys.stdin:
        message = json.loads(line)
        reply = {"type": "ready", "id": message.get("id")}
        if message["type"] == "decide":
            steal()
            reply = {"type": "choice", "id": message["id"], "option": 0}
        print(json.dumps(reply), flush=True)  # noqa: T201 - so it answers


if __name__ == "__main__":
    main()
