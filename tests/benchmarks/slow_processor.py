"""Does a slow processor give the verdicts of a fast one, where limits are scaled by its speed?

A processor that is so many times slower is one on which everything takes so many times as much
computing: the bot's work here, and the workload by which processors are measured. So both play the
same matches on one core, in turn, a few matches each, and whatever else slows the core down slows
both. A bot computes a fixed amount a decision, around what its time limit allows. A core whose own
speed halves now and then, as those of shared hosts do, needs a slowness that the usual bounds of
the factor still make up for then.
Usage: python -P -m tests.benchmarks.slow_processor
"""

import argparse
import math
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from arena.log_config import LOGGER
from arena.playing.worker import Conditions, _MatchPlayer
from bots.chairs.limits import NOT_SCALED, FactorBounds, Limits
from bots.chairs.pool import choose_isolation
from bots.chairs.processor_speed import Measurement, TimeFactor, measure_processor
from engine.catalog import find
from engine.match import MatchResult, MatchSpec
from leagues.ratings.statistics import wilson

LIMIT = 0.05  # seconds of the reference processor
BATCH = 5  # matches between two measurements
# Work of a match, in units of a decision's limit, from the least to the most.
LEAST, MOST = 0.4, 1.6
BOT = """
from bots.api import Bot

UNIT = {unit}  # rounds of the loop that take as long as the limit


class Thinker(Bot):
    def start(self, seating):
        self.left = 2  # decisions that take work: the others only make a match longer
        self.rounds = int(UNIT * ({least} + ({most} - {least}) * seating.random.random()))

    def decide(self, decision):
        if self.left:
            self.left -= 1
            work(self.rounds)
        return decision.options[0]


def work(rounds):
    total = 1
    for number in range(rounds):
        total = (total * 1103515245 + number) & 0xFFFFFFFF
    return total
"""


class Way(NamedTuple):
    """A processor, and whether limits are scaled by its speed."""

    name: str
    slowness: float
    bounds: FactorBounds


class SlowedFactor(TimeFactor):
    """As it would be on a slower processor; measured whenever it is asked for."""

    def __init__(self, bounds: FactorBounds, slowness: float) -> None:
        super().__init__(bounds)
        self.bounds = bounds
        self.slowness = slowness
        self.factors: list[float] = []

    def current(self) -> float:
        found = Measurement(measure_processor().speed / self.slowness)
        self.factors.append(self.bounds.factor(found.speed))
        return self.factors[-1]


def rounds_of_limit() -> int:
    """Rounds of the bot's loop that a limit allows, on this core as it is now."""
    space: dict[str, Any] = {}
    exec(BOT.format(unit=0, least=LEAST, most=MOST), space)
    rounds = 200_000
    found = []
    for _ in range(9):
        speed = measure_processor().speed
        began = time.thread_time()
        space["work"](rounds)
        found.append(rounds * LIMIT / speed / (time.thread_time() - began))
    return round(sorted(found)[len(found) // 2])


def seats(folder: Path, way: Way, unit: int) -> _MatchPlayer:
    """Who plays the matches of one way."""
    file = folder / f"thinker{way.slowness:g}.py"
    file.write_text(BOT.format(unit=round(unit * way.slowness), least=LEAST, most=MOST))
    bots = {"thinker": str(file), "random": "random"}
    limits = Limits(move=LIMIT)
    player = _MatchPlayer(Conditions(bots, choose_isolation(list(bots.values())), limits))
    player.time_factor = SlowedFactor(way.bounds, way.slowness)
    return player


def is_late(player: _MatchPlayer, spec: MatchSpec) -> bool:
    found = player.play(spec, player.conditions.bots)
    assert isinstance(found, MatchResult), found
    return bool(found.faults)


def verdicts(ways: list[Way], matches: int) -> Iterator[tuple[list[bool], float]]:
    """Which matches had a time fault, and the median factor, for every way."""
    game = find("architects")
    bots = ("thinker", "random")
    specs = [game.spec(game.setup(2, seed), seed, bots) for seed in range(1, matches + 1)]
    late: list[list[bool]] = [[] for _ in ways]
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        unit = rounds_of_limit()
        players = [seats(Path(place), way, unit) for way in ways]
        for player in players:
            stack.callback(player.chairs.close)
        for first in range(0, matches, BATCH):
            for found, player in zip(late, players, strict=True):
                player.settle_limits()
                found += [is_late(player, spec) for spec in specs[first : first + BATCH]]
        for found, player in zip(late, players, strict=True):
            assert isinstance(player.time_factor, SlowedFactor)
            factors = sorted(player.time_factor.factors)
            yield found, factors[len(factors) // 2]


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def show(way: Way, late: list[bool], factor: float, fast: list[bool]) -> bool:
    """Print a line; whether the share is that of the fast processor, as far as can be told."""
    share, count = sum(late) / len(late), len(late)
    interval = wilson(share, count)
    more = sum(one and not other for one, other in zip(late, fast, strict=True))
    fewer = sum(other and not one for one, other in zip(late, fast, strict=True))
    error = 1.96 * math.sqrt(more + fewer) / count  # of the difference between paired shares
    say(
        f"{way.name:28} {share:6.1%} of {count} late ({interval.low:.1%} to {interval.high:.1%}), "
        f"median factor {factor:.2f}; {(more - fewer) / count:+.1%} ± {error:.1%} beside the fast "
        f"one: {more} late here alone, {fewer} there alone"
    )
    return abs(more - fewer) / count <= error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--slowness", type=float, default=1.25)
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    LOGGER.disabled = True  # of every late answer
    name = f"{options.slowness:g} times slower"
    ways = [
        Way("fast, scaled", 1.0, FactorBounds()),
        Way("fast, scaled, once more", 1.0, FactorBounds()),
        Way(f"{name}, scaled", options.slowness, FactorBounds()),
        Way(f"{name}, not scaled", options.slowness, NOT_SCALED),
    ]
    found = list(verdicts(ways, options.matches))
    fast = found[0][0]
    same = [show(way, *each, fast) for way, each in zip(ways, found, strict=True)]
    say(f"scaled, the slow processor {'has' if same[2] else 'has not'} the fast one's verdicts")


if __name__ == "__main__":
    main()
