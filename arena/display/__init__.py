"""The games as people see them: tables, moves and components, in English and French."""

from functools import cache

from arena.display.base import GameDisplay


@cache
def display_of(game_id: str) -> GameDisplay:
    """The display of the game of that id; SetupError if there is no such game."""
    # Loaded when asked for: tables of results need none of them.
    from engine.catalog import find

    if find(game_id).id == "architects":
        from arena.display.architects import ArchitectsDisplay

        return ArchitectsDisplay()
    from arena.display.seven import SevenDisplay

    return SevenDisplay()
