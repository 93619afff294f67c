"""The third rung: weigh what a position promises, one's own and the neighbours'."""

from dataclasses import dataclass

from bots.api import Bot, Decision, Option, Seating
from bots.house.lookahead import best, outcomes, whole_number
from engine.contract import Game, Outlook, Seat, State
from engine.rng import Rng


@dataclass(frozen=True)
class Weights:
    """What a bot makes of each part of an outlook."""

    wonder: float = 1.0
    science: float = 1.0
    military: float = 1.0
    economy: float = 1.0
    rivals: float = 0.3  # of what the others have, for each

    def worth(self, outlook: Outlook) -> float:
        """The parts in points, weighed."""
        return (
            outlook.points
            + self.wonder * outlook.wonder
            + self.science * outlook.science
            + self.military * outlook.military
            + self.economy * outlook.economy
        )


class Planner(Bot):
    """Looks one decision ahead, at everything an outlook tells."""

    weights = Weights()

    def __init__(self, worlds: str = "3") -> None:
        self.worlds = whole_number("worlds", worlds, 1, 1000)

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        game, seat = decision.game, decision.seat
        after = outcomes(decision, self.rng, self.worlds)
        values = [sum(self.value(game, state, seat) for state in states) for states in after]
        return decision.options[best(values, self.rng)]

    def value(self, game: Game, state: State, seat: Seat) -> float:
        """What a position is worth: one's own outlook against the neighbours'."""
        players = int(state.players)
        own = self.weights.worth(game.outlook(state, seat))
        near = {(seat + 1) % players, (seat - 1) % players}
        others = sum(self.weights.worth(game.outlook(state, other)) for other in near)
        return own - self.weights.rivals * others


class Military(Planner):
    """A planner that loves shields."""

    weights = Weights(military=3.0, science=0.5)


class Science(Planner):
    """A planner that loves knowledge."""

    weights = Weights(science=3.0, military=0.5)


class Builder(Planner):
    """A planner that loves its wonder."""

    weights = Weights(wonder=3.0, economy=2.0, military=0.5)
