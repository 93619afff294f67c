"""What the sandbox costs: a round trip in it and without, in one run on one core.

Both sides take turns, so that a busy machine slows both alike.
"""

import statistics
import time
from contextlib import closing
from dataclasses import replace

from arena.playing.referee import build_decision
from bots.api import Decision, Seating
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.chairs.subprocess import PipeTransport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.sandbox.affinity import pin
from bots.sandbox.probe import Level, probe
from engine import COMPILED
from engine.catalog import find
from tests.benchmarks.figures import keep

ROUNDS = 60
QUESTIONS = 100
MATCHES = 60
MOST = 1.15  # times the round trip without a sandbox


def trips(chair: RemoteChair, question: Decision) -> float:
    """Seconds for a question and its answer."""
    began = time.perf_counter()
    for _ in range(QUESTIONS):
        chair.ask(question)
        chair.answer()
    return (time.perf_counter() - began) / QUESTIONS


def say(text: str) -> None:
    print(text)  # noqa: T201


def main() -> None:
    """Print medians, and whether the sandbox costs no more than it should."""
    if probe().level is Level.UNSAFE:
        say(f"no sandbox here: {probe().line()}")
        return
    core = pin()
    say(f"sandbox: {probe().line()}")
    say(f"engine {'compiled' if COMPILED else 'interpreted'}, all on core {core}")
    for name in ("architects", "seven"):
        measure(name)


def measure(name: str) -> None:
    """One game's first question, again and again."""
    game = find(name)
    setup = game.setup(game.players[0], 1)
    state = game.deal(setup, 1)
    seat = state.pending()[0]
    question = build_decision(game, state, seat, Limits().move)
    seating = Seating(game, setup, seat, 1)
    spec = parse_spec("random")
    manifest = find_bot(spec)
    frozen = replace(Limits(), freeze=True)
    began = time.perf_counter()
    with (
        closing(
            RemoteChair(SandboxTransport(spec, manifest, probe().layers, Limits().freeze), Limits())
        ) as walled,
        closing(
            RemoteChair(SandboxTransport(spec, manifest, probe().layers, frozen.freeze), frozen)
        ) as stopped,
        closing(RemoteChair(PipeTransport(spec, manifest), Limits())) as free,
    ):
        walled.start(seating)
        first = time.perf_counter() - began
        sides = (free, walled, stopped)
        for chair in sides:
            chair.start(seating)
            trips(chair, question)
        rounds = [[trips(chair, question) for chair in sides] for _ in range(ROUNDS)]
        without, behind, still = (min(side) for side in zip(*rounds, strict=True))
        ratio = statistics.median(inside / outside for outside, inside, _ in rounds)
        workers = []
        for _ in range(MATCHES):
            began = time.perf_counter()
            walled.start(seating)
            workers.append(time.perf_counter() - began)
    say(f"{name}: container to its first bot {1000 * first:.0f} ms")
    say(
        f"{name}: worker for a match, with its bot, median {1000 * statistics.median(workers):.1f} "
        f"ms, best {1000 * min(workers):.1f}"
    )
    say(
        f"{name}: round trip, best round: {1e6 * without:.0f} microseconds without a sandbox, "
        f"{1e6 * behind:.0f} in it, {1e6 * still:.0f} frozen in between"
    )
    verdict = "as it should be" if ratio <= MOST else "TOO MUCH"
    keep(f"round trip in the sandbox / without, {name}", ratio, "times", f"<= {MOST}")
    keep(f"round trip in the sandbox, best round, {name}", 1e6 * behind, "µs")
    keep(f"container to its first bot, {name}", 1000 * first, "ms")
    keep(f"worker for a match, median, {name}", 1000 * statistics.median(workers), "ms")
    say(f"{name}: sandbox costs {ratio:.3f} times (median of rounds), at most {MOST}: {verdict}")


if __name__ == "__main__":
    main()
