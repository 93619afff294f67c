"""A bot that looks for numbers that grow from match to match, and makes them grow.

It stands alone, as it is copied into a bot's folder, and may be a Python bot or a program.
"""

import ctypes
import json
import os
import resource
import sys
import threading
import time
from contextlib import suppress

MINE = 37  # threads started for the next match to notice


def number_in_memory() -> list[object]:
    """The C library's record of this thread, where its number may be; no addresses."""
    libc = ctypes.CDLL(None)
    libc.pthread_self.restype = ctypes.c_void_p
    # Eight bytes at once: half of an address may look like a number, now and then.
    words = (ctypes.c_uint64 * 94).from_address(libc.pthread_self())
    return [word for word in words[88:] if word < 1 << 22]


def found() -> list[object]:
    """What it can tell itself by; the last are of threads, where it may have some."""
    numbers: list[object] = [os.getpid(), os.getppid(), os.getpgrp(), threading.get_native_id()]
    numbers += [os.uname().nodename, sorted(os.sched_getaffinity(0))]
    numbers += [resource.getrlimit(which) for which in range(16)]
    numbers += number_in_memory()
    with suppress(RuntimeError):
        for _ in range(MINE):
            thread = threading.Thread(target=time.sleep, args=(0,))
            thread.start()
            numbers.append(thread.native_id)
            thread.join()
    return numbers


def decide(decision: object) -> object:
    """As a Python bot."""
    raise LookupError(found())


def main() -> None:
    """As a program."""
    for line in sys.stdin:
        message = json.loads(line)
        reply = {"type": "ready", "id": message.get("id")}
        if message["type"] == "decide":
            reply = {"type": "failure", "id": message["id"], "error": f"LookupError: {found()}"}
        print(json.dumps(reply), flush=True)  # noqa: T201 - so it answers


if __name__ == "__main__":
    main()
