"""A hint for a person: what the tree search of the house makes of every option."""

import time
from dataclasses import dataclass
from typing import Final

from bots.api import Decision, Rng, imagine_world
from bots.house.tree_search import MIXED, SHARED, TreeSearch
from engine.rng import draw_seed

SECONDS: Final = 0.5
EXPLORE: Final = 0.5


@dataclass(frozen=True)
class OptionValue:
    """How well games ended after an option, from 0 to 1, and how many were tried."""

    value: float
    games: int


def hint(decision: Decision, seconds: float = SECONDS) -> list[OptionValue]:
    """A value for every option, out of games that are imagined from what the seat knows."""
    rng = Rng(draw_seed())
    view, keys = decision.view, decision.game.odds_keys
    search = TreeSearch(view.players, decision.seat, EXPLORE, SHARED, MIXED, False, -1, keys, rng)
    stop = time.perf_counter() + seconds
    tried = 0
    while tried < len(decision.options) or time.perf_counter() < stop:
        search.simulate(imagine_world(view, rng))
        tried += 1
    children = search.roots[0].children
    found = [children.get(option.action) for option in decision.options]
    return [
        OptionValue(0.0, 0)
        if node is None
        else OptionValue(node.total / int(node.visits), int(node.visits))
        for node in found
    ]


def best_option(values: list[OptionValue]) -> int:
    """The option that the search would take: the one it looked at most."""
    return max(range(len(values)), key=lambda at: (values[at].games, values[at].value))
