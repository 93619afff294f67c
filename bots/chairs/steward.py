"""The steward: plays on for a bot that failed."""

from __future__ import annotations

from bots.api import Decision
from bots.chairs.base import Chair
from bots.decision import actions_of
from engine.contract import Action
from engine.rng import Rng, derive


class Steward(Chair):
    """Plays on for a bot that failed, at random, so that the others finish a real game."""

    def __init__(self, seed: int, seat: int) -> None:
        super().__init__()
        self.rng = Rng(derive(seed, f"steward {seat}"))
        self.asked: Decision | None = None

    def ask(self, decision: Decision) -> None:
        self.asked = decision

    def answer(self) -> Action:
        assert self.asked is not None
        actions = actions_of(self.asked)
        return actions[self.rng.below(len(actions))]
