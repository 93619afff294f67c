"""A league in which two of ten bots attack in every way that is known: does it stay a league?

`python tests/benchmarks/attacked_league.py --matches 1000 --jobs 2`
"""

import argparse
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from arena.league.rules import league_rules_of, write_rules
from arena.league.submit import submit
from arena.playing.conformance import MAX_GAMES
from bots.sandbox.lockdown import prctl
from bots.sandbox.probe import Level, probe
from engine.catalog import find
from engine.rng import derive
from leagues.records import League, LeagueState, StoredMatch, SubmissionState
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.submissions.archive import BotArchive, Item
from tests.benchmarks.soak import MAX_GROWTH, PR_SET_CHILD_SUBREAPER, left_over, say
from tests.bots.sandbox import attacker, calls, hungry, thief

NAME = "siege"
GAME = find("architects")
# The last of these thinks for two thirds of a limit that others attack.
GOOD = {
    "first": "return decision.options[0]",
    "last": "return decision.options[-1]",
    "middle": "return decision.options[len(decision.options) // 2]",
    "dice": "import random\n    return random.choice(decision.options)",
    "counts": "return decision.options[sum(range(1000)) % len(decision.options)]",
    "prints": "print('a line')\n    return decision.options[0]",
    "views": "return decision.options[len(str(decision.view)) % len(decision.options)]",
    "thinks": (
        "import time\n    began = time.process_time()\n"
        "    while time.process_time() - began < 0.02:\n        pass\n"
        "    return decision.options[0]"
    ),
}
PEACE = 5  # of so many matches one is played in peace
PYTHON = """
import attacker, calls, hungry, thief
CHECKED = {checked!r}
WAYS = [*attacker.ATTACKS, "hungry", "calls", "thief"]

class Bot:
    def start(self, seating):
        self.way = WAYS[seating.seed % len(WAYS)]
        if seating.seed in CHECKED or seating.seed % {peace} == 0:
            self.way = ""
        self.attacker = attacker.Attacker(attack=self.way)
        if self.way in attacker.ATTACKS:
            self.attacker.start(seating)

    def decide(self, decision):
        if self.way == "hungry":
            return hungry.decide(decision)
        if self.way == "calls":
            return calls.decide(decision)
        if self.way == "thief":
            return thief.decide(decision)
        if self.way:
            return self.attacker.decide(decision)
        return decision.options[0]
"""
PROGRAM = """#!/usr/bin/env python3
import json, sys, types
api = types.ModuleType("bots.api")
api.Bot, api.Decision, api.Seating = object, None, None
sys.modules |= {{"bots": types.ModuleType("bots"), "bots.api": api}}
import attacker, calls, hungry, thief
CHECKED = {checked!r}
WAYS = [*attacker.ATTACKS, "hungry", "calls", "thief"]

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    answer = {{"type": "ready", "id": message.get("id")}}
    if message["type"] == "start":
        seed = message["seed"]
        way = WAYS[seed % len(WAYS)]
        if seed in CHECKED or seed % {peace} == 0:
            way = ""
    if message["type"] == "decide":
        if way == "hungry":
            raise MemoryError(hungry.eat())
        if way == "calls":
            raise LookupError(calls.got_through(program=True))
        if way == "thief":
            thief.steal()
        elif way:
            attacker.ATTACKS[way][0](attacker.Attacker(attack=way))
        answer = {{"type": "choice", "id": message["id"], "option": 0}}
    print(json.dumps(answer), flush=True)
"""


def checked_seeds() -> list[int]:
    """The seeds a bot has while it is checked, so that it can behave then."""
    return [1] + [
        derive(1000 * players + number, f"bot {number % players}")
        for players in GAME.players
        for number in range(MAX_GAMES)
    ]


def archive(name: str, files: dict[str, str], entry: str) -> BotArchive:
    facts = f'name = "{name}"\nversion = "1"\n{entry}\n'
    files = files | {"bot.toml": facts}
    items = [Item(path, path == "bot.py", text.encode()) for path, text in sorted(files.items())]
    return BotArchive(tuple(items))


def attackers() -> dict[str, BotArchive]:
    """Two bots that know all attacks: one in Python, and one that is a program."""
    known = {
        f"{module.__name__.rpartition('.')[2]}.py": Path(module.__file__ or "").read_text("utf-8")
        for module in (attacker, calls, hungry, thief)
    }
    words = {"checked": set(checked_seeds()), "peace": PEACE}
    return {
        "python-attacker": archive(
            "python-attacker", known | {"bot.py": PYTHON.format(**words)}, 'entry = "bot.py"'
        ),
        "program-attacker": archive(
            "program-attacker", known | {"bot.py": PROGRAM.format(**words)}, 'program = "bot.py"'
        ),
    }


def found_league(storage: Storage, good: int = len(GOOD), **rules: object) -> League:
    """A league with so many good bots, and the two attackers."""
    facts: dict[str, object] = {
        "game": GAME.id,
        "players": "3",
        "time": "200ms+50ms/10s",
        "placement": 1,
        "games": 2000,
        "submissions": 100,
    }
    checked = league_rules_of(facts | rules, "the rules")
    league = storage.leagues.create(NAME, write_rules(checked), 7)
    storage.leagues.set_league_state(league.id, LeagueState.OPEN)
    for name, body in list(GOOD.items())[:good]:
        text = f"def decide(decision):\n    {body}\n"
        submit(storage, league, archive(name, {"bot.py": text}, 'entry = "bot.py"'))
    for each in attackers().values():
        submit(storage, league, each)
    return league


@dataclass
class Siege:
    """What was seen of the league while it was played."""

    suspended: list[tuple[str, str]] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)  # kilobytes and descriptors
    began: float = field(default_factory=time.monotonic)

    def look(self, storage: Storage, league: League, pid: int, most: int) -> bool:
        """Let the attackers on who were suspended; whether enough was played."""
        for entry in storage.reader.leagues.submissions(league.id):
            if entry.state == SubmissionState.SUSPENDED:
                self.suspended.append((entry.name, entry.reason))
                storage.leagues.set_submission_state(entry.id, SubmissionState.RESUMED)
        count = storage.reader.results.count(MatchFilter(league=league.id))
        if count >= 50:
            self.sizes.append(size_of(pid))
        return count >= most

    def growth(self) -> list[str]:
        """Whether the worker holds more than it did early on."""
        for name, reason in self.suspended[:2] + self.suspended[-2:]:
            say(f"{name} was suspended: {reason}")
        if not self.sizes:
            return ["too little was played"]
        part = max(1, len(self.sizes) // 4)  # for a while it has two sets of processes
        first, last = (
            [min(each) for each in zip(*sizes, strict=True)]
            for sizes in (self.sizes[:part], self.sizes[-part:])
        )
        told = f"the worker held {first[0]} kB and {first[1]} descriptors after 50 matches"
        taken = time.monotonic() - self.began
        say(f"{told}, {last[0]} kB and {last[1]} at the end, after {taken:.0f} s")
        grown = last[0] > first[0] + MAX_GROWTH or last[1] > first[1]
        return ["the worker grew"] if grown else []


def size_of(pid: int) -> tuple[int, int]:
    """Kilobytes of memory a process holds, and its open descriptors but those of the database.

    A second connection is opened when two of its threads first need one at once, and then kept.
    """
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    resident = int(status.partition("VmRSS:")[2].split()[0])
    targets = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            targets.append(os.readlink(entry))
    return resident, sum(".db" not in target for target in targets)


def besiege(db: str, matches: int, jobs: int, minutes: float) -> tuple[Siege, list[str]]:
    """Play the league; what was seen, and what is wrong with that."""
    siege = Siege()
    wrong: list[str] = []
    with open_storage(db) as storage:
        league = found_league(storage)
        words = ["league", "work", NAME, "--jobs", str(jobs), "--db", db, "--follow"]
        work = subprocess.Popen([sys.executable, "-P", "-m", "arena", *words])
        try:
            while work.poll() is None and not siege.look(storage, league, work.pid, matches):
                if time.monotonic() > siege.began + 60 * minutes:
                    wrong.append("the time allowed is over")
                    break
                time.sleep(0.2)
        finally:
            work.send_signal(signal.SIGINT)
            code = work.wait()
        if code != 130:
            wrong.append(f"the worker ended with exit code {code}")
        wrong += judge(storage, league, siege.suspended)
        wrong += siege.growth()
    return siege, wrong


def judge(storage: Storage, league: League, suspended: list[tuple[str, str]]) -> list[str]:
    """What should not have been, and the figures on the way."""
    bad = set(attackers())
    labels = {e.label: e.name for e in storage.reader.leagues.submissions(league.id)}
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for match in storage.reader.results.matches(MatchFilter(league=league.id)):
        counts["matches"] += 1
        counts["with an attacker"] += any(labels[bot] in bad for bot in match.result.spec.bots)
        for fault in match.result.faults:
            name = labels[match.result.spec.bots[fault.seat]]
            counts[f"{fault.kind} of {name if name in bad else 'a good bot'}"] += 1
            if name not in bad or not is_right(match, fault.seat, fault.kind, name):
                wrong.append(f"{name}, {way_of(match, fault.seat)}: {fault.kind}: {fault.detail}")
    for _, tournament in storage.reader.stages.of_league(league.id):
        played = storage.reader.results.played(tournament.id)
        for incident in storage.reader.results.incidents(tournament.id):
            counts["failures of the machine"] += 1
            if incident.number not in played:
                wrong.append(f"not played: {incident}")
    for name, reason in suspended:
        counts[f"suspensions of {name}"] += 1
        if name not in bad:
            wrong.append(f"{name} was suspended: {reason}")
    wrong += [f"{name} was never suspended" for name in bad - {name for name, _ in suspended}]
    for what, number in sorted(counts.items()):
        say(f"{number:7} {what}")
    return wrong


def way_of(match: StoredMatch, seat: int) -> str:
    """How an attacker attacks in a match."""
    seed = derive(match.result.spec.seed, f"bot {seat}")
    ways = [*attacker.ATTACKS, "hungry", "calls", "thief"]
    return "in peace" if seed % PEACE == 0 else ways[seed % len(ways)]


def is_right(match: StoredMatch, seat: int, kind: str, name: str) -> bool:
    """Whether a fault has a kind that the attack was found to end in, before it came to a match."""
    if name == "program-attacker":  # which is told by the kernel alone
        return kind in ("crash", "violation", "time", "memory", "protocol")
    way = way_of(match, seat)
    known = {"hungry": ("memory",), "calls": ("exception",), "thief": ()}
    known |= {name: outcomes for name, (_, outcomes) in attacker.ATTACKS.items()}
    # On a slow machine some take longer than they may.
    return way in known and kind in (*known[way], "time")


def main() -> None:
    """Play, then look around."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if probe().level is Level.UNSAFE:
        sys.exit(f"no sandbox here: {probe().line()}")
    prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    with tempfile.TemporaryDirectory() as folder:
        _, wrong = besiege(f"{folder}/siege.db", options.matches, options.jobs, options.minutes)
    time.sleep(1)
    left = left_over()
    say(f"left over: {len(left)} processes {left or ''}")
    for line in wrong[:50]:
        say(f"wrong: {line}")
    sys.exit(1 if wrong or left else 0)


if __name__ == "__main__":
    main()
