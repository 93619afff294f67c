"""What is played in training: every set-up of a game in turn, and deals no evaluation uses."""

from typing import Final

from engine.catalog import find
from engine.contract import State
from engine.match import Variant
from engine.rng import derive

_ARCHITECTS: Final = (
    *[(players, Variant("architects")) for players in (2, 4, 3, 2, 5, 4, 6, 2, 7, 4, 3)],
    *[(players, Variant("architects", None, ("medals",))) for players in (4, 2, 3, 6)],
    *[(players, Variant("architects", None, ("medals",), True)) for players in (4, 2, 5)],
    *[(players, Variant("architects", None, ("tokens",))) for players in (3, 4)],
)
_SEVEN: Final = (
    *[(players, Variant("seven", "2nd")) for players in (4, 3, 5, 7, 4, 6)],
    *[(players, Variant("seven", "1st")) for players in (4, 3, 5, 7, 6)],
)
TABLES: Final = {"architects": _ARCHITECTS, "seven": _SEVEN}


def deal(game_id: str, seed: int, number: int) -> State:
    """The deal of a game of training; its seed is derived, so it is no deal of a ladder."""
    game = find(game_id)
    players, variant = TABLES[game_id][number % len(TABLES[game_id])]
    own = derive(seed, f"training {number}")
    return game.deal(game.setup(players, own, (), variant), own)
