"""The third rung: weigh what a position promises, one's own and the neighbours'."""

from dataclasses import dataclass

from bots.api import Bot, Decision, Option, Rng, Seat, Seating, State
from bots.house.evaluation import Evaluation, evaluate
from bots.house.lookahead import best, check_range, weigh


@dataclass(frozen=True)
class Weights:
    """What a bot makes of each part of an evaluation."""

    wonder: float = 1.0
    science: float = 1.0
    military: float = 1.0
    economy: float = 1.0
    rivals: float = 0.3  # of what the others have, for each

    def worth(self, value: Evaluation) -> float:
        """The parts in points, weighed."""
        return (
            value.points
            + self.wonder * value.wonder
            + self.science * value.science
            + self.military * value.military
            + self.economy * value.economy
        )


class Planner(Bot):
    """Looks one decision ahead, at everything an evaluation counts."""

    weights = Weights()

    def __init__(self, worlds: int = 3) -> None:
        check_range("worlds", worlds, 1, 1000)
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        values = weigh(decision, self.rng, self.worlds, self.value)
        return decision.options[best(values, self.rng)]

    def value(self, state: State, seat: Seat) -> float:
        """What a position is worth: one's own evaluation against the neighbours'."""
        players = int(state.players)
        own = self.weights.worth(evaluate(state, seat))
        near = {(seat + 1) % players, (seat - 1) % players}
        others = sum(self.weights.worth(evaluate(state, other)) for other in near)
        return own - self.weights.rivals * others


class Military(Planner):
    """A planner that prefers shields."""

    weights = Weights(military=3.0, science=0.5)


class Science(Planner):
    """A planner that prefers science."""

    weights = Weights(science=3.0, military=0.5)


class Builder(Planner):
    """A planner that prefers its wonder."""

    weights = Weights(wonder=3.0, economy=2.0, military=0.5)
