"""The value of a position to a seat, in parts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Evaluation:
    """What a position promises a seat, in points, by where they come from."""

    points: float  # if the game ended now
    wonder: float
    science: float
    military: float
    economy: float
