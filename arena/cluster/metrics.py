"""What goes with every heartbeat of a machine: matches played, and how its processors do."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any, Final

from bots.chairs.processor_speed import (
    EVERY,
    RECENT,
    Measurement,
    measure_processor,
    median_speed,
    noise_of,
)

ANY_CORE: Final = -1  # measured while nothing is played, wherever the thread runs


class MachineMetrics:
    """Counts matches, and remembers the latest measurements of every core."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._total = 0
        self._playing = 0  # portions
        self._marks: deque[tuple[float, int]] = deque([(time.monotonic(), 0)], maxlen=20)
        self._measured: dict[int, deque[Measurement]] = {}
        self._measured_at = time.monotonic()

    @contextmanager
    def count(self, matches: int) -> Iterator[None]:
        """Around matches that are played; they count if all went well."""
        with self._lock:
            self._playing += 1
        try:
            yield
        except BaseException:
            matches = 0
            raise
        finally:
            with self._lock:
                self._playing -= 1
                self._total += matches

    def add_measurement(self, core: int, found: Measurement) -> None:
        """Remember what was found of a core."""
        with self._lock:
            if (core == ANY_CORE) != (ANY_CORE in self._measured):
                self._measured.clear()  # idle and busy are not compared
            self._measured.setdefault(core, deque(maxlen=RECENT)).append(found)
            self._measured_at = time.monotonic()

    def heartbeat(self, _worker: object = None) -> dict[str, Any]:
        """The figures as they travel."""
        now = time.monotonic()
        with self._lock:
            then, before = self._marks[0]
            self._marks.append((now, self._total))
            rate = (self._total - before) / max(now - then, 1e-3)
            cores = [list(recent) for recent in self._measured.values()]
        figures: dict[str, Any] = {"played": self._total, "rate": rate}
        if cores:
            figures["speed"] = median(median_speed(recent) for recent in cores)
            figures["noise"] = next(filter(None, map(noise_of, cores)), "")
        return figures

    def watch_processor(self) -> None:
        """Measure in a thread, at once and now and then, while no match is disturbed by it."""
        threading.Thread(target=self._watch, name="processor", daemon=True).start()

    def _watch(self) -> None:
        while True:
            if not self._playing and time.monotonic() >= self._measured_at + EVERY:
                self.add_measurement(ANY_CORE, measure_processor())
            time.sleep(EVERY / 4)
