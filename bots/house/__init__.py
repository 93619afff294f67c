"""The built-in ladder."""

from typing import Final

from bots.api import Bot
from bots.house.random import Random
from engine.errors import SetupError
from engine.rng import derive

HOUSE: Final = {"random": Random}


def seat_bot(name: str, seed: int, seat: int) -> Bot:
    """Sit a house bot down, with a stream of chance of its own; SetupError if there is none."""
    if name not in HOUSE:
        raise SetupError(f"expected a bot out of {', '.join(HOUSE)}, got {name}")
    return HOUSE[name](derive(seed, f"bot {seat}"))
