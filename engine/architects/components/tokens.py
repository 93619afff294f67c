"""The Progress tokens."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Token:
    """A Progress token: copies in the base game and with Medals, and the cards that arm it."""

    id: str
    en: str
    fr: str
    copies: int = 1
    copies_with_medals: int = 1
    arms_on: tuple[str, ...] = ()


# The first six, once armed, let their owner take an extra card; Architecture is armed by a stage.
TOKENS: Final = (
    Token("urbanism", "Urbanism", "Urbanisme", arms_on=("wood", "clay")),
    Token("crafts", "Crafts", "Artisanat", arms_on=("papyrus", "glass")),
    Token("jewellery", "Jewellery", "Joaillerie", arms_on=("stone", "coin")),
    Token("science", "Science", "Science", arms_on=("gear", "compass", "tablet")),
    Token("propaganda", "Propaganda", "Propagande", arms_on=("red1", "red2")),
    Token("architecture", "Architecture", "Architecture"),
    Token("economy", "Economy", "Économie"),
    Token("engineering", "Engineering", "Ingénierie"),
    Token("tactics", "Tactics", "Tactique"),
    Token("decor", "Decor", "Décoration"),
    Token("politics", "Politics", "Politique"),
    Token("strategy", "Strategy", "Stratégie"),
    Token("education", "Education", "Éducation"),
    Token("culture", "Culture", "Culture", copies=2, copies_with_medals=3),
    Token("logistics", "Logistics", "Logistique", copies=0),
    Token("domestication", "Domestication", "Domestication", copies=0),
    Token("entrenchment", "Entrenchment", "Retranchement", copies=0),
)
