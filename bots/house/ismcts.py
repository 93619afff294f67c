"""Tree search over information sets, without anything learned before the game."""

import time

from bots.api import Bot, Decision, Option, Rng, Seating, imagine_world
from bots.decision import actions_of
from bots.house.lookahead import check_range
from bots.house.tree_search import REWARDS, TREES, TreeSearch


class Ismcts(Bot):
    """Each simulation imagines one world; the tree is shared by all of them.

    `trees` says whose decisions are branches, `rewards` what the end is worth; with `mast=1`
    playouts prefer answers that went well in the tree; `cut` ends them after so many answers a
    player.
    """

    def __init__(
        self,
        ms: int = 50,
        sims: int = 0,
        explore: float = 0.5,
        trees: str = "shared",
        rewards: str = "mixed",
        mast: int = 0,
        cut: int = -1,
    ) -> None:
        check_range("ms", ms, 1, 3_600_000)
        check_range("sims", sims, 0, 10**9)
        check_range("explore", explore, 0, 100)
        check_range("mast", mast, 0, 1)
        check_range("cut", cut, -1, 1000)
        self.seconds = ms / 1000
        self.sims = sims
        self.explore = explore
        self.trees = _one_of("trees", trees, TREES)
        self.rewards = _one_of("rewards", rewards, REWARDS)
        self.mast = mast
        self.cut = cut
        self.simulated = 0
        self.searched = 0.0

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        began = time.perf_counter()
        stop = began + min(self.seconds, decision.seconds_left / 2)
        view = decision.view
        search = TreeSearch(
            view.players,
            decision.seat,
            self.explore,
            self.trees,
            self.rewards,
            self.mast > 0,
            self.cut,
            decision.game.odds_keys,
            self.rng,
        )
        done = 0
        while done < self.sims if self.sims else time.perf_counter() < stop:
            search.simulate(imagine_world(view, self.rng))
            done += 1
        self.simulated += done
        self.searched += time.perf_counter() - began
        actions = actions_of(decision)
        visits = [search.visits(action) for action in actions]
        return decision.options[visits.index(max(visits))]


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> int:
    if value not in allowed:
        raise ValueError(f"expected {name} {', '.join(allowed)}, got {value}")
    return allowed.index(value)
