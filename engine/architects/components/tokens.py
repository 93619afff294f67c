"""The Progress tokens."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Token:
    """A Progress token: copies in the base game and with Medals, and the cards that arm it."""

    id: str
    name: str
    copies: int = 1
    copies_with_medals: int = 1
    arms_on: tuple[str, ...] = ()


# The first six, once armed, let their owner take an extra card; Architecture is armed by a stage.
TOKENS: Final = (
    Token("urbanism", "Urbanism", arms_on=("wood", "clay")),
    Token("crafts", "Crafts", arms_on=("papyrus", "glass")),
    Token("jewellery", "Jewellery", arms_on=("stone", "coin")),
    Token("science", "Science", arms_on=("gear", "compass", "tablet")),
    Token("propaganda", "Propaganda", arms_on=("red1", "red2")),
    Token("architecture", "Architecture"),
    Token("economy", "Economy"),
    Token("engineering", "Engineering"),
    Token("tactics", "Tactics"),
    Token("decor", "Decor"),
    Token("politics", "Politics"),
    Token("strategy", "Strategy"),
    Token("education", "Education"),
    Token("culture", "Culture", copies=2, copies_with_medals=3),
    Token("logistics", "Logistics", copies=0),
    Token("domestication", "Domestication", copies=0),
    Token("entrenchment", "Entrenchment", copies=0),
)
