"""The second rung: take what gives the most points right now."""

from bots.api import Bot, Decision, Option, Rng, Seating
from bots.house.evaluation import count_points
from bots.house.lookahead import best, check_range, weigh


class Greedy(Bot):
    """Looks one decision ahead, at points alone."""

    def __init__(self, worlds: int = 3) -> None:
        check_range("worlds", worlds, 1, 1000)
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        values = weigh(decision, self.rng, self.worlds, count_points)
        return decision.options[best(values, self.rng)]
