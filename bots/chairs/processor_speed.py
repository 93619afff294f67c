"""How fast this processor is: a fixed workload of the engine, in seconds of computing."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bots.chairs.limits import FactorBounds
from engine import COMPILED
from engine.catalog import find
from engine.match import Variant
from engine.rng import Rng, derive

GAMES: Final = 2000 if COMPILED else 25  # of the workload
REPEATS: Final = 3
# Seconds of the workload on the reference processor, a core of the machine this was written on.
REFERENCE: Final = 0.055 if COMPILED else 0.048
EVERY: Final = 60.0  # seconds between two measurements
RECENT: Final = 5  # measurements of which the median counts
STEADY: Final = 0.05  # by how much a speed may change before limits do
MAX_WAITED: Final = 0.25  # of the time, without a processor
MAX_DRIFT: Final = 1.25  # times, from the slowest of the recent measurements to the fastest
SCHEDSTAT: Final = Path("/proc/thread-self/schedstat")


@dataclass(frozen=True)
class Measurement:
    """What one measurement found."""

    speed: float  # 1 is the reference processor, 0.5 is half as fast
    waited: float = 0.0  # share of the time for which others had the processor


def measure_processor() -> Measurement:
    """Measure the processor that this thread runs on."""
    began, before = time.perf_counter(), _queued()
    seconds = min(_workload_seconds() for _ in range(REPEATS))
    waited = (_queued() - before) / (time.perf_counter() - began)
    return Measurement(REFERENCE / seconds, min(1.0, waited))


def noise_of(recent: list[Measurement]) -> str:
    """Why a processor cannot be relied on for bots with a time limit; nothing if it can."""
    if not recent:
        return ""
    if recent[-1].waited > MAX_WAITED:
        return f"it waited for a processor {recent[-1].waited:.0%} of the time"
    speeds = [each.speed for each in recent]
    if max(speeds) > MAX_DRIFT * min(speeds):
        return f"its speed went from {min(speeds):.2f} to {max(speeds):.2f}"
    return ""


def median_speed(recent: list[Measurement]) -> float:
    """The speed that a few measurements agree on."""
    return median(each.speed for each in recent)


class TimeFactor:
    """What time limits are multiplied by here; measured at first use, and now and then again."""

    def __init__(self, bounds: FactorBounds) -> None:
        self._bounds = bounds
        self._recent: deque[Measurement] = deque(maxlen=RECENT)
        self._due = 0.0
        self._speed = 1.0
        self.latest: Measurement | None = None  # until `take_latest`

    def current(self) -> float:
        """The factor for the next match; the same as before while the speed is about the same."""
        if self._bounds.are_off:
            return 1.0
        if time.monotonic() >= self._due:
            self.latest = measure_processor()
            self._recent.append(self.latest)
            self._due = time.monotonic() + EVERY
            speed = median_speed(list(self._recent))
            if len(self._recent) == 1 or abs(speed / self._speed - 1) > STEADY:
                self._speed = speed
        return self._bounds.factor(self._speed)

    def take_latest(self) -> Measurement | None:
        """The last measurement, if it was not taken before."""
        found, self.latest = self.latest, None
        return found


def _queued() -> float:
    """Seconds that this thread waited for a processor; none where the system does not tell."""
    try:
        return int(SCHEDSTAT.read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _workload_seconds() -> float:
    began = time.thread_time()
    for seed in range(GAMES):
        _play(seed)
    return time.thread_time() - began


def _play(seed: int) -> None:
    """One game of four seats that take any option."""
    game = find("architects")
    state = game.deal(game.setup(4, seed, (), Variant("architects")), seed)
    state.playout(Rng(derive(seed, "benchmark")))
