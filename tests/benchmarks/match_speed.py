"""What a match in process costs beside its rules: the referee and bots, and a bare loop of them.

By CPU time, both in turn, the best of rounds. The bare loop deals, lists what is legal, draws and
applies: the same games as those of the random bots.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.playing.referee import play
from bots.chairs.limits import Limits
from bots.chairs.pool import open_chairs
from engine import COMPILED
from engine.catalog import find
from engine.match import MatchSpec
from engine.rng import Rng, derive
from tests.benchmarks.figures import keep

MATCHES = 200
ROUNDS = 5
MOST = 6.0  # times the bare loop, for bots that choose at random


class Case(NamedTuple):
    """A table: all seats have the same bot."""

    game: str
    players: int
    bot: str

    @property
    def name(self) -> str:
        return f"{self.game}, {self.players} {Path(self.bot).stem}"


CASES = [
    Case(game, players, bot)
    for bot in ("random", "greedy")
    for game, counts in (("architects", (2, 4, 7)), ("seven", (3, 4, 7)))
    for players in counts
]


def specs_of(case: Case, count: int) -> list[MatchSpec]:
    game = find(case.game)
    return [
        game.spec(game.setup(case.players, seed), seed, (case.bot,) * case.players)
        for seed in range(1, count + 1)
    ]


def bare_match(spec: MatchSpec) -> list[int]:
    """The decisions of random bots, with nothing around the rules."""
    state = find(spec.game).deal(spec.setup, spec.seed)
    dice = [Rng(derive(spec.seed, f"bot {seat}")) for seat in range(spec.setup.players)]
    decisions = []
    while seats := state.pending():
        answers = []
        for seat in seats:
            legal = state.legal(seat)
            answers.append(legal[dice[seat].below(len(legal))])
        for seat, action in zip(seats, answers, strict=True):
            state.apply(seat, action)
        decisions += answers
    return decisions


def cpu(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began


def measure(case: Case, matches: int, rounds: int) -> tuple[float, float]:
    """Seconds of a match, and of its bare loop."""
    count = matches if case.bot == "random" else max(1, matches // 10)
    specs = specs_of(case, count)
    best = bare = float("inf")
    with open_chairs([case.bot] * case.players, True, Limits()) as chairs:
        played = play(specs[0], chairs, Limits())
        assert played.faults == ()
        if case.bot == "random":
            assert played.decisions == bare_match(specs[0])
        for _ in range(rounds):
            best = min(best, cpu(lambda: [play(spec, chairs, Limits()) for spec in specs]))
            bare = min(bare, cpu(lambda: [bare_match(spec) for spec in specs]))
    return best / count, bare / count


def say(text: str) -> None:
    print(text)  # noqa: T201


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=MATCHES, help="a tenth of them for greedy")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    say(f"engine {'compiled' if COMPILED else 'interpreted'}; microseconds of CPU time")
    say(f"{'':24}{'match':>10}{'bare':>10}{'times':>8}")
    for case in CASES:
        match, bare = measure(case, options.matches, options.rounds)
        ratio = match / bare
        keep(f"a match in process, {case.name}", 1e6 * match, "µs")
        line = f"{case.name:24}{1e6 * match:>10,.0f}"
        if case.bot != "random":
            say(line)
            continue
        verdict = "as it should be" if ratio <= MOST else "TOO MUCH"
        keep(f"a match in process / its bare loop, {case.name}", ratio, "times", f"<= {MOST:g}")
        say(f"{line}{1e6 * bare:>10,.0f}{ratio:>8.1f}  at most {MOST:g}: {verdict}")


if __name__ == "__main__":
    main()
