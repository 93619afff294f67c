"""A small tournament to be run, killed and compared: what was stored, whatever happened before."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from leagues.storage.handle import open_storage
from tests.support.command import environment

KILLS = 50

Story = dict[int, tuple[object, ...]]


def words(db: Path, *more: str) -> list[str]:
    """The command: fast bots that do the same again for the same seed."""
    return [
        *(sys.executable, "-m", "arena", "tournament", "run", "random", "random:", "greedy"),
        *("--players", "2-3", "--seed", "7", "--jobs", "2", "--db", str(db), *more),
    ]


def start(db: Path, *more: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        words(db, *more),
        env=environment(),
        cwd=db.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def story(db: Path) -> Story:
    """All that is known of every match but its times, by its place in the schedule."""
    with open_storage(db, create=False) as storage:
        return {
            stored.number: (
                stored.fixture,
                stored.stage,
                stored.round,
                stored.rated,
                tuple(seat.entrant for seat in stored.seats),
                stored.result.spec,
                tuple(stored.result.decisions),
                tuple(stored.result.scores),
                tuple(stored.result.ranks),
                stored.result.faults,
            )
            for stored in storage.reader.results.matches()
        }


def count(db: Path) -> int:
    if not db.exists():
        return 0
    with open_storage(db) as storage:
        return storage.reader.results.count()


def undisturbed(db: Path, *more: str) -> tuple[float, float]:
    """Run it to its end: seconds to its first match in the store, and to the last."""
    began = time.monotonic()
    process = start(db, *more)
    first = 0.0
    while process.poll() is None:
        if not first and count(db):
            first = time.monotonic() - began
        time.sleep(0.1)
    process.communicate()
    assert process.returncode == 0, process.returncode
    return first, time.monotonic() - began


def killed_at_random(
    db: Path, kills: int, pace: tuple[float, float], dice: random.Random, *more: str
) -> list[int]:
    """Run it and kill it, again and again; the matches stored after each kill."""
    first, last = pace
    # From the import of the first module on; some matches further each time.
    longest = 1.5 * first + 1.5 * (last - first) / kills
    stored = []
    for _ in range(kills):
        process = start(db, *more)
        time.sleep(dice.uniform(0.05, longest))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)  # which waits for all that hold its pipes
        stored.append(count(db))
    return stored


def main() -> None:
    """Fifty kills at random moments against an undisturbed run; prints what came of it."""
    folder = Path(sys.argv[1])
    more = ("--rounds", sys.argv[2] if len(sys.argv) > 2 else "300")
    pace = undisturbed(folder / "whole.db", *more)
    stored = killed_at_random(folder / "killed.db", KILLS, pace, random.Random(1), *more)
    undisturbed(folder / "killed.db", *more)
    same = story(folder / "killed.db") == story(folder / "whole.db")
    print(f"{KILLS} kills, matches stored after each: {stored}")  # noqa: T201
    print(f"{count(folder / 'whole.db')} matches, the same: {same}")  # noqa: T201
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
