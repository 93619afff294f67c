"""Bots of every language beside a thousand threads of the same user.

    python tests/machines/crowd.py FOLDER [--threads 1000] [--rounds 100] [--jobs 4]

For a plain user without bubblewrap. Each template of `arena bot new` whose tools are installed, and
a Python bot with threads, plays a tournament in the sandbox beside them, one alone, and one without
the sandbox, where a program is not started anew for every match. A fault is an error, and so is
less than half of the speed alone.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

TOOLS: Final = {
    "python": "python3",
    "python-stdio": "python3",
    "javascript": "node",
    "java": "javac",
    "go": "go",
    "rust": "rustc",
    "c": "cc",
    "cpp": "c++",
    "lua": "lua5.4",
}  # C# needs Mono, which plays without the sandbox only
THREADS: Final = """
import threading, time
threading.stack_size(1 << 16)
for _ in range({count}):
    threading.Thread(target=time.sleep, args=(36000,), daemon=True).start()
"""
BOT: Final = """
def decide(decision):
    threads = [threading.Thread(target=sorted, args=(range(99),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return decision.options[0]
"""
MANIFEST: Final = 'name = "threads"\nversion = "1"\nentry = "bot:decide"\nthreads = true\n'
ARENA: Final = (sys.executable, "-m", "arena")


@contextmanager
def crowd(count: int) -> Iterator[None]:
    """So many threads of this user while the context lasts."""
    code = THREADS.format(count=count) + "print(flush=True)\ntime.sleep(36000)\n"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        yield
        process.kill()


def bots(folder: Path) -> Iterator[Path]:
    """A built bot of each language whose tools are here."""
    made = folder / "threads"
    made.mkdir()
    (made / "bot.toml").write_text(MANIFEST, "utf-8")
    (made / "bot.py").write_text(THREADS.format(count=16) + BOT, "utf-8")
    yield made
    for language, tool in TOOLS.items():
        if shutil.which(tool) is None:
            say(f"{language}: left out, needs {tool}")
            continue
        words = ["bot", "new", language, "--lang", language, "--in", str(folder)]
        subprocess.run([*ARENA, *words], check=True, stdout=subprocess.DEVNULL)
        made = folder / language
        if (made / "build.sh").exists():
            subprocess.run([made / "build.sh"], check=True, stdout=subprocess.DEVNULL)
        yield made


def play(bot: Path, *options: str) -> tuple[float, list[Any], str]:
    """Seconds of a tournament against greedy, the leaderboard, and the lines on stderr."""
    words = ["tournament", "run", str(bot), "greedy", "--game", "architects", "--players", "2"]
    begun = time.monotonic()
    done = subprocess.run(
        [*ARENA, *words, "--seed", "1", "--json", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    return time.monotonic() - begun, json.loads(done.stdout), done.stderr


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=4)
    given = parser.parse_args()
    if os.geteuid() == 0 or shutil.which("bwrap"):
        sys.exit("expected a plain user without bubblewrap")
    given.folder.mkdir(parents=True)
    folder = given.folder.resolve()
    bad = 0
    for bot in bots(folder):
        common = ["--rounds", str(given.rounds), "--jobs", str(given.jobs)]
        trusted, _, _ = play(bot, *common, "--db", f"{bot}-trusted.db", "--trust-bots")
        alone, _, _ = play(bot, *common, "--db", f"{bot}-alone.db")
        with crowd(given.threads):
            took, board, told = play(bot, *common, "--db", f"{bot}.db")
        faults = sum(row["faults"] for row in board)
        games = board[0]["games"]
        again = told.count("again")
        say(
            f"{bot.name}: {games} matches, {faults} faults, {again} played again, "
            f"{took:.1f} s; alone {alone:.1f} s; without the sandbox {trusted:.1f} s"
        )
        bad += faults > 0 or took > 2 * alone
    sys.exit(bad)


if __name__ == "__main__":
    main()
