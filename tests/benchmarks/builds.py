"""What a match costs in this build and in another: builds.py OTHER/bin/python.

Whole tournaments of both in turn, by the processor time of all processes, on one core; medians of
rounds. A match is the slope between two numbers of matches, what is left is the start.
"""

import argparse
import os
import statistics
import sys

from tests.benchmarks.figures import keep
from tests.benchmarks.tournament_cost import CASES, Case, Cost, cost

# How many times the other build's cost, where that is the one before the match path was redrawn.
AIMS = {
    **{case: 10.0 for case in CASES if case.way == "in process" and case.bot == "random"},
    **{case: 1.7 for case in CASES if case.way == "in process" and case.bot == "greedy"},
    **{case: 3.0 for case in CASES if case.way == "sandboxed" and case.bot == "random"},
    Case("architects", 2, "random", "sandboxed"): 5.0,
    Case("architects", 2, "greedy", "sandboxed"): 2.5,
    Case("architects", 4, "greedy", "sandboxed"): 2.0,
    Case("seven", 4, "greedy", "sandboxed"): 2.0,
}


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def compare(case: Case, other: str, times: int) -> tuple[Cost, Cost]:
    """Print one line, and keep its figures; both costs."""
    pairs = [(cost(other, case), cost(sys.executable, case)) for _ in range(times)]
    before, now = (
        Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))
        for costs in zip(*pairs, strict=True)
    )
    ratio = statistics.median(old.match / new.match for old, new in pairs)
    aim = f">= {AIMS[case]:g}" if case in AIMS else ""
    word = "" if not aim else "met" if ratio >= AIMS[case] else "NOT MET"
    say(
        f"{case.name:36}{1e6 * before.match:>10,.0f}{1e6 * now.match:>10,.0f}{ratio:>7.1f}x"
        f"  {aim:8}{word:9}start {before.start:.2f} -> {now.start:.2f} s"
    )
    keep(f"{case.name}: a match of the previous build / of this one", ratio, "times", aim)
    keep(f"{case.name}: a match", 1e6 * now.match, "µs")
    keep(f"{case.name}: the start", now.start, "s")
    return before, now


def keep_walled(costs: dict[Case, tuple[Cost, Cost]]) -> None:
    """What a sandboxed match costs now beside what one without a sandbox did before."""
    walled, free = (Case("architects", 2, "random", way) for way in ("sandboxed", "in process"))
    if walled in costs and free in costs:
        ratio = costs[walled][1].match / costs[free][0].match
        what = "architects, 2 random: a match sandboxed / in process in the previous build"
        say(f"{what}: {ratio:.1f}")
        keep(what, ratio, "times", "<= 2")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the interpreter in which the other build is installed")
    parser.add_argument("--times", type=int, default=3, help="rounds, of which medians are taken")
    parser.add_argument("--only", default="", help="the cases whose names have all these words")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    say(f"{'microseconds of processor time':36}{'before':>10}{'now':>10}")
    costs: dict[Case, tuple[Cost, Cost]] = {}
    for case in CASES:
        if all(word in case.name.replace(",", "").split() for word in options.only.split()):
            costs[case] = compare(case, options.python, options.times)
    keep_walled(costs)


if __name__ == "__main__":
    main()
