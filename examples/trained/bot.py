"""A trained bot: it evaluates the result of every option with learned weights.

`train.py` in this folder wrote `weights.txt`, and can reproduce it.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bots.api import Action, Bot, Decision, Option, Rng, Seating, State, find, imagine_world

WEIGHTS = Path(__file__).parent / "weights.txt"
WORLDS = 3
COUNT = find("architects").feature_count


def prospects(view: State, actions: list[Action], rng: Rng) -> NDArray[np.float32]:
    """The features of what each action leads to, all in the same imagined world; then a 1."""
    seat = int(view.viewer)
    world = imagine_world(view, rng)
    rows = np.zeros((len(actions), COUNT + 1), np.float32)
    rows[:, -1] = 1
    for row, action in zip(rows, actions, strict=True):
        places, numbers = world.after(seat, action).features(seat)
        row[places] = numbers
    return rows


def best(worth: NDArray[np.float64]) -> int:
    """The first of the greatest; what differs by the rounding of a processor is the same."""
    return int(worth.round(6).argmax())


class Trained(Bot):
    """Takes the option whose prospects weigh most, over a few imagined worlds."""

    def start(self, seating: Seating) -> None:
        self.weights = np.loadtxt(WEIGHTS)
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        actions = [option.action for option in decision.options]
        worth = np.zeros(len(actions))
        for _ in range(WORLDS):
            worth += prospects(decision.view, actions, self.rng) @ self.weights
        return decision.options[best(worth)]
