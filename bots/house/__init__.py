"""The built-in ladder, through the same door as any stranger's bot."""

from typing import Final

from bots.api import Register, hookimpl
from bots.house.flat import Flat
from bots.house.greedy import Greedy
from bots.house.ismcts import Ismcts
from bots.house.oracle import Oracle
from bots.house.planner import Builder, Military, Planner, Science
from bots.house.random import Random
from bots.house.sage import Sage

# What can be told of a bot without making it, from the lowest rung up; then the specialists.
LADDER: Final = {
    "random": "chooses uniformly at random",
    "greedy": "takes the most immediate points, coins not counted",
    "planner": "weighs points, wonder, science, military, economy and the neighbours",
    "flat": "plays every option out at random (ms=20 per decision, or worlds=N)",
    "ismcts": "searches a tree over imagined worlds (ms=50 per decision, or sims=N)",
    "sage": "looks one decision ahead with a value learned in self-play",
    "oracle": "tries options of sage in imagined worlds (ms=25 per decision, or worlds=N)",
    "military": "a planner that prefers shields",
    "science": "a planner that prefers science",
    "builder": "a planner that prefers its wonder",
}

_MS: Final = "milliseconds per decision"
_WORLDS: Final = "imagined worlds in which each option is evaluated"
_PLANNER: Final = {"worlds": _WORLDS}
# What the parameters of a bot mean; their defaults are in its __init__.
PARAMETERS: Final[dict[str, dict[str, str]]] = {
    "random": {},
    "greedy": {"worlds": _WORLDS},
    "planner": _PLANNER,
    "flat": {
        "ms": _MS,
        "worlds": "imagined worlds per decision, however long they take; 0 uses ms",
    },
    "ismcts": {
        "ms": _MS,
        "sims": "simulations per decision, however long they take; 0 uses ms",
        "explore": "exploration: how often it tries options that did badly so far",
        "trees": "whose decisions are branches of the tree: shared, own or each",
        "rewards": "the value of a finished game: mixed, points or leader",
        "mast": "1 if playouts prefer answers that went well in the tree",
        "cut": "decisions per player after which a playout is cut off; -1 plays to the end",
    },
    "sage": {"worlds": _WORLDS},
    "oracle": {
        "ms": _MS,
        "worlds": "imagined worlds per stage, however long they take; 0 uses ms",
        "options": "number of options proposed by sage that it tries",
        "depth": "own decisions played before evaluating; -1: chosen by the number of players",
    },
    "military": _PLANNER,
    "science": _PLANNER,
    "builder": _PLANNER,
}


@hookimpl
def register_bots(register: Register) -> None:
    """Enter the house's bots."""
    register("random", Random)
    register("greedy", Greedy)
    register("planner", Planner)
    register("flat", Flat)
    register("ismcts", Ismcts)
    register("sage", Sage)
    register("oracle", Oracle)
    register("military", Military)
    register("science", Science)
    register("builder", Builder)
