"""Matches of a learned value in training: against an earlier one, and against `planner`."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import mean, stdev
from typing import NamedTuple

from bots.api import Bot, Rng, Seating, derive
from bots.decision import Option, ask_position
from bots.house.learned.policy import Value
from bots.house.training.tables import TABLES
from engine.catalog import find
from engine.contract import State
from engine.match import Setup

WORLDS = 5
Chooser = Callable[[State, int], int]  # a position and a seat that is asked: its action


class Share(NamedTuple):
    """Share of wins over deals, with its 95 % interval."""

    mean: float
    error: float
    deals: int

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.error

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} ± {100 * self.error:.1f} %"


def share_of(shares: list[float]) -> Share:
    """The mean of the deals; its interval comes from their spread."""
    error = 1.96 * stdev(shares) / math.sqrt(len(shares))
    return Share(mean(shares), error, len(shares))


def by_value(value: Value, rng: Rng) -> Chooser:
    """Choose one decision ahead, as `sage` does."""
    return lambda state, seat: value.choose(state, seat, WORLDS, rng)


def by_bot(make: Callable[[], Bot], setup: Setup, seat: int, seed: int) -> Chooser:
    """Choose as a bot does that is asked in process."""
    game = find(setup.variant.game)
    bot = make()
    bot.start(Seating(game, setup, seat, seed))

    def choose(state: State, asked: int) -> int:
        decision = ask_position(game, state, asked, state.legal(asked), 60.0)
        answer = bot.decide(decision)
        assert isinstance(answer, Option)
        return answer.action

    return choose


def play(state: State, choosers: list[Chooser]) -> list[int]:
    """Play to the end; the ranks."""
    while seats := state.pending():
        actions = [choosers[seat](state, seat) for seat in seats]
        for seat, action in zip(seats, actions, strict=True):
            state.apply(seat, action)
    return state.ranks()


def compare(
    game_id: str, value: Value, rival: Value | Callable[[], Bot], deals: int, seed: int, label: str
) -> Share:
    """Play every deal in a seating by lot and in its complement, at all tables in turn."""
    game = find(game_id)
    shares = []
    for number in range(deals):
        players, variant = TABLES[game_id][number % len(TABLES[game_id])]
        own = derive(seed, f"{label} {number}")
        setup = game.setup(players, own, (), variant)
        lots = Rng(derive(own, "seats"))
        seats = list(range(players))
        while len(seats) > players // 2:
            seats.pop(lots.below(len(seats)))
        share = 0.0
        for of_value in (seats, [seat for seat in range(players) if seat not in seats]):
            choosers = []
            for seat in range(players):
                dice = derive(own, f"dice {seat}")
                if seat in of_value:
                    choosers.append(by_value(value, Rng(dice)))
                elif isinstance(rival, Value):
                    choosers.append(by_value(rival, Rng(dice)))
                else:
                    choosers.append(by_bot(rival, setup, seat, dice))
            ranks = play(game.deal(setup, own), choosers)
            winners = [seat for seat, rank in enumerate(ranks) if rank == 0]
            share += sum(seat in of_value for seat in winners) / len(winners) / 2
        shares.append(share)
    return share_of(shares)
