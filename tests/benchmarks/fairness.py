"""A good bot that needs two thirds of its time, in good company and among hostile bots: is it fair?

`python tests/benchmarks/fairness.py --matches 500 --jobs 2 --load 8`
"""

import argparse
import multiprocessing
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from arena.playing.referee import play
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from bots.sandbox.probe import Level, probe
from engine.catalog import find
from tests.benchmarks.soak import say
from tests.bots.sandbox.attacker import ATTACKS

GAME = find("architects")
LIMITS = Limits(start=10, move=0.1)
NEEDED = 0.65 * LIMITS.move  # seconds of computing for each of the first answers
ASKED = 4  # of those
BURNT = 6  # answers for which hostile bots do their worst
MAX_DIFFERENCE = 0.1  # of what it is charged, between the two companies
SPAWN = multiprocessing.get_context("spawn")
ATTACKER = Path(__file__).parents[1] / "bots" / "sandbox" / "attacker.py"
FACTS = 'name = "{name}"\nversion = "1"\n{rest}\n'
THINKS = f"""
import time

class Bot:
    asked = 0

    def think(self):
        self.asked += 1
        end = time.process_time() + {NEEDED}
        while self.asked <= {ASKED} and time.process_time() < end:
            pass

    def decide(self, decision):
        self.think()
        return decision.options[0]
"""
# Burns nine tenths of its time in many threads at every answer, and goes on behind it.
BURNS = f"""
import threading, time

def burn(stop):
    while not stop.is_set():
        sum(range(1000))

class Bot:
    asked = 0

    def think(self):
        self.asked += 1
        if self.asked > {BURNT}:
            return
        stop = threading.Event()
        end = time.process_time() + {0.9 * LIMITS.move}
        for _ in range(30):
            threading.Thread(target=burn, args=(stop,), daemon=True).start()
        while time.process_time() < end:
            pass
        if POLITE:
            stop.set()

    def decide(self, decision):
        self.think()
        return decision.options[0]

POLITE = True
"""
NAPS = f"""
import time

class Bot:
    asked = 0

    def think(self):
        self.asked += 1
        for _ in range(100 if self.asked <= {BURNT} else 0):
            time.sleep(0.001)

    def decide(self, decision):
        self.think()
        return decision.options[0]
"""
TALKS = """
import json, sys
bot = Bot()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    answer = {"type": "ready", "id": message.get("id")}
    if message["type"] == "start":
        bot = Bot()
    if message["type"] == "decide":
        bot.think()
        answer = {"type": "choice", "id": message["id"], "option": 0}
    print(json.dumps(answer), flush=True)
"""
QUIET = "def decide(decision):\n    return decision.options[0]\n"


def write_bot(folder: Path, name: str, text: str, sort: str) -> str:
    """A bot in a folder: of Python, with threads, or a program."""
    place = folder / name
    place.mkdir()
    rest = {
        "strict": 'entry = "bot.py"',
        "threads": 'entry = "bot.py"\nthreads = true',
        "program": 'program = "bot.py"',
    }[sort]
    if sort == "program":
        text = f"#!/usr/bin/env python3\n{text}\n{TALKS}"
    (place / "bot.toml").write_text(FACTS.format(name=name, rest=rest), "utf-8")
    (place / "bot.py").write_text(text, "utf-8")
    (place / "bot.py").chmod(0o755)
    return str(place)


@dataclass(frozen=True)
class Company:
    """The good bot in its three sorts, and whom it meets."""

    good: list[str]
    quiet: list[str]
    hostile: list[str]

    def table(self, number: int, in_peace: bool) -> tuple[str, ...]:
        dice = random.Random(number)
        others = dice.choices(self.quiet if in_peace else self.hostile, k=2)
        bots = [self.good[number % len(self.good)], *others]
        dice.shuffle(bots)
        return tuple(bots)


def gather(folder: Path) -> Company:
    sorts = ("strict", "threads", "program")
    good = [write_bot(folder, f"good-{sort}", THINKS, sort) for sort in sorts]
    quiet = [write_bot(folder, "quiet", QUIET, "strict")]
    hostile = [write_bot(folder, f"burns-{sort}", BURNS, sort) for sort in sorts[1:]]
    stubborn = BURNS.replace("POLITE = True", "POLITE = False")
    hostile += [write_bot(folder, f"stubborn-{sort}", stubborn, sort) for sort in sorts[1:]]
    hostile += [write_bot(folder, f"naps-{sort}", NAPS, sort) for sort in sorts]
    hostile += [f"{ATTACKER}:attack={name}" for name in random.Random(1).sample([*ATTACKS], 12)]
    return Company(good, quiet, hostile)


@dataclass
class Account:
    """What the good bot was charged, and what it was blamed for."""

    computed: float = 0.0
    matches: int = 0
    wrong: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)  # of the others


def share(job: int, jobs: int, matches: int, company: Company, in_peace: bool) -> Account:
    """The matches of one process."""
    probe()
    pin(job)
    account = Account()
    with closing(ChairPool(LIMITS)) as pool:
        for number in range(job, matches, jobs):
            bots = company.table(number, in_peace)
            seat = next(seat for seat, bot in enumerate(bots) if bot in company.good)
            spec = GAME.spec(GAME.setup(3, number), number, bots)
            try:
                result = play(spec, pool.chairs(bots), LIMITS)
            except SandboxError as problem:
                account.wrong.append(f"match {number}, {' '.join(bots)}: machine: {problem}")
                continue
            account.matches += 1
            account.computed += result.accounts[seat].computed
            for fault in result.faults:
                if fault.seat == seat:
                    account.wrong.append(f"match {number}, {' '.join(bots)}: {fault}")
                else:
                    account.faults[fault.kind] += 1
    return account


def measure(company: Company, matches: int, jobs: int, in_peace: bool) -> Account:
    """All matches in one of the two companies."""
    whole = Account()
    with SPAWN.Pool(jobs) as pool:
        shares = [(job, jobs, matches, company, in_peace) for job in range(jobs)]
        for each in pool.starmap(share, shares):
            whole.computed += each.computed
            whole.matches += each.matches
            whole.wrong += each.wrong
            whole.faults += each.faults
    return whole


def spin() -> None:
    """Be load, on any core."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    while True:
        pass


@contextmanager
def loaded(processes: int) -> Iterator[None]:
    """So many processes that compute meanwhile."""
    started = [SPAWN.Process(target=spin, daemon=True) for _ in range(processes)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.join()


def compare(matches: int, jobs: int, load: int) -> list[str]:
    """Play in both companies, with this much other load; what is unfair."""
    with tempfile.TemporaryDirectory() as folder, loaded(load):
        os.chmod(folder, 0o755)
        company = gather(Path(folder))
        peace = measure(company, matches, jobs, in_peace=True)
        war = measure(company, matches, jobs, in_peace=False)
    wrong = [*peace.wrong, *war.wrong]
    mean = [each.computed / max(1, each.matches) for each in (peace, war)]
    if abs(mean[1] / mean[0] - 1) > MAX_DIFFERENCE:
        wrong.append(f"charged {mean[0]:.4f} s a match in peace, {mean[1]:.4f} s under attack")
    say(
        f"{matches} matches, {jobs} jobs, {load} more processes: charged {mean[0]:.4f} s a match "
        f"in peace, {mean[1]:.4f} s under attack ({mean[1] / mean[0] - 1:+.1%}); {len(wrong)} wrong"
    )
    say(f"faults of the hostile: {war.faults.total()}, {' '.join(sorted(war.faults))}")
    return wrong


def main() -> None:
    """Compare, with and without other load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--load", type=int, default=8)
    options = parser.parse_args()
    if probe().level is Level.UNSAFE:
        sys.exit(f"no sandbox here: {probe().line()}")
    wrong = compare(options.matches, options.jobs, 0)
    wrong += compare(options.matches, options.jobs, max(0, options.load - options.jobs))
    for line in wrong[:50]:
        say(f"wrong: {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
