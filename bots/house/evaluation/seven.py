"""What a position promises a seat, in points: rough figures for bots to weigh."""

from typing import Final

from mypy_extensions import i64

from bots.house.evaluation.points import Evaluation
from engine.contract import left_of, right_of
from engine.seven.actions import OVER
from engine.seven.battle import SPOILS
from engine.seven.components.lookup import AGES, HAND, MADE_PLACES, STAGE_COUNT
from engine.seven.components.rows import MADE, RAW
from engine.seven.score import science, total
from engine.seven.state import (
    AT_COINS,
    AT_SCIENCE,
    AT_SHIELDS,
    AT_STAGES,
    CITY,
    SevenPosition,
)
from engine.seven.trade import symbols_for

TURNS: Final = AGES * (HAND - 1)
# Found by play against the bot that looks at points alone.
STAGE_WORTH: Final = 1.0
RESOURCE_WORTH: Final = 2.0
COIN_WORTH: Final = 0.25
SYMBOL_WORTH: Final = 0.5


def evaluate_seven(p: SevenPosition, seat: i64) -> Evaluation:
    """Points so far, and what is under way; nothing is under way at the end."""
    if p.phase == OVER:
        return Evaluation(float(total(p, seat)), 0.0, 0.0, 0.0, 0.0)
    left = 1.0 - float(p.age * (HAND - 1) + p.turn) / float(TURNS)
    return Evaluation(
        float(total(p, seat)),
        STAGE_WORTH * float(p.city[seat * CITY + AT_STAGES]) / float(STAGE_COUNT[p.boards[seat]]),
        SYMBOL_WORTH * left * _next_symbol(p, seat),
        _military(p, seat),
        left * _economy(p, seat),
    )


def _next_symbol(p: SevenPosition, seat: i64) -> float:
    """What one more symbol of the best kind would bring."""
    at = seat * CITY + AT_SCIENCE
    now = science(p.city[at], p.city[at + 1], p.city[at + 2], p.city[at + 3])
    then = science(p.city[at], p.city[at + 1], p.city[at + 2], p.city[at + 3] + 1)
    return float(then - now)


def _military(p: SevenPosition, seat: i64) -> float:
    """The conflicts still to come, as shields now stand; later ones are less sure."""
    own = p.city[seat * CITY + AT_SHIELDS]
    left = p.city[left_of(seat, p.players) * CITY + AT_SHIELDS]
    right = p.city[right_of(seat, p.players) * CITY + AT_SHIELDS]
    worth = 0.0
    sure = 0.8
    for age in range(p.age, AGES):
        spoils = float(SPOILS[age])
        worth += sure * (_side(own - left, spoils) + _side(own - right, spoils))
        sure *= 0.5
    return worth


def _side(margin: i64, spoils: float) -> float:
    """What a lead over one neighbour brings; one shield of it may still be lost."""
    if margin > 1:
        return spoils
    if margin == 1:
        return 0.75 * spoils
    return 0.0 if margin == 0 else -1.0


def _economy(p: SevenPosition, seat: i64) -> float:
    """Resources at hand, the first of each kind and the second of the raw ones; and coins."""
    worth = 0.0
    for bit in range(len(RAW)):
        worth += float(min(2, symbols_for(p, seat, 1 << bit)))
    for bit in range(len(MADE)):
        worth += float(min(1, symbols_for(p, seat, MADE_PLACES + (1 << bit))))
    return RESOURCE_WORTH * worth + COIN_WORTH * float(min(12, p.city[seat * CITY + AT_COINS]))
