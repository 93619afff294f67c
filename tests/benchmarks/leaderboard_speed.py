"""How long commands take that read a database of many matches, how much memory, and help.

The table is shown with and without stored ratings. The database is built once: kept where --db is,
or in a temporary folder.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from engine.catalog import find
from engine.match import MatchResult, SeatUsage
from leagues.ratings import trueskill_kernel
from leagues.ratings.trueskill_fold import BETA
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import open_storage
from tests.benchmarks.figures import keep

NAME = "many"
ENTRANTS = 200
LISTED = 20_000
SHOW = "rank show -o json"
HELP_ROUNDS = 7
BATCH = 5000


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def results(players: int, entrants: list[int]) -> Iterator[ScheduledResult]:
    """Random tables of entrants a sixteenth of luck apart, on few deals."""
    luck = np.random.default_rng(1)
    skill = np.linspace(20.0, 30.0, ENTRANTS)
    game = find("architects")
    setups = [game.setup(players, seed) for seed in range(50)]
    accounts = tuple(SeatUsage(14, 0.012345, 0.001234) for _ in range(players))
    decisions = [2, 1, 0, 140] * 15
    number = 0
    while True:
        tables = np.argsort(luck.random((BATCH, ENTRANTS)), axis=1)[:, :players]
        scores = luck.normal(25.0 + skill[tables], BETA).astype(int)
        ranks = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
        rows = zip(tables.tolist(), scores.tolist(), ranks.tolist(), strict=True)
        for table, score, rank in rows:
            setup = setups[number % len(setups)]
            spec = game.spec(setup, number, ("",) * players)
            result = MatchResult(spec, decisions, score, rank, (), accounts, "full", 0.05)
            seats = tuple(entrants[place] for place in table)
            yield ScheduledResult(
                number, f"{number:x}", "balanced", number // ENTRANTS, seats, result
            )
            number += 1


def build(path: Path, matches: int, players: int) -> None:
    began = time.perf_counter()
    with open_storage(path) as storage:
        entrants = [
            storage.results.get_or_create_entrant(f"bot{at:02}", "random", f"digest{at}").id
            for at in range(ENTRANTS)
        ]
        tournament = (
            storage.results.get_or_create_tournament(
                NAME, 1, {"game": "architects"}, entrants, []
            ).id
            or 0
        )
        source = results(players, entrants)
        for at in range(0, matches, BATCH):
            storage.results.add(tournament, list(islice(source, min(BATCH, matches - at))), "0.1.0")
    size = path.stat().st_size / 1e6
    say(f"built {matches:,} matches in {time.perf_counter() - began:.0f} s, {size:.0f} MB")


def run(words: Sequence[str]) -> tuple[float, float, float]:
    """Run a command on one core: processor time and seconds in all, and memory at its most."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "arena", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"arena {' '.join(words)} ended with {process.returncode}")
    wall = time.perf_counter() - began
    return used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024


def measure(path: Path, matches: int, *words: str, note: str = "") -> None:
    spent, wall, memory = run([*words, "--db", str(path)])
    name = f"arena {' '.join(words)}, {matches:,} matches{note}"
    keep(f"{name}: CPU time", spent, "s")
    keep(f"{name}: memory at most", memory, "MB")
    say(
        f"arena {' '.join(words)}{note}: {spent:.2f} s of one core, {wall:.1f} s in all, "
        f"at most {memory:.0f} MB"
    )


def measure_help() -> None:
    """Help against the least a command can take, in turns."""
    rounds = [(run(["--help"])[0], run(["--version"])[0]) for _ in range(HELP_ROUNDS)]
    told, least = (statistics.median(times) for times in zip(*rounds, strict=True))
    keep("CPU time of arena --help / arena --version", told / least, "times", "<= 1.5")
    say(f"arena --help: {told:.2f} s of one core, arena --version: {least:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--db", type=Path, help="built here if it is not there, and kept")
    options = parser.parse_args()
    form = "interpreted" if trueskill_kernel.__file__.endswith(".py") else "compiled"
    with tempfile.TemporaryDirectory() as folder:
        path = options.db or Path(folder) / "many.db"
        if not path.exists():
            build(path, options.matches, options.players)
        say(f"{options.matches:,} matches of {options.players}, ratings {form}")
        with open_storage(path) as storage:
            storage.ratings.drop()
        measure(path, options.matches, *SHOW.split(), note=", no ratings stored")
        measure(path, options.matches, "rank", "rebuild")
        for words in (
            SHOW,
            "rank show --by players -o json",
            f"match list -n {LISTED} -o csv",
            f"tournament export {NAME} --csv",
            f"tournament export {NAME}",
        ):
            measure(path, options.matches, *words.split())
        measure_help()


if __name__ == "__main__":
    main()
