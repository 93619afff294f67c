"""The built-in ladder, through the same door as any stranger's bot."""

from typing import Final

from bots.api import hookimpl
from bots.hookspecs import Register
from bots.house.random import Random

# What can be told of a bot without making it.
LADDER: Final = {
    "random": "takes any option as readily as any other",
}


@hookimpl
def register_bots(register: Register) -> None:
    """Enter the house's bots."""
    register("random", Random)
