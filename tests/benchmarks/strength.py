"""How strong is one bot against another, at every kind of table? Deals are the units.

    python tests/benchmarks/strength.py sage planner --deals 100
    python tests/benchmarks/strength.py sage ismcts:sims=600 --cells seven:4 --deals 30

Every deal is played in a balanced seating by lot and in its complement. The interval is 95 %, from
the spread of the deals; `low` is its lower end. Beside it stands the CPU time of a decision. Bots
are asked in this process, without a sandbox. The seeds are no training's.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from statistics import mean
from typing import NamedTuple

from bots.api import Bot, Rng, Seating, derive
from bots.decision import ask_position, find_action
from bots.discovery.finder import find_bot
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.spec import parse_spec
from bots.house.training.matches import Share, share_of
from engine.catalog import find
from engine.contract import State
from engine.match import Setup, Variant

MEDALS = Variant("architects", None, ("medals",))
EXPERT = Variant("architects", None, ("medals",), True)
CELLS = {
    **{f"architects:{players}": (players, Variant("architects")) for players in range(2, 8)},
    "architects:4:medals": (4, MEDALS),
    "architects:4:expert": (4, EXPERT),
    **{f"seven:{players}": (players, Variant("seven", "2nd")) for players in range(3, 8)},
    **{f"seven:{players}:1st": (players, Variant("seven", "1st")) for players in range(3, 8)},
}


class Clocked:
    """A bot at a seat, and the CPU time of its decisions."""

    def __init__(self, spec: str, setup: Setup, seat: int, seed: int) -> None:
        parsed = parse_spec(spec)
        manifest = find_bot(parsed)
        self.bot: Bot = make_bot(manifest.name, find_maker(manifest), dict(parsed.params))
        self.game = find(setup.variant.game)
        self.seconds = 0.0
        self.asked = 0
        self.bot.start(Seating(self.game, setup, seat, seed))

    def choose(self, state: State, seat: int) -> int:
        decision = ask_position(self.game, state, seat, state.legal(seat), 3600.0)
        began = time.process_time()
        answer = self.bot.decide(decision)
        self.seconds += time.process_time() - began
        self.asked += 1
        action = find_action(decision, answer)
        assert action is not None
        return action


class Deal(NamedTuple):
    """What came of one deal: the share of wins, seconds and decisions of either bot."""

    share: float
    seconds: tuple[float, float]
    asked: tuple[int, int]


def play_deal(cell: str, first: str, second: str, seed: int) -> Deal:
    """Both seatings of one deal."""
    players, variant = CELLS[cell]
    game = find(variant.game)
    setup = game.setup(players, seed, (), variant)
    lots = Rng(derive(seed, "seats"))
    seats = list(range(players))
    while len(seats) > players // 2:
        seats.pop(lots.below(len(seats)))
    share, seconds, asked = 0.0, [0.0, 0.0], [0, 0]
    for own in (seats, [seat for seat in range(players) if seat not in seats]):
        bots = [
            Clocked(first if seat in own else second, setup, seat, derive(seed, f"dice {seat}"))
            for seat in range(players)
        ]
        state = game.deal(setup, seed)
        while pending := state.pending():
            answers = [bots[seat].choose(state, seat) for seat in pending]
            for seat, action in zip(pending, answers, strict=True):
                state.apply(seat, action)
        winners = [seat for seat, rank in enumerate(state.ranks()) if rank == 0]
        share += sum(seat in own for seat in winners) / len(winners) / 2
        for seat, bot in enumerate(bots):
            seconds[seat not in own] += bot.seconds
            asked[seat not in own] += bot.asked
    return Deal(share, (seconds[0], seconds[1]), (asked[0], asked[1]))


def rows(options: argparse.Namespace) -> Iterator[str]:
    """The lines of the table, as they are found."""
    first, second = options.first, options.second
    with ProcessPoolExecutor(options.workers) as pool:
        for cell in options.cells or CELLS:
            seeds = [derive(options.seed, f"strength {cell} {at}") for at in range(options.deals)]
            count = len(seeds)
            deals = list(
                pool.map(play_deal, [cell] * count, [first] * count, [second] * count, seeds)
            )
            share: Share = share_of([deal.share for deal in deals])
            spent = [
                1000
                * mean([deal.seconds[side] for deal in deals])
                / mean([deal.asked[side] for deal in deals])
                for side in (0, 1)
            ]
            yield (
                f"| {cell} | {first} | {second} | {2 * count} | {share} | {100 * share.low:.1f} "
                f"| {spent[0]:.2f} | {spent[1]:.2f} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--cells", nargs="+", choices=CELLS, metavar="GAME:PLAYERS[:VARIANT]")
    parser.add_argument("--deals", type=int, default=100, help="a cell, two games each")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    say = sys.stdout.write
    say("| table | A | B | games | A wins (95 %) | low | ms A | ms B |\n")
    say("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
    for row in rows(options):
        say(row + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
