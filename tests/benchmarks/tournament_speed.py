"""What a match of a tournament costs, sandboxed and in process, and what starting it costs.

Whole runs of the installed program, by the processor time of all processes with their sandboxes, on
one core. A match is the slope between two numbers of matches, what is left is the start.
"""

import argparse
import os
import sys

from tests.benchmarks.figures import keep
from tests.benchmarks.tournament_cost import CASES, SECONDS, WAYS, Case, Cost, cost


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def measure(case: Case, share: float) -> Cost:
    """Print what a case costs, and keep it."""
    found = cost(sys.executable, case, share * SECONDS)
    say(f"{case.name:36}{1e6 * found.match:>10,.0f}{1 / found.match:>10,.0f}{found.start:>8.2f}")
    keep(f"{case.name}: matches", 1 / found.match, "a second of one core")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="of the time to play")
    share = parser.parse_args().share
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    say(f"{'processor time':36}{'µs/match':>10}{'a second':>10}{'start s':>8}")
    found = {case: measure(case, share) for case in CASES if case.players in (2, 4)}
    for case, walls in found.items():
        if case.way == "sandboxed":
            free = found[case._replace(way="in process")]
            keep(
                f"{case.game}, {case.players} {case.bot}: sandboxed / in process",
                walls.match / free.match,
                "times",
            )
    for way in WAYS:
        start = min(cost.start for case, cost in found.items() if case.way == way)
        keep(f"start of a tournament of seven bots, {way}", start, "s of one core")


if __name__ == "__main__":
    main()
