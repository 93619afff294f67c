"""A process's time, threads and memory as the kernel counts them."""

from __future__ import annotations

import os
import time
from typing import Final

from mypy_extensions import mypyc_attr

PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@mypyc_attr(allow_interpreted_subclasses=True)
class ProcessClock:
    """A process's time by the kernel: what it computed, and what it waited for a processor."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.id = (~pid << 3) | 2
        self.last = 0.0
        self.works = True
        try:
            time.clock_gettime(self.id)
        except OSError:
            self.works = False  # another system's kernel: wall-clock time is used
        try:
            self.queue = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.queue = -1  # a kernel without these figures: nothing is discounted
        self.pages = -1  # opened when asked for

    def computed(self) -> float:
        """Seconds on a processor so far, with all its threads; the last figure once it is gone."""
        try:  # noqa: SIM105 - every answer passes here, and suppress takes longer than the call
            self.last = time.clock_gettime(self.id)
        except OSError:
            pass
        return self.last

    def queued(self) -> float:
        """Seconds its first thread was ready to run and was not let."""
        if self.queue < 0:
            return 0.0
        try:
            return int(os.pread(self.queue, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0

    def stolen(self) -> float:
        """Seconds the machine's host took from the processors this process may use, on average."""
        try:
            ours = os.sched_getaffinity(0)
            with open("/proc/stat", encoding="ascii") as lines:
                rows = [line.split() for line in lines if line.startswith("cpu")]
            ticks = [
                int(row[8]) for row in rows if row[0][3:].isdecimal() and int(row[0][3:]) in ours
            ]
            return sum(ticks) / len(ticks) / os.sysconf("SC_CLK_TCK")
        except (OSError, AttributeError, IndexError, ValueError, ZeroDivisionError):
            return 0.0

    def has_family(self) -> bool:
        """Whether it has, or has buried, processes of its own, which its clock does not know."""
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as stat:
                if int(stat.read().rpartition(b")")[2].split()[8]):  # faults of buried children
                    return True
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                with open(f"/proc/{self.pid}/task/{thread}/children", "rb") as children:
                    if children.read(1):
                        return True
        except OSError:
            pass  # it is gone
        return False

    def filled(self) -> int:
        """Kilobytes of memory that are its own, whatever it may do with them; none once gone."""
        if self.pages < 0:
            try:
                self.pages = os.open(f"/proc/{self.pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                return 0
        return (_own_pages(self.pages) or self._own_pages_of_threads()) * PAGE >> 10

    def _own_pages_of_threads(self) -> int:
        """The same by the threads that are left, where the first one has ended."""
        own = 0
        try:
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                try:
                    statm = os.open(f"/proc/{self.pid}/task/{thread}/statm", os.O_RDONLY)
                except OSError:
                    continue  # it has ended meanwhile
                own = max(own, _own_pages(statm))
                os.close(statm)
        except OSError:
            pass  # all have
        return own

    def close(self) -> None:
        """Be done with it."""
        for fd in (self.queue, self.pages):
            if fd >= 0:
                os.close(fd)
        self.queue = self.pages = -1


def count_threads(pid: int) -> int:
    """How many threads a process has; 0 once it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[17])
    except (OSError, IndexError):
        return 0


def _own_pages(statm: int) -> int:
    """Pages in memory that are no file's; none of a thread that has ended."""
    try:
        counts = os.pread(statm, 100, 0).split()
        return int(counts[1]) - int(counts[2])
    except (OSError, IndexError):
        return 0
