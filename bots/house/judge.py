"""What a position is worth, by the strongest bot of the house that can say so of any position.

This is the one place that names it.
"""

from typing import Final

from bots.api import Decision, Rng, Seat, State
from bots.house.evaluation import evaluate
from bots.house.lookahead import weigh
from bots.house.planner import Weights

JUDGE: Final = "planner"
UNIT: Final = "points"
_WEIGHTS: Final = Weights()


def judge_position(state: State, seat: Seat) -> float:
    """By how many points the seat leads the best of the others, all that is promised counted in."""
    worth = [_WEIGHTS.worth(evaluate(state, each)) for each in range(int(state.players))]
    return worth[seat] - max(value for each, value in enumerate(worth) if each != seat)


def judge_options(decision: Decision, worlds: int, rng: Rng) -> list[float]:
    """What each option leads to is worth, in the mean over worlds that the seat's view allows."""
    return [value / worlds for value in weigh(decision, rng, worlds, judge_position)]
