"""How long visitors of a league of 200 bots wait: many at once, and one when nothing is cached.

Visitors have addresses of 127.0.0.0/8 of their own, look at a page for some seconds, and ask for
the next: leaderboard, a bot, a replay. The database is built once: kept where --db is.
"""

import argparse
import asyncio
import gzip
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.league.planning.agenda import DueStage, agenda
from arena.league.rules import parse_rules
from arena.schedule import Fixture
from engine.catalog import find
from engine.match import MatchResult, SeatUsage
from engine.rng import Rng, derive
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage, open_storage
from tests.arena.league.sample_league import enter, found
from tests.benchmarks.figures import keep

BOTS = 200
GAMES = 15  # of every bot
PAGES = ("leaderboard", "bot", "replay")
MAX_SECONDS = 300


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def played(fixture: Fixture) -> MatchResult:
    """A whole game of random decisions."""
    spec = fixture.spec
    state = find(spec.game).deal(spec.setup, spec.seed)
    dice = Rng(derive(spec.seed, "load"))
    decisions = []
    while seats := state.pending():
        for seat in seats:
            options = state.legal(seat)
            decisions.append(options[dice.below(len(options))])
            state.apply(seat, decisions[-1])
    usage = tuple(SeatUsage(20, 0.02, 0.002) for _ in range(spec.setup.players))
    return MatchResult(
        spec, decisions, state.scores(), state.ranks(), accounts=usage, sandbox="full", seconds=0.1
    )


def play(storage: Storage, due: DueStage) -> None:
    rows = [
        ScheduledResult(
            fixture.number,
            fixture.id,
            fixture.stage,
            fixture.round,
            tuple(due.entrants[place] for place in fixture.entrants),
            played(fixture),
        )
        for fixture in due.fixtures
    ]
    storage.results.add(due.stage.tournament, rows)


def build(path: Path, game: str) -> None:
    """A league of many bots that has played."""
    with open_storage(path) as storage:
        league = found(storage, game=game, players="3-4", games=GAMES, placement=3, extra=0)
        for number in range(BOTS):
            enter(storage, league, "bot", f"owner{number:03}")
        while due := agenda(storage, league, parse_rules(league.rules)).due:
            play(storage, due)
        storage.reader.results.count()


@dataclass(frozen=True)
class Server:
    """A site that is served, and its process."""

    address: str
    process: int

    def computed(self) -> float:
        """Seconds of computing so far: what a busy machine does not change."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(db: Path) -> Iterator[Server]:
    """A site with its usual limits, but for connections."""
    words = [sys.executable, "-m", "arena", "serve", "--db", str(db), "--port", "0"]
    words += ["--limit", "all_connections=900"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        address = process.stderr.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        yield Server(address.rstrip("/"), process.pid)
    finally:
        process.terminate()
        process.wait(30)


def ask(url: str) -> tuple[float, str]:
    """Seconds until a page is here, and its text."""
    began = time.perf_counter()
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        data = answer.read()
        packed = answer.headers.get("content-encoding") == "gzip"
    return time.perf_counter() - began, (gzip.decompress(data) if packed else data).decode()


async def visit(
    visitor: int, host: str, port: int, paths: dict[str, list[str]], until: float, pause: float
) -> tuple[dict[str, list[float]], list[str]]:
    """One visitor, with an address of its own."""
    dice = random.Random(visitor)
    waits: dict[str, list[float]] = {kind: [] for kind in paths}
    problems: list[str] = []
    local = (f"127.0.{1 + visitor // 250}.{1 + visitor % 250}", 0)
    await asyncio.sleep(dice.random() * pause)
    while time.perf_counter() < until:
        kind = dice.choice(list(paths))
        path = dice.choice(paths[kind])
        began = time.perf_counter()
        try:
            status = await asyncio.wait_for(fetch(host, port, local, path), 60)
        except (OSError, EOFError, TimeoutError) as problem:
            problems.append(f"visitor {visitor}: {problem!r}")
            continue
        waits[kind].append(time.perf_counter() - began)
        if status != 200:
            problems.append(f"{path}: status {status}")
        await asyncio.sleep(dice.uniform(0.5, 1.5) * pause)
    return waits, problems


async def fetch(host: str, port: int, local: tuple[str, int], path: str) -> int:
    """Ask for a page on a connection of its own, and read all of it; its status."""
    reader, writer = await asyncio.open_connection(host, port, local_addr=local)
    try:
        words = (f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Accept-Encoding: gzip")
        writer.write("\r\n".join((*words, "Connection: close", "", "")).encode())
        head, _, _ = (await reader.read()).partition(b"\r\n\r\n")
        return int(head.split(b" ", 2)[1])
    finally:
        writer.close()


async def crowd(
    address: str, paths: dict[str, list[str]], visitors: int, seconds: float, pause: float
) -> tuple[dict[str, list[float]], list[str]]:
    """All visitors at once; the waits by kind of page, and what went wrong."""
    host, _, port = address.removeprefix("http://").partition(":")
    until = time.perf_counter() + min(seconds, MAX_SECONDS)
    found = await asyncio.gather(
        *(visit(number, host, int(port), paths, until, pause) for number in range(visitors))
    )
    waits = {kind: [wait for each, _ in found for wait in each[kind]] for kind in paths}
    return waits, [problem for _, problems in found for problem in problems]


def p95(waits: list[float]) -> float:
    return statistics.quantiles(waits, n=20)[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path)
    parser.add_argument("--game", default="seven")
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=3.0, help="mean seconds at a page")
    parser.add_argument("--replays", type=int, default=50, help="how many matches are looked at")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        db = words.db or Path(scratch, "load.db")
        if not db.exists():
            began = time.process_time()
            build(db, words.game)
            say(f"a league of {BOTS} bots made in {time.process_time() - began:.0f} s of computing")
        with serving(db) as server:
            return measure(server, words)


def measure(server: Server, words: argparse.Namespace) -> int:
    """Look at pages alone and together; 1 if somebody saw an error."""
    address = server.address
    ask(f"{address}/healthz")
    before = server.computed()
    cold, page = ask(f"{address}/leagues/spring")
    computed = server.computed() - before
    say(
        f"leaderboard of {BOTS} bots, nothing cached: {cold:.2f} s, {computed:.2f} s of computing, "
        f"{len(page) >> 10} KB"
    )
    keep(f"leaderboard of {BOTS} bots, nothing cached", cold, "s", "<= 1")
    bots = sorted(set(re.findall(r'"(/leagues/spring/bots/\d+)"', page)))
    _, listed = ask(f"{address}/leagues/spring/matches")
    last = max(int(number) for number in re.findall(r'"/matches/(\d+)"', listed))
    paths = {
        "leaderboard": ["/leagues/spring"],
        "bot": bots,
        "replay": [f"/matches/{id}" for id in range(last, max(0, last - words.replays), -1)],
    }
    for kind, some in paths.items():
        alone = [ask(address + path)[0] for path in some]
        say(f"{kind}, {len(alone)} pages one after the other: mean {statistics.mean(alone):.3f} s")
    before = server.computed()
    waits, problems = asyncio.run(crowd(address, paths, words.visitors, words.seconds, words.pause))
    every = [wait for each in waits.values() for wait in each]
    each = 1000 * (server.computed() - before) / len(every)
    load = os.getloadavg()[0]
    say(
        f"{words.visitors} visitors for {words.seconds:.0f} s, {len(every)} pages, {each:.1f} ms "
        f"of computing each; load of the machine {load:.1f}:"
    )
    for kind, some_waits in waits.items():
        middle, most = statistics.median(some_waits), max(some_waits)
        say(f"  {kind}: median {middle:.3f} s, p95 {p95(some_waits):.3f} s, most {most:.3f} s")
    say(f"  all: p95 {p95(every):.3f} s; {len(problems)} errors {problems[:3]}")
    keep(f"{words.visitors} visitors at once, p95 of a page", p95(every), "s", "<= 0.5")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
