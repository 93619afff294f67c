"""The second rung: take what gives the most points right now."""

from bots.api import Bot, Decision, Option, Seating
from bots.house.lookahead import best, outcomes, whole_number
from engine.rng import Rng


class Greedy(Bot):
    """Looks one decision ahead, at points alone."""

    def __init__(self, worlds: str = "3") -> None:
        self.worlds = whole_number("worlds", worlds, 1, 1000)

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        seat = decision.seat
        after = outcomes(decision, self.rng, self.worlds)
        points = [float(sum(state.scores()[seat] for state in states)) for states in after]
        return decision.options[best(points, self.rng)]
