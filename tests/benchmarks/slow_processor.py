"""Does a slow processor give the verdicts of a fast one, where limits are scaled by its speed?

A bot that computes a fixed amount of work a decision, around what its time limit allows, plays the
same matches on a quiet core, and on one that is made slow by loops on all other cores, which share
its caches and, as a rule, its execution units: once with `--time-factor off` and once scaled.
Needs a machine that does nothing else. Usage: python -P -m tests.benchmarks.slow_processor
"""

import argparse
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bots.chairs.processor_speed import measure_processor
from leagues.ratings.statistics import wilson
from tests.support.command import environment

LIMIT = 0.05  # seconds of the reference processor
# Work of a match, in units of a decision's limit, from the least to the most.
LEAST, MOST = 0.4, 1.6
BOT = """
from bots.api import Bot

UNIT = {unit}  # rounds of the loop that take as long as the limit, on a quiet core here


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


class Verdicts(NamedTuple):
    """What became of the matches."""

    late: frozenset[int]  # their numbers
    played: int
    factor: float


def spin() -> None:
    """Compute for ever."""
    total = 1
    while True:
        total = (total * 1103515245 + 12345) & 0xFFFFFFFF


@contextmanager
def busy_cores() -> Iterator[None]:
    """Loops on all cores but the first."""
    spinners = []
    for core in sorted(os.sched_getaffinity(0))[1:]:
        process = multiprocessing.Process(target=spin, daemon=True)
        process.start()
        assert process.pid is not None
        os.sched_setaffinity(process.pid, {core})
        spinners.append(process)
    try:
        yield
    finally:
        for process in spinners:
            process.kill()
            process.join()


def rounds_of_limit() -> int:
    """Rounds of the bot's loop that a limit allows, on this core as it is now."""
    space: dict[str, Any] = {}
    source = BOT.format(unit=0, least=LEAST, most=MOST)
    exec(source, space)
    rounds = 200_000
    best = math.inf
    for _ in range(9):
        began = time.thread_time()
        space["work"](rounds)
        best = min(best, time.thread_time() - began)
    return round(rounds * LIMIT / measure_processor().speed / best)


def play(folder: Path, name: str, rounds: int, factor: str) -> Verdicts:
    """The verdicts of the same matches, under these conditions."""
    db = f"{name}.db"
    words = [sys.executable, "-P", "-m", "arena", "tournament"]
    run = [
        "run",
        "./thinker.py",
        "random",
        "--players",
        "2",
        "--rounds",
        str(rounds),
        "--seed",
        "1",
    ]
    run += ["--time", f"{1000 * LIMIT:g}ms/20s", "--time-factor", factor, "--cluster", "local:1"]
    for part in ([*run, "--name", "slow"], ["export", "slow"]):
        done = subprocess.run(
            [*words, *part, "--db", db],
            cwd=folder,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
    matches = [json.loads(line) for line in done.stdout.splitlines()]
    late = {match["number"] for match in matches if match["faults"]}
    return Verdicts(
        frozenset(late), len(matches), statistics.median(match["time_factor"] for match in matches)
    )


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def show(name: str, found: Verdicts, quiet: Verdicts) -> float:
    """Print a line; the share of matches with a time fault."""
    share = len(found.late) / found.played
    interval = wilson(share, found.played)
    say(
        f"{name:28} {share:6.1%} late ({interval.low:.1%} to {interval.high:.1%}), factor "
        f"{found.factor:.2f}, {len(found.late ^ quiet.late)} of {found.played} verdicts differ"
    )
    return share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50)
    rounds = parser.parse_args().rounds
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    unit = rounds_of_limit()
    speed = measure_processor().speed
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "thinker.py").write_text(BOT.format(unit=unit, least=LEAST, most=MOST))
        quiet = play(folder, "quiet", rounds, "0.5-2")
        again = play(folder, "again", rounds, "0.5-2")
        with busy_cores():
            slowed = measure_processor().speed
            scaled = play(folder, "scaled", rounds, "0.5-2")
            plain = play(folder, "plain", rounds, "off")
    say(f"speed {speed:.2f} on a quiet core, {slowed:.2f} beside busy ones")
    share = show("quiet, scaled", quiet, quiet)
    show("quiet, scaled, once more", again, quiet)
    found = show("slow, scaled", scaled, quiet)
    show("slow, --time-factor off", plain, quiet)
    interval = wilson(share, quiet.played)
    inside = interval.low <= found <= interval.high
    say(f"the slow core's share of late matches is {'' if inside else 'not '}within the interval")


if __name__ == "__main__":
    main()
