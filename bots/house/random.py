"""The first rung: every option is as good as any other."""

from bots.api import Bot, Decision, Option, Rng, Seating


class Random(Bot):
    """Chooses uniformly."""

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        options = decision.options
        return options[self.rng.below(len(options))]
