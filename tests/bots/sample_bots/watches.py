"""Checks all it is shown: its own seat, and nobody else's secrets."""

from bots.api import Bot


class Watches(Bot):
    def start(self, seating):
        self.seat = seating.seat
        self.seen = self.asked = 0

    def decide(self, decision):
        assert decision.seat == decision.view.viewer == self.seat
        assert [option.action for option in decision.options] == decision.view.legal(self.seat)
        assert decision.option(decision.options[0].text) is decision.options[0]
        assert decision.seconds_left > 0
        self.asked += 1
        return decision.options[0]

    def observe(self, view):
        assert view.viewer == self.seat
        self.seen += 1

    def finish(self, outcome):
        assert self.seen >= self.asked > 0
        assert len(outcome.scores) == len(outcome.ranks)
