"""The nine wonders: stages, effects and the 25 cards of each deck."""

from dataclasses import dataclass
from typing import Final

# Effects, in the order of the wonders that have them.
ANY_DECK: Final = 0
TAKE_PROGRESS: Final = 1
CENTRE_TOP: Final = 2
NOTHING: Final = 3
LOOK_THROUGH: Final = 4
BOTH_SIDES: Final = 5
SHIELD: Final = 6
STEAL_CARD: Final = 7
CAT_DRAW: Final = 8

DIFFERENT: Final = "≠"
IDENTICAL: Final = "="


@dataclass(frozen=True)
class Stage:
    """One stage: its cost, its points, whether it carries the effect, and what it rests on."""

    count: int
    rule: str
    points: int
    on: tuple[int, ...] = ()
    effect: bool = False


@dataclass(frozen=True)
class Wonder:
    """A wonder and its deck; provisional where the printed components are not publicly known."""

    id: str
    name: str
    monument: str
    effect: int
    stages: tuple[Stage, Stage, Stage, Stage, Stage]
    deck: tuple[int, ...]
    expansion: str = ""
    provisional: bool = False


# fmt: off
WONDERS: Final = (
    #      wood stone clay papyrus glass coin civ3 civ2cat gear compass tablet red0 red1 red2
    Wonder("alexandria", "Alexandria", "Lighthouse of Alexandria", ANY_DECK, (
        Stage(2, DIFFERENT, 4),
        Stage(2, IDENTICAL, 3, on=(1,), effect=True),
        Stage(3, DIFFERENT, 6, on=(2,)),
        Stage(3, IDENTICAL, 5, on=(3,), effect=True),
        Stage(4, DIFFERENT, 7, on=(4,))),
        deck=(2, 2, 2, 2, 1, 4, 2, 2, 2, 1, 1, 2, 1, 1)),
    Wonder("babylon", "Babylon", "Hanging Gardens of Babylon", TAKE_PROGRESS, (
        Stage(2, DIFFERENT, 3),
        Stage(2, IDENTICAL, 0, on=(1,), effect=True),
        Stage(3, DIFFERENT, 5, on=(2,)),
        Stage(3, IDENTICAL, 5, on=(3,), effect=True),
        Stage(4, DIFFERENT, 7, on=(3,))),
        deck=(2, 1, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2, 1, 1)),
    Wonder("ephesus", "Ephesus", "Temple of Artemis in Ephesus", CENTRE_TOP, (
        Stage(2, DIFFERENT, 3),
        Stage(2, IDENTICAL, 3, on=(1,), effect=True),
        Stage(3, DIFFERENT, 4, on=(1,), effect=True),
        Stage(3, IDENTICAL, 5, on=(1,), effect=True),
        Stage(4, DIFFERENT, 7, on=(2, 3, 4))),
        deck=(2, 2, 2, 2, 2, 3, 1, 2, 1, 2, 2, 2, 1, 1)),
    Wonder("giza", "Giza", "Great Pyramid of Giza", NOTHING, (
        Stage(2, DIFFERENT, 4),
        Stage(2, IDENTICAL, 5, on=(1,)),
        Stage(3, DIFFERENT, 6, on=(2,)),
        Stage(3, IDENTICAL, 7, on=(3,)),
        Stage(4, DIFFERENT, 8, on=(4,))),
        deck=(2, 2, 1, 2, 2, 3, 2, 3, 1, 2, 1, 2, 2, 0)),
    Wonder("halicarnassus", "Halicarnassus", "Mausoleum of Halicarnassus", LOOK_THROUGH, (
        Stage(2, DIFFERENT, 3),
        Stage(2, IDENTICAL, 3, on=(1,), effect=True),
        Stage(3, DIFFERENT, 6, on=(2,)),
        Stage(3, IDENTICAL, 5, on=(2,), effect=True),
        Stage(4, DIFFERENT, 7, on=(3, 4))),
        deck=(2, 2, 2, 1, 2, 3, 2, 2, 1, 1, 2, 2, 2, 1)),
    Wonder("olympia", "Olympia", "Statue of Zeus in Olympia", BOTH_SIDES, (
        Stage(2, DIFFERENT, 3),
        Stage(2, IDENTICAL, 2, on=(1,), effect=True),
        Stage(3, DIFFERENT, 5, on=(1,)),
        Stage(3, IDENTICAL, 5, on=(2, 3), effect=True),
        Stage(4, DIFFERENT, 7, on=(4,))),
        deck=(1, 2, 2, 2, 2, 3, 1, 3, 1, 1, 2, 2, 2, 1)),
    Wonder("rhodes", "Rhodes", "Colossus of Rhodes", SHIELD, (
        Stage(2, DIFFERENT, 4),
        Stage(2, IDENTICAL, 4, effect=True),
        Stage(3, DIFFERENT, 5, on=(1, 2)),
        Stage(3, IDENTICAL, 6, on=(3,), effect=True),
        Stage(4, DIFFERENT, 7, on=(4,))),
        deck=(2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 1)),
    Wonder("rome", "Rome", "Colosseum of Rome", STEAL_CARD, (
        Stage(2, DIFFERENT, 4),
        Stage(2, IDENTICAL, 3, effect=True),
        Stage(3, DIFFERENT, 5),
        Stage(3, IDENTICAL, 4, on=(1, 2, 3), effect=True),
        Stage(4, DIFFERENT, 7, on=(1, 2, 3))),
        deck=(2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 3, 2, 1), expansion="medals", provisional=True),
    Wonder("ur", "Ur", "Ziggurat of Ur", CAT_DRAW, (
        Stage(2, DIFFERENT, 3),
        Stage(2, IDENTICAL, 3, on=(1,), effect=True),
        Stage(3, DIFFERENT, 6, on=(2,)),
        Stage(3, IDENTICAL, 5, on=(3,), effect=True),
        Stage(4, DIFFERENT, 7, on=(4,))),
        deck=(2, 2, 2, 2, 2, 2, 1, 4, 1, 1, 2, 2, 1, 1), expansion="medals", provisional=True),
)
# fmt: on
