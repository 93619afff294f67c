"""Thousands of matches between good bots, bad bots and attackers: what is left afterwards?

`python tests/benchmarks/soak.py --matches 10000 --minutes 60 --jobs 2`
"""

import argparse
import ctypes
import os
import random
import sys
import time
from collections import Counter
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

from arena.playing.referee import play
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import prctl
from bots.sandbox.probe import Level, probe, suggested_jobs
from engine.catalog import GAMES
from engine.match import MatchResult
from tests.bots.chairs.test_faults import EITHER, NEVER, OWN, PROGRAMS
from tests.bots.matches import SAMPLES, program
from tests.bots.sandbox.attacker import ATTACKS

ATTACKER = Path(__file__).parents[1] / "bots" / "sandbox" / "attacker.py"
GOOD = ("random", "greedy:worlds=1", f"{SAMPLES}/watches.py", program("answers.py", "well"))
BAD = tuple(f"{SAMPLES}/{name}" for name in EITHER | OWN)
BAD += tuple(program("answers.py", how) for how in PROGRAMS)
NEVER_ANSWER = tuple(NEVER.values())  # each costs more than a second of waiting
LIMITS = Limits(start=2, move=0.2, bank=0.05)  # what sleeps costs more than a second
RARE = 0.03
FIELD = 12  # bots that meet for a while, as in a tournament: their containers are kept
A_WHILE = 40  # matches
PR_SET_CHILD_SUBREAPER = 36
PROGRESS = 500  # matches of a process
MAX_GROWTH = 20_000  # kilobytes of a process, from its fiftieth match on


def field(dice: random.Random) -> list[str]:
    """Who competes for a while: about as many good bots as bad ones."""
    specs = []
    for _ in range(FIELD):
        kind = dice.random()
        if kind < 0.5:
            specs.append(dice.choice(GOOD))
        elif kind < 0.8:
            specs.append(dice.choice(BAD))
        elif kind < 1 - RARE:
            specs.append(f"{ATTACKER}:attack={dice.choice(list(ATTACKS))}")
        else:
            specs.append(dice.choice(NEVER_ANSWER))
    return specs


def blame(result: MatchResult) -> list[str]:
    """Faults by kind; those of bots that are good are called so."""
    return [
        f"{fault.kind} of a good bot: {fault.detail[:300]}"
        if result.spec.bots[fault.seat] in GOOD
        else fault.kind
        for fault in result.faults
    ]


def soak(job: int, jobs: int, matches: int, until: float) -> tuple[Counter[str], list[int]]:
    """The share of one process: what happened, and its memory and descriptors, early and late."""
    probe()
    pin(job)
    counts: Counter[str] = Counter()
    figures: list[int] = []
    with closing(ChairPool(LIMITS)) as cabinet:
        for number in range(job, matches, jobs):
            if time.time() > until:
                break
            dice = random.Random(number)
            game = dice.choice(GAMES)
            setup = game.setup(dice.choice(game.players), number)
            specs = tuple(
                dice.choices(field(random.Random(-1 - number // A_WHILE)), k=setup.players)
            )
            try:
                spec = game.spec(setup, number, specs)
                counts.update(blame(play(spec, cabinet.chairs(specs), LIMITS)))
            except SandboxError as problem:
                counts[f"machine: {problem}"] += 1
            counts["matches"] += 1
            if counts["matches"] == 50:
                figures = [resident(), descriptors()]
            if counts["matches"] % PROGRESS == 0:
                say(f"process {job}: {counts['matches']} matches")
        figures += [resident(), descriptors()]
    return counts, [*figures, descriptors()]


def resident() -> int:
    """Kilobytes of memory this process holds."""
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


def descriptors() -> int:
    """How many this process has open."""
    return len(os.listdir("/proc/self/fd"))


def children() -> dict[int, tuple[str, str]]:
    """State and command of what is under this process, which all orphans of the run come to."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            stat = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, NotADirectoryError):
            continue
        if int(stat[1]) == os.getpid():
            found[int(entry.name)] = stat[0], words
    return found


def left_over() -> list[str]:
    """Commands of what still runs under this process; the dead wait for nobody else."""
    return [
        words
        for state, words in children().values()
        if state != "Z" and "resource_tracker" not in words
    ]


def reap_orphans(own: set[int]) -> None:
    """Reap the dead that came to this process; its own children are waited for elsewhere."""
    for pid, (state, _) in children().items():
        if state == "Z" and pid not in own:
            os.waitpid(pid, os.WNOHANG)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def main() -> None:
    """Play, then look around."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--jobs", type=int, default=suggested_jobs())
    options = parser.parse_args()
    if probe().level is Level.UNSAFE:
        sys.exit(f"no sandbox here: {probe().line()}")
    prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    began = time.time()
    shares = [
        (job, options.jobs, options.matches, began + 60 * options.minutes)
        for job in range(options.jobs)
    ]
    counts: Counter[str] = Counter()
    grown = False
    with get_context("spawn").Pool(options.jobs) as pool:
        own = set(children())
        shared = pool.starmap_async(soak, shares)
        while not shared.ready():
            shared.wait(5)
            reap_orphans(own)
        for share, figures in shared.get():
            counts += share
            if len(figures) == 5:
                grown |= figures[2] > figures[0] + MAX_GROWTH or figures[3] > figures[1]
                say(
                    f"a process: {figures[0]} kB and {figures[1]} descriptors after 50 matches, "
                    f"{figures[2]} kB and {figures[3]} at the end, {figures[4]} when closed"
                )
    say(f"{counts.pop('matches')} matches in {time.time() - began:.0f} s, {probe().line()}")
    for what, number in counts.most_common():
        say(f"{number:7} {what}")
    time.sleep(1)
    left = left_over()
    say(f"left over: {len(left)} processes {left or ''}")
    wrong = any("good bot" in what or what.startswith("machine") for what in counts)
    sys.exit(1 if left or grown or wrong else 0)


if __name__ == "__main__":
    main()
