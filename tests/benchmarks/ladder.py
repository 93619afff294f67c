"""Is every rung of the house ladder above the one below? `make ladder` plays it out and says.

Two of each bot sit at a table of four, in all six seatings of the same deal; deals are the units of
the statistics. Budgets are counted in simulations, not seconds, so that the table is the same on
every machine.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, permutations
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress

from arena.playing.referee import play
from bots.chairs.limits import Limits
from bots.chairs.pool import open_chairs
from engine.catalog import GAMES, find

RUNGS = (
    *("random", "greedy", "planner", "flat:worlds=30"),
    *("ismcts:sims=600", "sage", "oracle:worlds=16"),
)
SEATINGS = sorted(set(permutations("AABB")))
PAGE = Path(__file__).parents[2] / "docs" / "ladder.md"


class Step(NamedTuple):
    game: str
    upper: str
    lower: str


def block(step: Step, seed: int) -> float:
    """One deal in all seatings: the upper bot's share of wins."""
    game = find(step.game)
    setup = game.setup(4, seed)
    share = 0.0
    for seating in SEATINGS:
        bots = tuple(step.upper if who == "A" else step.lower for who in seating)
        with open_chairs(bots, True, Limits()) as chairs:
            result = play(game.spec(setup, seed, bots), chairs, Limits())
        if result.faults:
            raise RuntimeError(f"expected no faults, got {result.faults}")
        winners = [who for who, rank in zip(seating, result.ranks, strict=True) if rank == 0]
        share += winners.count("A") / len(winners)
    return share / len(SEATINGS)


def likelihood(shares: list[float]) -> float:
    """How likely the upper bot wins more than half, by the spread of the deals."""
    spread = stdev(shares) / math.sqrt(len(shares))
    if spread == 0:
        return float(mean(shares) > 0.5)
    return 0.5 * (1 + math.erf((mean(shares) - 0.5) / spread / math.sqrt(2)))


def climb(games: list[str], deals: int, workers: int) -> Iterator[str]:
    """The rows of the table, as they are found."""
    console = Console(stderr=True)
    pairs = [(upper, lower) for lower, upper in pairwise(RUNGS)]
    steps = [Step(game, *pair) for game in games for pair in pairs]
    with ProcessPoolExecutor(workers) as pool, Progress(console=console) as progress:
        task = progress.add_task("climbing", total=len(steps) * deals)
        for step in steps:
            shares = []
            for share in pool.map(block, [step] * deals, range(1, deals + 1)):
                shares.append(share)
                progress.advance(task)
            error = stdev(shares) / math.sqrt(deals)
            sure = likelihood(shares)
            yield (
                f"| {step.game} | {step.upper} | {step.lower} | {deals * len(SEATINGS)} "
                f"| {100 * mean(shares):.1f} ± {196 * error:.1f} % | {100 * sure:.2f} % |"
            )


def main() -> None:
    """Play the ladder and print its table; --write keeps it in the docs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=[game.id for game in GAMES], help="only this game")
    parser.add_argument("--deals", type=int, default=67, help="deals a step, six games each")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    options = parser.parse_args()
    games = [options.game] if options.game else [game.id for game in GAMES]
    lines = [
        "| game | upper | lower | games | upper's wins (95 %) | likelihood of superiority |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for line in climb(games, options.deals, options.workers):
        lines.append(line)
        print(line, file=sys.stderr)  # noqa: T201
    text = "\n".join(lines)
    print(text)  # noqa: T201
    if options.write:
        PAGE.parent.mkdir(exist_ok=True)
        words = __doc__.partition("\n\n")[2].strip()
        PAGE.write_text(
            f"# The house ladder\n\n{words}\n\nMade by `make ladder DEALS={options.deals}`, seeds "
            f"1 to {options.deals}. [sage.md](sage.md) has matches at other tables.\n\n{text}\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
