"""A tournament by two machines that share nothing, and by this one: is it the same?

Each machine is a network namespace with its own folder and virtualenv, where the bots' folder is
hidden; results go to a PostgreSQL of this run alone, which the machines cannot reach.
Needs root, `ip` and PostgreSQL. Usage: python -P -m tests.benchmarks.cluster_machines FOLDER
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from arena.new_bot import BotTemplate, write
from tests.leagues.storage.server import running
from tests.support.command import ROOT, environment
from tests.support.waiting import wait_until

BRIDGE = "arena0"
HERE = "10.213.77.1"
MACHINES = {"left": "10.213.77.2", "right": "10.213.77.3"}
PORT = 8786
# What a clock tells of a match, and where it was played.
UNLIKE = ("match", "tournament", "accounts", "played_at", "seconds", "time_factor")


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def call(*words: str) -> None:
    subprocess.run(words, check=True)


@contextmanager
def network() -> Iterator[None]:
    """A bridge here, and a namespace for each machine with one end of a cable to it."""
    try:
        call("ip", "link", "add", BRIDGE, "type", "bridge")
        call("ip", "address", "add", f"{HERE}/24", "dev", BRIDGE)
        call("ip", "link", "set", BRIDGE, "up")
        for name, address in MACHINES.items():
            space, ours = f"arena-{name}", f"arena-{name[:5]}"
            call("ip", "netns", "add", space)
            peer = ["peer", "name", "eth0", "netns", space]
            call("ip", "link", "add", ours, "type", "veth", *peer)
            call("ip", "link", "set", ours, "master", BRIDGE, "up")
            call("ip", "-n", space, "address", "add", f"{address}/24", "dev", "eth0")
            for device in ("eth0", "lo"):
                call("ip", "-n", space, "link", "set", device, "up")
        yield
    finally:
        for name in MACHINES:
            subprocess.run(["ip", "netns", "delete", f"arena-{name}"], check=False)
        subprocess.run(["ip", "link", "delete", BRIDGE], check=False)


def copy_virtualenv(place: Path) -> Path:
    """A virtualenv of its own with the same packages; the path of its interpreter."""
    shutil.copytree(sys.prefix, place, symlinks=True)
    for file in place.glob("lib/*/site-packages/wonders_arena_tests.pth"):
        file.unlink()  # the sources are not there
    return place / "bin/python"


@contextmanager
def process(words: Sequence[str], folder: Path, log: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that is ended with the block."""
    with log.open("wb") as out:
        started = subprocess.Popen(
            words,
            cwd=folder,
            env=environment(TMPDIR=str(folder)),
            stdout=out,
            stderr=out,
            text=True,
        )
    try:
        yield started
    finally:
        started.terminate()
        started.wait(30)


@contextmanager
def machine(name: str, folder: Path, hidden: Path) -> Iterator["subprocess.Popen[str]"]:
    """A worker in its namespace, with one core, where the bots' folder is empty."""
    place = folder / name
    place.mkdir()
    python = copy_virtualenv(place / "venv")
    command = f"mount -t tmpfs none {hidden} && exec {python} -P -m arena cluster worker"
    command += f" --scheduler tcp://{HERE}:{PORT} --name {name} --jobs 1 --host {MACHINES[name]}"
    words = ["ip", "netns", "exec", f"arena-{name}", "sh", "-c", command]
    with process(words, place, folder / f"{name}.log") as started:
        yield started


def make_bots(home: Path) -> list[str]:
    """Two files, a folder, a program and two bots of the house."""
    home.mkdir()
    shutil.copy(ROOT / "examples/first_bot.py", home / "mine.py")
    (home / "last.py").write_text("def decide(decision):\n    return decision.options[-1]\n")
    write("other", BotTemplate.PYTHON, home)
    shutil.copy(ROOT / "examples/stdio_bot.py", home / "talker.py")
    program = f"cmd:{sys.executable} talker.py"
    return ["./mine.py", "./last.py", "./other", program, "greedy", "random"]


def databases(server: str) -> tuple[str, str]:
    """Two new databases of the server."""
    url = f"postgresql+psycopg://arena@/{{}}?host={server}"
    engine = sa.create_engine(url.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for name in ("here", "there"):
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return url.format("here"), url.format("there")


def run(home: Path, *words: str) -> str:
    """What the command prints; it is to end well."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "arena", *words],
        cwd=home,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    say(f"exit code {done.returncode} in {time.monotonic() - began:.0f} s: arena {' '.join(words)}")
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def matches(home: Path, db: str) -> list[dict[str, Any]]:
    """What is stored, without what a clock told."""
    lines = run(home, "tournament", "export", "cup", "--db", db).splitlines()
    found = [json.loads(line) for line in lines]
    return [{key: match[key] for key in match if key not in UNLIKE} for match in found]


def compare(folder: Path, rounds: int) -> None:
    """Play the same tournament there and here, and compare all that was stored."""
    home = folder / "home"
    words = ["tournament", "run", *make_bots(home), "--players", "2-3", "--rounds", str(rounds)]
    words += ["--seed", "5", "--name", "cup", "--json"]
    address = f"tcp://{HERE}:{PORT}"
    with ExitStack() as stack:
        here, there = databases(stack.enter_context(running()))
        stack.enter_context(network())
        scheduler = [sys.executable, "-P", "-m", "arena", "cluster", "scheduler"]
        log = folder / "scheduler.log"
        hub = stack.enter_context(
            process([*scheduler, "--host", HERE, "--port", str(PORT)], folder, log)
        )
        wait_until(lambda: "scheduler at" in log.read_text(), hub)
        for name in MACHINES:
            stack.enter_context(machine(name, folder, home))
        wait_until(lambda: _cores(home, address) == len(MACHINES), hub)
        table = run(home, *words, "--db", there, "--cluster", address)
        say(run(home, "cluster", "status", address))
        same_table = table == run(home, *words, "--db", here, "--jobs", "2")
        played, own = matches(home, there), matches(home, here)
        run(home, "tournament", "verify", "--db", there)
    decisions = sum(len(match["decisions"]) for match in played)
    say(
        f"{len(played):,} matches, {decisions:,} decisions; same matches and decisions: "
        f"{played == own}; same table of ratings: {same_table}"
    )
    if played != own or not same_table or not played:
        raise SystemExit("not the same")


def _cores(home: Path, address: str) -> int:
    said = subprocess.run(
        [sys.executable, "-P", "-m", "arena", "cluster", "status", address, "--json"],
        cwd=home,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return sum(row["cores"] or 0 for row in json.loads(said))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    given = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("ip") is None:
        raise SystemExit("expected to be root, and to have ip: network namespaces are made")
    given.folder.mkdir(parents=True)
    compare(given.folder.resolve(), given.rounds)


if __name__ == "__main__":
    main()
