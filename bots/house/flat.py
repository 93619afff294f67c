"""The fourth rung: play every option out at random, in many imagined worlds."""

import time

from bots.api import Bot, Decision, Option, Rng, Seating, sample_rewards
from bots.decision import actions_of
from bots.house.lookahead import best, check_range


class Flat(Bot):
    """Monte Carlo without a tree: `ms` per decision, or a fixed number of `worlds`."""

    def __init__(self, ms: int = 20, worlds: int = 0) -> None:
        check_range("ms", ms, 1, 3_600_000)
        check_range("worlds", worlds, 0, 10**9)
        self.seconds = ms / 1000
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        stop = time.perf_counter() + min(self.seconds, decision.seconds_left / 2)
        actions = actions_of(decision)
        totals = [0.0 for _ in actions]
        tried = 0
        while tried < self.worlds if self.worlds else not tried or time.perf_counter() < stop:
            more = sample_rewards(decision.view, decision.seat, actions, 1, self.rng)
            totals = [total + reward for total, reward in zip(totals, more, strict=True)]
            tried += 1
        return decision.options[best(totals, self.rng)]
