"""What a seat at a match costs in the sandbox: CPU of the arena, the zygote and the worker.

A life is spawn, lock-down, confirmation, load and end, without a decision. The floor is fork and
exit of the zygote's own idle image: no way to a fresh process for every match goes below it.
"""

import os
import statistics
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bots.api import Seating
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.sandbox import visible_paths
from bots.sandbox.affinity import pin
from bots.sandbox.container import PRELOADED
from bots.sandbox.probe import Level, probe
from engine import COMPILED
from engine.catalog import GAMES
from tests.benchmarks.figures import keep

LIVES = 200  # the kernel tells of the dead in hundredths of a second
ROUNDS = 5
MOST = 2.5  # times fork and exit of the same image
MOST_MS = 2.0  # of a bot that is one file
MOST_NUMPY = 1.5  # times the same bot without numpy
PLAIN = """
import math
import random


class First:
    def decide(self, decision):
        return decision.options[0]
"""
NUMPY = PLAIN.replace("import random\n", "import random\n\nimport numpy\n")
FLOOR = """
import gc, os, resource, sys
from bots.sandbox import zygote
zygote.preload({"threads": False, "preload": sys.argv[2:], "imports": [], "params": {}})
gc.collect()
gc.freeze()
rounds = int(sys.argv[1])

def spent():
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)

before = spent()
for _ in range(rounds):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
print(spent() - before)
"""


def say(text: str) -> None:
    print(text)  # noqa: T201


def children(pid: int) -> list[int]:
    """The processes a process has started."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def buried(pid: int) -> float:
    """Seconds of the children a process has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


class Walled:
    """A bot in the sandbox that never gets a question."""

    def __init__(self, bot: str, fresh: bool = True) -> None:
        spec = parse_spec(bot)
        before = time.process_time()
        self.transport = SandboxTransport(spec, find_bot(spec), probe().layers)
        if fresh:
            self.transport.reuses = False  # the worker of a built-in bot
        self.chair = RemoteChair(self.transport, Limits())
        game = GAMES[0]
        setup = game.setup(2, 1)
        self.seating = Seating(game, setup, game.deal(setup, 1).pending()[0], 1)
        self.chair.start(self.seating)
        container = self.transport.container
        assert container is not None
        below = children(container.process.pid)
        self.zygote = below[0] if probe().layers.container else container.process.pid
        self.first = time.process_time() - before + time.clock_gettime((~self.zygote << 3) | 2)
        self.lives(5)

    def lives(self, number: int) -> tuple[float, float, float]:
        """Microseconds of arena, zygote and worker, each for a life."""
        clock = (~self.zygote << 3) | 2
        self.transport.end_match()
        before = time.process_time(), time.clock_gettime(clock), buried(self.zygote)
        for _ in range(number):
            self.chair.start(self.seating)
            self.transport.end_match()
        after = time.process_time(), time.clock_gettime(clock), buried(self.zygote)
        arena, zygote, worker = (
            1e6 * (now - then) / number for then, now in zip(before, after, strict=True)
        )
        return arena, zygote, worker


def floor(modules: tuple[str, ...]) -> float:
    """Microseconds that fork and exit of an image with these modules take."""
    path = visible_paths.for_python(find_bot(parse_spec("random"))).python_path
    words = [visible_paths.interpreter(), "-P", "-s", "-S", "-B", "-c", FLOOR, "200", *modules]
    env = {"PYTHONPATH": os.pathsep.join(path), "OPENBLAS_NUM_THREADS": "1"}
    env["LD_LIBRARY_PATH"] = visible_paths.library_path()
    done = subprocess.run(words, env=env, check=True, capture_output=True, text=True)
    return 1e6 * float(done.stdout) / 200


def main() -> None:
    """Print medians of interleaved rounds, and whether a seat costs no more than it should."""
    if probe().level is Level.UNSAFE:
        say(f"no sandbox here: {probe().line()}")
        return
    pin()
    say(f"sandbox: {probe().line()}")
    say(f"engine {'compiled' if COMPILED else 'interpreted'}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        names = {"house": "random"}
        for name, text in (("file", PLAIN), ("numpy", NUMPY)):
            names[name] = str(Path(folder, f"{name}_bot.py"))
            Path(names[name]).write_text(text, encoding="utf-8")
        measure(names)


def measure(names: dict[str, str]) -> None:
    """Seats of these bots and their floors, in turns."""
    walled = {name: Walled(bot) for name, bot in names.items()}
    preload = dict.fromkeys(names, PRELOADED) | {"numpy": (*PRELOADED, "numpy.random")}
    lives: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    floors: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(ROUNDS):
        for name in names:
            lives[name].append(walled[name].lives(LIVES))
            floors[name].append(floor(preload[name]))
    whole = {}
    for name, found in lives.items():
        arena, zygote, worker = (statistics.median(part) for part in zip(*found, strict=True))
        whole[name] = statistics.median(sum(parts) for parts in found)
        least = statistics.median(floors[name])
        ratio = whole[name] / least
        say(
            f"{name}: {whole[name]:.0f} microseconds a seat: arena {arena:.0f}, zygote "
            f"{zygote:.0f}, worker {worker:.0f}; fork and exit {least:.0f}, {ratio:.2f} times; "
            f"container to its first bot {1000 * walled[name].first:.0f} ms"
        )
        keep(f"seat / fork and exit of its image, {name}", ratio, "times", f"<= {MOST}")
        keep(f"container to its first bot, {name}", 1000 * walled[name].first, "ms")
    keep("seat of a bot that is one file", whole["file"] / 1000, "ms", f"<= {MOST_MS}")
    keep("seat with numpy / without", whole["numpy"] / whole["file"], "times", f"<= {MOST_NUMPY}")
    say(f"numpy / file: {whole['numpy'] / whole['file']:.2f} times")
    for each in walled.values():
        with closing(each.chair):
            pass


if __name__ == "__main__":
    main()
