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
