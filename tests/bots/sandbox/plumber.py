"""A program that opens pipes and pairs of sockets, by whose numbers others could be told something.

It stands alone, as it is copied into a bot's folder.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress

LIBC = ctypes.CDLL(None, use_errno=True)
MANY = 300
INTERRUPTED = 0.3  # seconds in which a signal comes whenever it can


def pair() -> None:
    """A pair of sockets, opened and closed."""
    ends = (ctypes.c_int * 2)()
    if LIBC.socketpair(1, 1, 0, ends) < 0:  # as Java asks for one
        raise OSError(ctypes.get_errno(), "no pair")
    for end in ends:
        os.close(end)


def pipe() -> None:
    """A pipe, opened and closed."""
    for end in os.pipe():
        os.close(end)


def interrupt() -> None:
    """Send signals to whoever waits."""
    end = time.monotonic() + INTERRUPTED
    while time.monotonic() < end:
        os.kill(os.getpid(), signal.SIGUSR1)


def opened() -> int:
    """How many it gets."""
    signal.signal(signal.SIGUSR1, lambda *_: None)
    threading.Thread(target=interrupt, daemon=True).start()
    count = 0
    for number in range(MANY):
        with suppress(OSError):
            pair() if number % 2 else pipe()
            count += 1
    return count


def main() -> None:
    """Tell it as an error."""
    for line in sys.stdin:
        message = json.loads(line)
        reply = {"type": "ready", "id": message.get("id")}
        if message["type"] == "decide":
            reply = {"type": "failure", "id": message["id"], "error": f"LookupError: {opened()}"}
        print(json.dumps(reply), flush=True)  # noqa: T201 - so it answers


if __name__ == "__main__":
    main()
