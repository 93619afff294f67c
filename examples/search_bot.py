"""A small search: try every option in imagined worlds, play each to its end at random."""

from bots.api import Bot, Decision, Option, Seating
from engine.contract import Seat, State
from engine.rng import Rng


class SearchBot(Bot):
    """Looks one decision ahead; `search_bot.py:worlds=20` imagines more worlds than usual."""

    def __init__(self, worlds: str = "2") -> None:
        self.worlds = int(worlds)

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        values = [0] * len(decision.options)
        for _ in range(self.worlds):
            world = decision.view.clone()
            world.imagine(self.rng)  # deal what is hidden, as it may lie
            for place, option in enumerate(decision.options):
                future = world.clone()
                future.apply(decision.seat, option.action)
                future.playout(self.rng)  # whoever is asked too answers at random
                values[place] += self.lead(future, decision.seat)
        return decision.options[values.index(max(values))]

    def lead(self, end: State, seat: Seat) -> int:
        """Points ahead of the best of the others."""
        scores = end.scores()
        return scores.pop(seat) - max(scores)
