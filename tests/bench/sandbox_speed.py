"""What the walls cost: a round trip behind them and without, in one run on one core."""

import os
import statistics
import time
from collections.abc import Callable
from contextlib import closing

from arena.referee import ask
from bots.api import Seating
from bots.contained import Contained
from bots.players import Chair, Limits, find_bot
from bots.process import Process
from bots.sandbox.level import Level, probe
from bots.spec import parse_spec
from engine.catalog import find

ROUNDS = 40
QUESTIONS = 100


def main() -> None:
    """Print medians."""
    if probe().level is Level.UNSAFE:
        print(f"no sandbox here: {probe().line()}")  # noqa: T201
        return
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    game = find("architects")
    setup = game.setup(2, 1)
    state = game.deal(setup, 1)
    seat = state.pending()[0]
    question = ask(game, state, seat, Limits().move)
    spec = parse_spec("random")

    def trips(chair: Chair) -> float:
        began = time.perf_counter()
        for _ in range(QUESTIONS):
            chair.ask(question)
            chair.answer()
        return (time.perf_counter() - began) / QUESTIONS

    free = Process(spec, find_bot(spec), Limits())
    began = time.perf_counter()
    walled = Contained(spec, find_bot(spec), Limits(), probe().layers)
    with closing(free), closing(walled):
        walled.start(Seating(game, setup, seat, 1))
        first = time.perf_counter() - began
        free.start(Seating(game, setup, seat, 1))
        pairs = [(trips(free), trips(walled)) for _ in range(ROUNDS)]
        without, behind = (statistics.median(side) for side in zip(*pairs, strict=True))
        worker = median(lambda: walled.start(Seating(game, setup, seat, 1)))
    print(f"sandbox: {probe().line()}")  # noqa: T201
    print(f"container to its first bot: {1000 * first:.0f} ms")  # noqa: T201
    print(f"worker for a match, with its bot: {1000 * worker:.1f} ms")  # noqa: T201
    print(  # noqa: T201
        f"round trip: {1e6 * behind:.0f} microseconds behind the walls, "
        f"{1e6 * without:.0f} without, ratio {behind / without:.2f}"
    )


def median(act: Callable[[], None]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()
