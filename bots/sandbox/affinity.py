"""Which processor a match is played on: arena and bots on one, as they take turns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CPUS: Final = "/sys/devices/system/cpu"


def cores() -> list[int]:
    """The processors this process may use, one of each physical core; none if that is not told."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    found: dict[str, int] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            siblings = Path(f"{CPUS}/cpu{cpu}/topology/thread_siblings_list").read_text("ascii")
        except OSError:
            siblings = str(cpu)
        found.setdefault(siblings, cpu)
    return list(found.values())


def pin(number: int | None = None) -> int | None:
    """Keep this process, and the containers it starts from now on, on one core; which it is.

    The core is the number-th, counted around, or else the one this process runs on just now. Bots
    cannot change it. None where the system has no such thing.
    """
    known = cores()
    if not known:
        return None
    core = _here() if number is None else known[number % len(known)]
    os.sched_setaffinity(0, {core})
    return core


def _here() -> int:
    """The processor this process runs on."""
    stat = Path("/proc/self/stat").read_text("utf-8", "replace")
    return int(stat.rpartition(")")[2].split()[36])
