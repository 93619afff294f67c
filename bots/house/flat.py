"""The fourth rung: play every option out at random, in many imagined worlds."""

import time

from bots.api import Bot, Decision, Option, Rng, Seating, imagine_world, play_round
from bots.house.lookahead import best, check_range, reward


class Flat(Bot):
    """Monte Carlo without a tree: `ms` a decision, or a fixed number of `worlds`."""

    def __init__(self, ms: int = 20, worlds: int = 0) -> None:
        check_range("ms", ms, 1, 3_600_000)
        check_range("worlds", worlds, 0, 10**9)
        self.seconds = ms / 1000
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        stop = time.perf_counter() + min(self.seconds, decision.seconds_left / 2)
        totals = [0.0] * len(decision.options)
        tried = 0
        while tried < self.worlds if self.worlds else not tried or time.perf_counter() < stop:
            world = imagine_world(decision.view, self.rng)
            for place, option in enumerate(decision.options):
                state = world.clone()
                play_round(state, decision.seat, option.action, self.rng)
                state.playout(self.rng)
                totals[place] += reward(state, decision.seat)
            tried += 1
        return decision.options[best(totals, self.rng)]
