"""Runs the benchmarks and writes their figures into docs/benchmarks.md.

A benchmark that fails or takes too long is
told so in its place, and the others go on. Run it on a machine that does nothing else.
"""

import argparse
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.figures import WHERE, Figure, read

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "benchmarks.md"
LONGEST = 300  # seconds for one of them
LONGEST_BUILDS = 3600
MACHINE = "machine"


class Bench(NamedTuple):
    """A benchmark: its place on the page, how it is run for it, and how to see that it runs."""

    name: str
    words: tuple[str, ...]
    quick: tuple[str, ...]

    @property
    def command(self) -> str:
        return f"python tests/benchmarks/{' '.join(self.words)}"


BENCHES = (
    Bench("engine", ("engine_speed.py", "--rounds", "3"), ("engine_speed.py", "--rounds", "1")),
    Bench("match", ("match_speed.py",), ("match_speed.py", "--matches", "10", "--rounds", "1")),
    Bench("parts", ("match_parts.py",), ("match_parts.py", "--matches", "5", "--rounds", "1")),
    Bench("seat", ("seat_cost.py",), ("seat_cost.py",)),
    Bench("sandbox", ("sandbox_speed.py",), ("sandbox_speed.py",)),
    Bench("start", ("start_speed.py",), ("start_speed.py", "--times", "1")),
    Bench("tournament", ("tournament_speed.py",), ("tournament_speed.py", "--share", "0.05")),
    Bench("schedule", ("schedule_speed.py",), ("schedule_speed.py",)),
    Bench("storage", ("storage_speed.py", "200000"), ("storage_speed.py", "5000")),
    Bench(
        "rating",
        ("rating_speed.py", "--matches", "1000000"),
        ("rating_speed.py", "--matches", "20000"),
    ),
    Bench(
        "leaderboard",
        ("leaderboard_speed.py", "--matches", "200000"),
        ("leaderboard_speed.py", "--matches", "5000"),
    ),
    Bench("replay", ("replay_speed.py",), ("replay_speed.py",)),
    Bench("search", ("search_speed.py", "--deals", "20"), ("search_speed.py", "--deals", "2")),
)


def against(python: str, times: int) -> Bench:
    """This build with another one, which only those have who built it."""
    words = ("builds.py", python, "--times")
    return Bench("builds", (*words, str(times)), (*words, "1"))


def run(words: tuple[str, ...], file: Path) -> str:
    """Run a benchmark that adds its figures to the file; what went wrong, if anything."""
    command = [sys.executable, str(HERE / words[0]), *words[1:]]
    longest = LONGEST_BUILDS if words[0] == "builds.py" else LONGEST
    with subprocess.Popen(
        command,
        env={**os.environ, WHERE: str(file)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, problems = process.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # all it started, or the next is disturbed
            return f"not finished after {longest} s"
    say(out.rstrip())
    if process.returncode:
        return (problems.strip().splitlines() or ["no reason told"])[-1][:200]
    return ""


def lines(figures: list[Figure], problem: str) -> list[str]:
    """A table of figures, and what went wrong."""
    rows = ["| what | measured | aim | |", "| --- | --- | --- | --- |"]
    for figure in figures:
        word = {None: "", True: "met", False: "not met"}[figure.met]
        rows.append(f"| {figure.what} | {shown(figure)} | {figure.aim} | {word} |")
    if not figures:
        rows.append("| nothing measured | | | |")
    if problem:
        rows.append(f"| ended early: {problem.replace('|', '/')} | | | |")
    return rows


def shown(figure: Figure) -> str:
    """Three digits that count, whole from a hundred on."""
    if figure.value is None:
        return "not measured"
    size = abs(figure.value)
    number = f"{figure.value:,.0f}" if size >= 100 or size == 0 else f"{figure.value:.3g}"
    return f"{number} {figure.unit}".rstrip()


def machine() -> list[str]:
    """What it was measured on."""
    cpu = platform.processor() or platform.machine()
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        cpu = re.findall(r"^model name\s*:\s*(.+)$", info, re.MULTILINE)[0]
    except (OSError, IndexError):
        pass  # not Linux, or a processor that does not say
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    when = f"{datetime.now(UTC):%Y-%m-%d}; load when it began: {os.getloadavg()[0]:.1f}"
    return [f"{cpu}, {cores} cores, {system}, {when}."]


def mark(name: str) -> str:
    return f"<!-- made by tests/benchmarks/page.py: {name} -->"


def put(text: str, name: str, block: list[str]) -> str:
    """The page with a block behind its mark, up to the next empty line."""
    place = re.compile(re.escape(mark(name)) + r"\n\n(?:.+\n)*")
    if not place.search(text):
        raise SystemExit(f"expected {mark(name)} in {PAGE.name}, got none")
    return place.sub(lambda _: "\n".join([mark(name), "", *block, ""]), text)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = [bench.name for bench in BENCHES]
    parser.add_argument("--only", action="append", choices=names, help="this one; several times")
    parser.add_argument("--quick", action="store_true", help="see that they run, and write nothing")
    parser.add_argument("--against", metavar="PYTHON", help="only compare with the build it has")
    parser.add_argument("--times", type=int, default=3, help="rounds of that comparison")
    options = parser.parse_args()
    began = time.monotonic()
    blocks = {MACHINE: machine()}
    other = options.against
    for bench in [against(other, options.times)] if other else BENCHES:
        if options.only and bench.name not in options.only:
            continue
        say(f"== {bench.name}: {' '.join(bench.quick if options.quick else bench.words)}")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "figures")
            problem = run(bench.quick if options.quick else bench.words, file)
            blocks[bench.name] = lines(read(file), problem)
        say("\n".join(blocks[bench.name]))
        if not options.quick:  # at once: what was measured is not lost with the next
            text = PAGE.read_text(encoding="utf-8")
            for name in (MACHINE, bench.name):
                text = put(text, name, blocks[name])
            PAGE.write_text(text, encoding="utf-8")
    say(f"{time.monotonic() - began:.0f} s in all")


if __name__ == "__main__":
    main()
