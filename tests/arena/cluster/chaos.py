"""A tournament on a cluster that is killed, hung and cut off at random moments.

python -m tests.arena.cluster.chaos FOLDER [--faults 50] [--rounds 1500] [--only FAULT ...]: in the
end every match is stored once, and all is as if nothing had happened.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from leagues.errors import StorageError
from leagues.storage.handle import read_storage
from leagues.storage.match_filter import MatchFilter
from tests.arena.tournament.kill_soak import story
from tests.support.cluster import ClusterProcesses, children
from tests.support.command import arena, environment

SLOW = """
import os
import random
import time

def decide(decision):
    time.sleep(float(os.environ.get("CHAOS_SLEEP", "0")))
    return random.choice(decision.options)
"""
SLEEP = "0.006"  # seconds of a decision, so that there is time for faults
HANG = 35.0  # seconds, longer than a machine may be silent
STALL = 120.0  # seconds without a result after which a run is taken for stalled
# Faults by how often they are chosen: those that take no time more often.
FAULTS = {
    "kill_process": 4,
    "kill_machine": 4,
    "kill_whole_machine": 4,
    "kill_scheduler": 4,
    "kill_submitter": 4,
    "hang_machine": 1,
    "cut_network": 1,
}


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


class Chaos:
    """A run on a cluster, and what is done to it."""

    def __init__(self, folder: Path, rounds: int, seed: int) -> None:
        self.folder = folder
        self.dice = random.Random(seed)
        (folder / "slow.py").write_text(SLOW)
        self.words = ["tournament", "run", "random", "./slow.py", "--players", "2", "--seed", "3"]
        self.words += ["--rounds", str(rounds), "--name", "cup", "--in-process", "--json"]
        self.cluster = ClusterProcesses(folder)
        for name in ("left", "right"):
            self.cluster.start_machine(name, "--jobs", "1", CHAOS_SLEEP=SLEEP)
        self.run = self.submit()

    def submit(self) -> "subprocess.Popen[str]":
        where = ("--db", "cup.db", "--cluster", self.cluster.address)
        with (self.folder / "run.log").open("a") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "arena", *self.words, *where],
                cwd=self.folder,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def machine(self) -> int:
        """A worker of Dask, chosen at random."""
        while True:
            found = children(self.dice.choice([*self.cluster.machines.values()]).pid)
            if found:
                return found[0]
            time.sleep(0.2)

    def kill_process(self) -> None:
        for player in children(self.machine())[:1]:
            os.kill(player, signal.SIGKILL)

    def kill_machine(self) -> None:
        os.kill(self.machine(), signal.SIGKILL)

    def kill_whole_machine(self) -> None:
        name, process = self.dice.choice([*self.cluster.machines.items()])
        process.kill()
        process.wait()
        self.cluster.start_machine(name, "--jobs", "1", CHAOS_SLEEP=SLEEP)

    def kill_scheduler(self) -> None:
        self.cluster.scheduler.kill()
        self.cluster.scheduler.wait()
        self.cluster.start_scheduler()

    def kill_submitter(self) -> None:
        self.run.kill()
        self.run.communicate()
        self.run = self.submit()

    def hang_machine(self) -> None:
        self.hang(self.machine())

    def cut_network(self) -> None:
        self.hang(self.cluster.scheduler.pid)  # nobody hears of anybody

    def hang(self, pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(HANG)
        os.kill(pid, signal.SIGCONT)

    def stored(self) -> int:
        try:
            with read_storage(str(self.folder / "cup.db")) as reader:
                return reader.results.count(MatchFilter())
        except StorageError:
            return 0

    def close(self) -> None:
        if self.run.poll() is None:
            self.run.kill()
            self.run.communicate()
        self.cluster.close()


def wait_for_matches(chaos: Chaos, due: float) -> float:
    """Wait until so many matches are stored; the longest time between two results meanwhile."""
    seen, since, longest = -1, time.monotonic(), 0.0
    while True:
        stored, now = chaos.stored(), time.monotonic()
        longest = max(longest, now - since)
        if stored != seen:
            seen, since = stored, now
        if stored >= due:
            return longest
        if chaos.run.poll() is not None:
            raise SystemExit(f"ended with {chaos.run.returncode} at {stored} matches")
        if now > since + STALL:
            raise SystemExit(f"stalled at {stored} matches")
        time.sleep(0.2)


def cause_faults(chaos: Chaos, faults: int, matches: int, only: list[str]) -> None:
    """So many faults, spread over the matches, of these kinds."""
    longest = 0.0
    for number in range(faults):
        due = (number + chaos.dice.random()) * matches * 0.95 / faults
        longest = max(longest, wait_for_matches(chaos, due))
        often = chaos.dice.choices(only, [FAULTS[kind] for kind in only])[0]
        kind = only[number] if number < len(only) else often  # each once, to begin with
        say(f"{number + 1}: {kind} at {chaos.stored()} matches")
        getattr(chaos, kind)()
    longest = max(longest, wait_for_matches(chaos, matches))
    say(f"the next result came at most {longest:.0f} s after a fault or another result")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=[*FAULTS], metavar="FAULT")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    chaos = Chaos(folder, given.rounds, given.seed)
    try:
        cause_faults(chaos, given.faults, 2 * given.rounds, given.only)
        there, _ = chaos.run.communicate()
        code = chaos.run.returncode
    finally:
        chaos.close()
    here = arena(*chaos.words, "--db", "here.db", cwd=folder)
    verified = arena("tournament", "verify", "--db", "cup.db", cwd=folder)
    same = there == here.stdout and story(folder / "cup.db") == story(folder / "here.db")
    say(
        f"{given.faults} faults, {chaos.stored()} matches, exit code {code}, as undisturbed: {same}"
    )
    if code or not same or verified.returncode or chaos.stored() != 2 * given.rounds:
        raise SystemExit(verified.stderr or "not the same")


if __name__ == "__main__":
    main()
