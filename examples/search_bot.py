"""A small search: try every option in imagined worlds, and play each to the end at random."""

from bots.api import Bot, Decision, Option, Rng, Seat, Seating, State, imagine_world, play_round


class SearchBot(Bot):
    """Looks one decision ahead; `search_bot.py:worlds=20` imagines more worlds than usual."""

    def __init__(self, worlds: int = 2) -> None:
        self.worlds = worlds

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        values = [0] * len(decision.options)
        for _ in range(self.worlds):
            world = imagine_world(decision.view, self.rng)  # deal what is hidden
            for place, option in enumerate(decision.options):
                future = world.clone()
                play_round(future, decision.seat, option.action, self.rng)
                future.playout(self.rng)
                values[place] += self.lead(future, decision.seat)
        return decision.options[values.index(max(values))]

    def lead(self, end: State, seat: Seat) -> int:
        """Points ahead of the best of the others."""
        scores = end.scores()
        return scores.pop(seat) - max(scores)
