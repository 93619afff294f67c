"""The first rung: every option is as good as any other."""

from bots.api import Decision
from engine.contract import Action
from engine.rng import Rng


class Random:
    """Chooses uniformly."""

    def __init__(self, stream: int) -> None:
        self.rng = Rng(stream)

    def decide(self, decision: Decision) -> Action:
        return decision.actions[self.rng.below(len(decision.actions))]
