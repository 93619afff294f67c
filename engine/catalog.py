"""The games there are."""

from typing import Final

from engine.architects.game import ARCHITECTS
from engine.architects.state import ArchitectsPosition
from engine.contract import Game, State
from engine.errors import SetupError
from engine.seven.game import SEVEN
from engine.seven.state import SevenPosition

GAMES: Final[tuple[Game, ...]] = (ARCHITECTS, SEVEN)


def find(id: str) -> Game:
    """The game of that id; SetupError if there is none."""
    for game in GAMES:
        if game.id == id:
            return game
    raise SetupError(
        "expected a game out of {games}, got {id}", games=", ".join(g.id for g in GAMES), id=id
    )


def game_of(state: State) -> Game:
    """The game a position belongs to."""
    if isinstance(state, SevenPosition):
        return SEVEN
    assert isinstance(state, ArchitectsPosition)
    return ARCHITECTS
