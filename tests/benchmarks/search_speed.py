"""What the search bot does with 50 ms a decision: its wins, and simulations a second.

Alone against planners, every seat in turn on the same deal; the bots think by the clock, so that
figures depend on the machine, and run one at a time.
"""

import argparse
import math
from statistics import mean, stdev
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from arena.playing.referee import play
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.pool import open_chairs
from bots.house.ismcts import Ismcts
from engine.catalog import find
from tests.benchmarks.figures import keep

DEALS = 50


class Row(NamedTuple):
    game: str
    players: int
    aim: float  # of all wins


ROWS = (Row("architects", 2, 0.60), Row("seven", 4, 0.45))


def block(row: Row, seed: int) -> tuple[float, int, float]:
    """One deal with the search bot at every seat: its wins, simulations and seconds."""
    game = find(row.game)
    setup = game.setup(row.players, seed)
    wins, simulated, searched = 0.0, 0, 0.0
    for seat in range(row.players):
        bots = ["planner"] * row.players
        bots[seat] = "ismcts:ms=50"
        with open_chairs(bots, True, Limits()) as chairs:
            result = play(game.spec(setup, seed, tuple(bots)), chairs, Limits())
            chair = chairs[seat]
        assert not result.faults
        if result.ranks[seat] == 0:
            wins += 1 / result.ranks.count(0)
        assert isinstance(chair, InProcessChair)
        assert isinstance(chair.bot, Ismcts)
        simulated += chair.bot.simulated
        searched += chair.bot.searched
    return wins / row.players, simulated, searched


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS)
    deals = parser.parse_args().deals
    console = Console(highlight=False)
    messages = Console(stderr=True)
    for row in ROWS:
        blocks = [
            block(row, seed)
            for seed in track(
                range(1, deals + 1), row.game, console=messages, disable=not messages.is_terminal
            )
        ]
        shares = [wins for wins, _, _ in blocks]
        error = 1.96 * stdev(shares) / math.sqrt(len(shares))
        speed = sum(count for _, count, _ in blocks) / sum(seconds for _, _, seconds in blocks)
        verdict = "met" if mean(shares) >= row.aim else "not met"
        console.print(
            f"{row.game}, {row.players} players, {deals * row.players} games: ismcts:ms=50 wins "
            f"{100 * mean(shares):.1f} ± {100 * error:.1f} % against planners "
            f"(aim {100 * row.aim:.0f} %: {verdict}), {speed:,.0f} simulations a second"
        )
        table = f"{row.game}, {row.players} players"
        won = f"wins of ismcts:ms=50 against planners, {table}, {deals * row.players} games"
        keep(won, 100 * mean(shares), f"± {100 * error:.1f} %", f">= {100 * row.aim:.0f}")
        keep(f"simulations, {table}", speed, "a second")


if __name__ == "__main__":
    main()
