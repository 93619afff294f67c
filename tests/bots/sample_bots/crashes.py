"""Raises at one verb of its life: at=construct, start, decide, observe or finish."""

from bots.api import Bot


class Crashes(Bot):
    def __init__(self, at: str) -> None:
        self.at = at
        self.reach("construct")

    def reach(self, verb: str) -> None:
        if verb == self.at:
            raise RuntimeError(f"broken at {verb}")

    def start(self, seating):
        self.reach("start")

    def decide(self, decision):
        self.reach("decide")
        return decision.options[0]

    def observe(self, view):
        self.reach("observe")

    def finish(self, outcome):
        self.reach("finish")
