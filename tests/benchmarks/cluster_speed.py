"""What a cluster costs beside a pool of processes, and where a large one would saturate.

`cost`: whole tournaments in turn by two processes and by a cluster of two cores, by the processor
time of all processes. `simulate`: a scheduler and so many machines that answer with a recorded
result after a delay, by the processor time of the scheduler and of who submits and stores.
`limits`: which part is the limit with how many cores, from what the latter found.
"""

import argparse
import asyncio
import multiprocessing
import os
import pickle
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arena.cluster.facts import MachineFacts, this_build
from arena.cluster.workers import CLUSTER_PORTION
from arena.playing.runner import MAX_AT_ONCE, MAX_PORTIONS
from tests.benchmarks.cpu_time import cpu_seconds
from tests.support.cluster import ClusterProcesses
from tests.support.command import environment

CASES = {"in process": ["--in-process"], "sandboxed": []}
WHERE = {"pool": ["--jobs", "2"], "cluster": ["--cluster", "local:2"]}
TICK = os.sysconf("SC_CLK_TCK")


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def command(db: str, rounds: int, more: Sequence[str]) -> list[str]:
    words = [sys.executable, "-m", "arena", "tournament", "run", *["random"] * 7]
    words += ["--players", "2", "--design", "random", "--rounds", str(rounds), "--seed", "1"]
    return [*words, "--db", db, *more]


def stored(db: Path) -> int:
    with sqlite3.connect(db) as database:
        [[count]] = database.execute("SELECT count(*) FROM match").fetchall()
    database.close()
    return int(count)


def measure(rounds: int, more: Sequence[str]) -> tuple[int, float]:
    """Matches of a tournament, and seconds of processor time of all it started."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = cpu_seconds(command("cost.db", rounds, more), Path(folder))
        return stored(Path(folder, "cost.db")), seconds


def cost(repeats: int, rounds: dict[str, int]) -> None:
    """Print what a match takes in either way, and the share of matches a second that is left."""
    for case, options in CASES.items():
        found: dict[str, list[float]] = {where: [] for where in WHERE}
        for _ in range(repeats):
            for where, place in WHERE.items():
                few, short = measure(1, [*options, *place])
                many, long = measure(rounds[case], [*options, *place])
                found[where].append((long - short) / (many - few))
        pool, cluster = (statistics.median(found[where]) for where in WHERE)
        say(
            f"{case:12} pool {1e6 * pool:8,.0f} µs a match, cluster {1e6 * cluster:8,.0f} µs: "
            f"{pool / cluster:.0%} of the matches a second"
        )


# --- a simulated cluster ------------------------------------------------------------------------


def _plain(facts: MachineFacts, _worker: object) -> dict[str, Any]:
    return facts.plain()


def simulate_machines(address: str, count: int, seconds: float) -> None:
    """In a process of its own: machines whose matches take so long and end like one that was."""
    import distributed

    from arena.cluster import dask_backend

    # Two seats of random bots; a match of two wonders has some hundred decisions.
    sent = ([1] * 100, [40, 30], [0, 1], (), [(50, 0.001, 0.001, "")] * 2, "full", seconds)

    def answer(_kit: object, _portion: bytes, matches: int) -> bytes:
        time.sleep(seconds * matches)
        return pickle.dumps(([sent] * matches, []), pickle.HIGHEST_PROTOCOL)

    vars(dask_backend)["_play"] = answer
    dask_backend.silence()

    async def run() -> None:
        workers = []
        for number in range(count):
            facts = MachineFacts(f"m{number}", 1, "full", this_build(), 1.0)
            worker = distributed.Worker(
                address,
                nthreads=1,
                host="127.0.0.1",
                memory_limit=0,
                dashboard=False,
                startup_information={"arena": partial(_plain, facts)},
            )
            workers.append(await worker)
        await asyncio.gather(*(worker.finished() for worker in workers))

    asyncio.run(run())


def usage(pid: int) -> tuple[float, float]:
    """Seconds of processor time of a process, and its megabytes."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return (int(words[11]) + int(words[12])) / TICK, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def simulate(machines: int, seconds: float, matches: int) -> None:
    """Print what a run on so many machines takes of the scheduler and of who submits it."""
    import subprocess

    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        cluster = ClusterProcesses(folder)
        halves = [
            context.Process(
                target=simulate_machines,
                args=(cluster.address, machines // 2, seconds),
                daemon=True,
            )
            for _ in range(2)
        ]
        try:
            for half in halves:
                half.start()
            _wait_for(cluster.address, machines)
            before = usage(cluster.scheduler.pid)[0]
            more = ["--in-process", "--cluster", cluster.address]
            began = time.monotonic()
            run = subprocess.Popen(
                command("cost.db", matches // 3, more),
                cwd=folder,
                env=environment(),
                stdout=subprocess.DEVNULL,
            )
            marks = list(_watch(run, cluster.scheduler.pid, folder / "cost.db"))
            took = time.monotonic() - began
            played = stored(folder / "cost.db")
        finally:
            for half in halves:
                half.terminate()
            cluster.close()
    scheduler, submitter = marks[-1][1] - before, marks[-1][3]
    say(
        f"{machines} machines, {1000 * seconds:g} ms a match: {played:,} matches in {took:.0f} s, "
        f"{played / took:,.0f} a second (at most {machines / seconds:,.0f}); "
        f"processor time a match: scheduler {1e6 * scheduler / played:.0f} µs, "
        f"submitter and writer {1e6 * submitter / played:.0f} µs"
    )
    for number in sorted({len(marks) // 4, len(marks) // 2, len(marks) - 1}):
        count, _, memory, _, own = marks[number]
        say(f"  after {count:,} matches: scheduler {memory:.0f} MB, submitter {own:.0f} MB")


def _watch(run: Any, scheduler: int, db: Path) -> Any:
    """Matches so far, and processor time and megabytes of both, again and again."""
    while run.poll() is None:
        time.sleep(2)
        try:
            found = (*usage(scheduler), *usage(run.pid))
            yield (stored(db), *found)
        except (OSError, sqlite3.Error, IndexError):
            continue
    assert run.returncode == 0


def _wait_for(address: str, machines: int) -> None:
    from arena.cluster.address import parse_address
    from arena.cluster.status import cluster_report

    while len(cluster_report(parse_address(address)).rows) < machines:
        time.sleep(1)


# --- what is the limit ---------------------------------------------------------------------------


def limits(scheduler: float, writer: float, portion: float = CLUSTER_PORTION) -> None:
    """Print which part is the limit, from milliseconds a portion and microseconds a match."""
    say("| cores | seconds of a match | matches a second | limit | scheduler | writer |")
    say("| ---: | ---: | ---: | --- | ---: | ---: |")
    for seconds in (0.02, 1.0):
        for cores in (2, 16, 100, 1000):
            by_cores = cores / seconds
            most = max(portion, cores / MAX_PORTIONS)  # seconds of matches in a portion
            size = max(1, min(MAX_AT_ONCE, int(most / seconds)))
            parts = {
                "the cores": by_cores,
                "the command that stores": 1e6 / writer,
                "the scheduler": 1000 / scheduler * size,
            }
            limit = min(parts, key=lambda part: parts[part])
            rate = parts[limit]
            say(
                f"| {cores:,} | {seconds:g} | {rate:,.0f} of {by_cores:,.0f} | {limit} | "
                f"{rate / size * scheduler / 1000:.0%} | {rate * writer / 1e6:.0%} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ways = parser.add_subparsers(dest="way", required=True)
    costs = ways.add_parser("cost")
    costs.add_argument("--repeats", type=int, default=3)
    costs.add_argument("--rounds", type=int, default=600, help="of tournaments in process")
    costs.add_argument("--sandboxed", type=int, default=100, help="rounds in the sandbox")
    many = ways.add_parser("simulate")
    many.add_argument("--machines", type=int, default=200)
    many.add_argument("--seconds", type=float, default=0.02, help="of a match")
    many.add_argument("--matches", type=int, default=100_000)
    table = ways.add_parser("limits")
    table.add_argument("--scheduler", type=float, required=True, help="milliseconds a portion")
    table.add_argument("--writer", type=float, required=True, help="microseconds a match")
    given = parser.parse_args()
    if given.way == "cost":
        cost(given.repeats, {"in process": given.rounds, "sandboxed": given.sandboxed})
    elif given.way == "limits":
        limits(given.scheduler, given.writer)
    else:
        simulate(given.machines, given.seconds, given.matches)


if __name__ == "__main__":
    main()
