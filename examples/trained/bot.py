"""A bot that was trained: it weighs what every option leads to, by weights it learned.

`train.py` beside it made `weights.txt`, and can make it again.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.adapters.encoding import Encoding
from bots.api import Action, Bot, Decision, Option, Rng, Seating, State, find, imagine_world

WEIGHTS = Path(__file__).parent / "weights.txt"
WORLDS = 3


@cache
def encoding(players: int) -> Encoding:
    """What a view of such a table looks like in numbers."""
    return Encoding(find("architects"), players)


def features(view: State) -> NDArray[np.float32]:
    """As many numbers at every table: its own, one's city, both neighbours', the others' mean."""
    code = encoding(int(view.players))
    table, seats = code.parts(code.observe(view))
    common = table[: -code.players]  # without the number of one's seat
    return np.concatenate(
        [[1.0], common, seats[0], seats[1], seats[-1], seats[1:].mean(0)], dtype=np.float32
    )


def prospects(view: State, actions: list[Action], rng: Rng) -> NDArray[np.float32]:
    """The features of what each action leads to, all in the same imagined world."""
    seat = int(view.viewer)
    world = imagine_world(view, rng)
    rows = []
    for action in actions:
        future = world.clone()
        future.apply(seat, action)
        rows.append(features(future.view(seat)))
    return np.array(rows)


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
