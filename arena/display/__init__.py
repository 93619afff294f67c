"""The games as people see them: tables, moves and components, in English and French."""

from typing import Final

from arena.display.architects import ArchitectsDisplay
from arena.display.base import GameDisplay
from arena.display.seven import SevenDisplay
from engine.catalog import find

_DISPLAYS: Final[dict[str, GameDisplay]] = {
    "architects": ArchitectsDisplay(),
    "seven": SevenDisplay(),
}


def display_of(game_id: str) -> GameDisplay:
    """The display of the game of that id; SetupError if there is no such game."""
    return _DISPLAYS[find(game_id).id]
