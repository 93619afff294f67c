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
    "random": "takes any option as readily as any other",
    "greedy": "takes the most points right now, coins aside",
    "planner": "weighs points, wonder, science, military, economy and the neighbours",
    "flat": "plays every option out at random (ms=20 a decision, or worlds=N)",
    "ismcts": "searches a tree over imagined worlds (ms=50 a decision, or sims=N)",
    "sage": "judges one decision ahead by a value learned in self-play",
    "oracle": "tries what sage proposes in imagined worlds (ms=25 a decision, or worlds=N)",
    "military": "a planner that loves shields",
    "science": "a planner that loves knowledge",
    "builder": "a planner that loves its wonder",
}

_MS: Final = "milliseconds a decision"
_WORLDS: Final = "imagined worlds, in which each option is weighed"
_PLANNER: Final = {"worlds": _WORLDS}
# What the parameters of a bot mean; their defaults are in its __init__.
PARAMETERS: Final[dict[str, dict[str, str]]] = {
    "random": {},
    "greedy": {"worlds": _WORLDS},
    "planner": _PLANNER,
    "flat": {
        "ms": _MS,
        "worlds": "imagined worlds a decision, whatever time they take; 0 is by ms",
    },
    "ismcts": {
        "ms": _MS,
        "sims": "simulations a decision, whatever time they take; 0 is by ms",
        "explore": "how readily it tries what did badly so far",
        "trees": "whose decisions are branches: shared, own or each",
        "rewards": "what the end is worth: mixed, points or leader",
        "mast": "1 if playouts prefer answers that went well in the tree",
        "cut": "answers a player after which a playout ends; -1 is at the game's end",
    },
    "sage": {"worlds": _WORLDS},
    "oracle": {
        "ms": _MS,
        "worlds": "imagined worlds of each stage, whatever time they take; 0 is by ms",
        "options": "how many options of sage it tries",
        "depth": "own decisions it plays on before it judges; -1 is what suits the table",
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
