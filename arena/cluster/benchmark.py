"""How fast this processor is: a fixed workload of the engine, in seconds of computing."""

from __future__ import annotations

import time
from typing import Final

from engine import COMPILED
from engine.catalog import find
from engine.match import Variant
from engine.rng import Rng, derive

GAMES: Final = 2000 if COMPILED else 25  # of the workload
REPEATS: Final = 3
# Seconds of the workload on the reference processor, a core of the machine this was written on.
REFERENCE: Final = 0.055 if COMPILED else 0.048


def measure_speed() -> float:
    """How much faster than the reference processor this one is; 0.5 is half as fast."""
    return REFERENCE / min(_seconds() for _ in range(REPEATS))


def _seconds() -> float:
    began = time.thread_time()
    for seed in range(GAMES):
        _play(seed)
    return time.thread_time() - began


def _play(seed: int) -> None:
    """One game of four seats that take any option."""
    game = find("architects")
    state = game.deal(game.setup(4, seed, (), Variant("architects")), seed)
    state.playout(Rng(derive(seed, "benchmark")))
