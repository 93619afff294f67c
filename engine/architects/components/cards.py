"""The fourteen kinds of card."""

from dataclasses import dataclass
from typing import Final

GREY: Final = "grey"
YELLOW: Final = "yellow"
BLUE: Final = "blue"
GREEN: Final = "green"
RED: Final = "red"
COLOURS: Final = (GREY, YELLOW, BLUE, GREEN, RED)


@dataclass(frozen=True)
class Kind:
    """One kind of card and everything printed on it."""

    id: str
    colour: str
    name: str
    points: int = 0
    cat: int = 0
    shields: int = 0
    horns: int = 0


KINDS: Final = (
    Kind("wood", GREY, "Wood"),
    Kind("stone", GREY, "Stone"),
    Kind("clay", GREY, "Clay"),
    Kind("papyrus", GREY, "Papyrus"),
    Kind("glass", GREY, "Glass"),
    Kind("coin", YELLOW, "Coin"),
    Kind("civ3", BLUE, "Blue card (3)", points=3),
    Kind("civ2cat", BLUE, "Blue card (2, Cat)", points=2, cat=1),
    Kind("gear", GREEN, "Gear"),
    Kind("compass", GREEN, "Compass"),
    Kind("tablet", GREEN, "Tablet"),
    Kind("red0", RED, "Shield", shields=1),
    Kind("red1", RED, "Shield and horn", shields=1, horns=1),
    Kind("red2", RED, "Shield and 2 horns", shields=1, horns=2),
)

# As in the decks of the wonders: a number for each kind, in their order.
CENTRE_CARDS: Final = (4, 4, 4, 4, 4, 6, 4, 8, 4, 4, 4, 4, 4, 2)
