"""How soon a tournament's first match begins, from the command on, and what its start costs.

Two bots of the house in the sandbox, a new database, two workers; by the wall clock, so on a
machine that does nothing else, and by the processor time of all processes.
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks.cpu_time import cpu_seconds
from tests.benchmarks.figures import keep

TIMES = 7
MOST = 1.0  # seconds
LINE = re.compile(r"^(\S+ \S+) UTC INFO .* match .* in (\S+) s$", re.MULTILINE)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def command(*words: str) -> list[str]:
    """A tournament of one round."""
    return [
        *(sys.executable, "-P", "-m", "arena", "tournament", "run", "random", "greedy"),
        *("--players", "2", "--rounds", "1", "--seed", "1", "--jobs", "2", "--db", "start.db"),
        *words,
    ]


def first_match() -> float:
    """Seconds until a match began: it is logged when it ends, with how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.time()
        words = command("--log-file", "start.log")
        subprocess.run(words, cwd=folder, capture_output=True, check=True)
        found = LINE.findall(Path(folder, "start.log").read_text(encoding="utf-8"))
    starts = [read_time(when) - float(taken) for when, taken in found]
    return min(starts) - began


def read_time(text: str) -> float:
    """A date of the log."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S,%f").replace(tzinfo=UTC).timestamp()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=TIMES, help="runs, of which medians are taken")
    times = parser.parse_args().times
    first = statistics.median(first_match() for _ in range(times))
    with tempfile.TemporaryDirectory() as folder:
        spent = []
        for _ in range(times):
            Path(folder, "start.db").unlink(missing_ok=True)
            spent.append(cpu_seconds(command(), Path(folder)))
    say(f"first match after {first:.2f} s; {statistics.median(spent):.2f} s of processor time")
    keep("the first match begins after", first, "s", f"<= {MOST:g}")
    keep("CPU time of the whole command", statistics.median(spent), "s")


if __name__ == "__main__":
    main()
