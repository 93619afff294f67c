"""The Progress tokens."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class ProgressToken:
    """A Progress token: copies in the base game and with Medals, and the cards that arm it."""

    id: str
    name: str
    copies: int = 1
    copies_expanded: int = 1
    arms_on: tuple[str, ...] = ()


# The first six, once armed, let their owner take an extra card; Architecture is armed by a stage.
TOKENS: Final = (
    ProgressToken("urbanism", "Urbanism", arms_on=("wood", "clay")),
    ProgressToken("crafts", "Crafts", arms_on=("papyrus", "glass")),
    ProgressToken("jewellery", "Jewellery", arms_on=("stone", "coin")),
    ProgressToken("science", "Science", arms_on=("gear", "compass", "tablet")),
    ProgressToken("propaganda", "Propaganda", arms_on=("red1", "red2")),
    ProgressToken("architecture", "Architecture"),
    ProgressToken("economy", "Economy"),
    ProgressToken("engineering", "Engineering"),
    ProgressToken("tactics", "Tactics"),
    ProgressToken("decor", "Decor"),
    ProgressToken("politics", "Politics"),
    ProgressToken("strategy", "Strategy"),
    ProgressToken("education", "Education"),
    ProgressToken("culture", "Culture", copies=2, copies_expanded=3),
    ProgressToken("logistics", "Logistics", copies=0),
    ProgressToken("domestication", "Domestication", copies=0),
    ProgressToken("entrenchment", "Entrenchment", copies=0),
)
