"""A bot that tells what it finds of the machine it is on.

It stands alone, as it is copied into a bot's folder.
"""

import json
import os
import threading
from contextlib import suppress

MOST = 200  # threads


def threads() -> int:
    """How many it can have beside its first."""
    threading.stack_size(1 << 16)  # or memory would end them first
    waits = threading.Event()
    started = 0
    with suppress(RuntimeError):
        while started < MOST:
            threading.Thread(target=waits.wait, daemon=True).start()
            started += 1
    waits.set()
    return started


def decide(decision: object) -> object:
    """All is told as an error."""
    numbers = []
    with suppress(OSError):
        numbers.append(os.getppid())
    found = {
        "files": os.path.exists("/etc/passwd"),
        "name": os.uname().nodename,
        "parents": numbers,
        "threads": threads(),
    }
    raise LookupError(json.dumps(found))
