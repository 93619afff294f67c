"""A learned value of what each option leads to, one decision ahead."""

from bots.api import Bot, Decision, Option, Rng, Seating
from bots.decision import actions_of
from bots.house.learned.policy import first_best
from bots.house.lookahead import check_range


class Sage(Bot):
    """Judges what its own answer leads to by networks that learned from self-play."""

    def __init__(self, worlds: int = 3) -> None:
        check_range("worlds", worlds, 1, 1000)
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)
        # Here, so that workers of other bots are forked without what it loads.
        from bots.house.learned.weights import shipped_value

        self.value = shipped_value(seating.game.id)

    def decide(self, decision: Decision) -> Option:
        actions = actions_of(decision)
        sums = self.value.weigh_view(decision.view, decision.seat, actions, self.worlds, self.rng)
        return decision.options[first_best(sums)]
