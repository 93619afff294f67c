"""A bot that fills memory in every way it knows, each until it is refused; then it says how much.

It stands alone, as it is copied into a bot's folder, and may be a Python bot or a program.
"""

import _thread
import ctypes
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.mremap.restype = libc.sbrk.restype = ctypes.c_void_p
STEP = 4 << 20
LIMIT = 200 << 20  # of each way, where nothing else ends it
PRIVATE, SHARED, GROWING = 0x22, 0x21, 0x122
BAD = ctypes.c_void_p(-1).value
held: list[object] = []
grown: list[int] = []


def checked(place: int | None) -> int:
    if place is None or place == BAD:
        raise MemoryError(os.strerror(ctypes.get_errno()))
    return place


def mapped(flags: int, size: int = STEP, protection: int = 3) -> int:
    size_t = ctypes.c_size_t(size)
    return checked(libc.mmap(None, size_t, protection, flags, -1, ctypes.c_long(0)))


def fill(start: int) -> None:
    ctypes.memset(start, 1, STEP)


def grow() -> None:
    """A mapping that becomes larger."""
    size = STEP * max(0, len(grown) - 1) + 4096
    if not grown:
        grown.append(mapped(PRIVATE, 4096))
    old = ctypes.c_void_p(grown[-1])
    new = checked(libc.mremap(old, ctypes.c_size_t(size), ctypes.c_size_t(size + STEP), 1))
    fill(new + size)
    grown.append(new)


def open_up() -> None:
    """Memory that was reserved, and may be written later."""
    start = mapped(PRIVATE, protection=0)
    if libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(STEP), 3):
        raise MemoryError
    fill(start)


def fill_pipes() -> None:
    for _ in range(STEP >> 16):
        held.append(pipe := os.pipe())
        os.set_blocking(pipe[1], False)
        os.write(pipe[1], bytes(1 << 16))


def fill_pairs() -> None:
    """Sockets that lead to each other, in the only way they can be had."""
    for _ in range(8):
        ends = (ctypes.c_int * 2)()
        if libc.socketpair(1, 1, 0, ends):
            raise OSError(ctypes.get_errno(), "refused")
        for end in ends:
            os.set_blocking(end, False)
            with suppress(BlockingIOError):
                while True:
                    os.write(end, bytes(1 << 16))


def fill_file() -> None:
    held.append(fd := os.memfd_create("x"))
    os.write(fd, bytes(STEP))


def fill_stack() -> None:
    filled: list[bytearray] = []
    tried = threading.Event()

    def wait() -> None:
        with suppress(MemoryError):
            filled.append(bytearray(STEP))
        tried.set()
        if filled:
            threading.Event().wait()

    threading.stack_size(1 << 20)
    # Thread.start() would wait for ever for one that found no memory for its first step.
    _thread.start_new_thread(wait, ())
    tried.wait(2)
    held.append(filled)
    if not filled:
        raise MemoryError


WAYS: dict[str, Callable[[], object]] = {
    "shared": lambda: fill(mapped(SHARED)),
    "growing": lambda: fill(mapped(GROWING)),
    "grown": grow,
    "opened": open_up,
    "heap": lambda: fill(checked(libc.sbrk(ctypes.c_ssize_t(STEP)))),
    "pairs": fill_pairs,  # counted as a step for 8, which hold less
    "pipes": fill_pipes,
    "file": fill_file,
    "stack": fill_stack,
    "private": lambda: fill(mapped(PRIVATE)),
    "objects": lambda: held.append(bytearray(STEP)),
}


def eat() -> dict[str, int]:
    """Megabytes that each way came to."""
    eaten = dict.fromkeys(WAYS, 0)
    for name, way in WAYS.items():
        try:
            while eaten[name] < LIMIT >> 20:
                way()
                eaten[name] += STEP >> 20
        except (MemoryError, OSError, RuntimeError):
            continue
    held.clear()
    return eaten


def decide(decision: object) -> object:
    """As a Python bot."""
    raise MemoryError(eat())


def main() -> None:
    """As a program."""
    for line in sys.stdin:
        message = json.loads(line)
        reply = {"type": "ready", "id": message.get("id")}
        if message["type"] == "decide":
            reply = {"type": "failure", "id": message["id"], "error": f"MemoryError: {eat()}"}
        print(json.dumps(reply), flush=True)  # noqa: T201 - so it answers


if __name__ == "__main__":
    main()
