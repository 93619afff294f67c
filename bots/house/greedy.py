"""The second rung: take what gives the most points right now."""

from bots.api import Bot, Decision, Option, Rng, Seating
from bots.house.lookahead import best, check_range, outcomes


class Greedy(Bot):
    """Looks one decision ahead, at points alone."""

    def __init__(self, worlds: int = 3) -> None:
        check_range("worlds", worlds, 1, 1000)
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        seat = decision.seat
        after = outcomes(decision, self.rng, self.worlds)
        points = [float(sum(state.scores()[seat] for state in states)) for states in after]
        return decision.options[best(points, self.rng)]
