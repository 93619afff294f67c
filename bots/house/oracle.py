"""Search by the learned value: `sage` proposes, imagined worlds decide."""

import time

from bots.api import Bot, Decision, Option, Rng, Seating
from bots.decision import actions_of
from bots.house.learned.halving import Halving, Trial, propose
from bots.house.learned.net import hides_nothing
from bots.house.lookahead import check_range


def usual_depth(game: str, players: int) -> int:
    """Own decisions played on before one is judged: more only where few seats decide between."""
    return 2 if game == "architects" and players == 2 else 0


class Oracle(Bot):
    """Tries the best options of `sage` in common worlds: `ms` a decision, or `worlds` a stage."""

    def __init__(self, ms: int = 25, worlds: int = 0, options: int = 4, depth: int = -1) -> None:
        check_range("ms", ms, 1, 3_600_000)
        check_range("worlds", worlds, 0, 10**9)
        check_range("options", options, 2, 100)
        check_range("depth", depth, -1, 100)
        self.seconds = ms / 1000
        self.worlds = worlds
        self.options = options
        self.depth = depth

    def start(self, seating: Seating) -> None:
        game = seating.game.id
        self.rng = Rng(seating.seed)
        # Here, so that workers of other bots are forked without what it loads.
        from bots.house.learned.weights import shipped_value

        self.value = shipped_value(game)
        depth = usual_depth(game, seating.setup.players) if self.depth < 0 else self.depth
        self.halving = Halving(self.value, depth, 1, self.rng)

    def decide(self, decision: Decision) -> Option:
        return decision.options[self.judge(decision)[0].place]

    def judge(self, decision: Decision) -> list[Trial]:
        """Every option with what it is worth: the one to take first, then as `sage` has them."""
        stop = time.perf_counter() + min(self.seconds, decision.seconds_left / 2)
        actions = actions_of(decision)
        view = decision.view
        worlds = 1 if hides_nothing(view) else 5
        sums = self.value.weigh_view(view, decision.seat, actions, worlds, self.rng)
        trials = propose(actions, sums, worlds, len(actions))
        best = self.halving.search(view, decision.seat, trials[: self.options], self.worlds, stop)
        return [best, *(trial for trial in trials if trial is not best)]
