"""One evaluation for both games."""

from mypy_extensions import i64

from bots.house.evaluation.architects import evaluate_architects
from bots.house.evaluation.points import Evaluation
from bots.house.evaluation.seven import evaluate_seven
from engine.architects.score import total as architects_total
from engine.architects.state import ArchitectsPosition
from engine.contract import State
from engine.seven.components.rows import COLOURS
from engine.seven.score import COINS_A_POINT
from engine.seven.score import total as seven_total
from engine.seven.state import AT_COINS, AT_COLOURS, AT_STAGES, CITY, SevenPosition


def evaluate(state: State, seat: i64) -> Evaluation:
    """A rough guess at what the position is worth to a seat."""
    if isinstance(state, SevenPosition):
        return evaluate_seven(state, seat)
    assert isinstance(state, ArchitectsPosition)
    return evaluate_architects(state, seat)


def count_points(state: State, seat: i64) -> float:
    """What a seat has if the game ended now; at 7 Wonders without what coins are worth.

    There every card can be sold for a point's worth of coins, which would beat most buildings of
    the first Age. Where points are equal, a building counts, then coins.
    """
    if isinstance(state, SevenPosition):
        return float(seven_total(state, seat)) - _treasure(state, seat)
    assert isinstance(state, ArchitectsPosition)
    return float(architects_total(state, seat))


def _treasure(p: SevenPosition, seat: i64) -> float:
    """The points of coins, less a little for every building, stage and coin."""
    base = seat * CITY
    coins = p.city[base + AT_COINS]
    built = p.city[base + AT_STAGES]
    for colour in range(len(COLOURS)):
        built += p.city[base + AT_COLOURS + colour]
    return float(coins // COINS_A_POINT) - 0.1 * float(built) - 0.001 * float(coins)
