"""One evaluation for both games."""

from mypy_extensions import i64

from bots.house.evaluation.architects import evaluate_architects
from bots.house.evaluation.points import Evaluation
from bots.house.evaluation.seven import evaluate_seven
from engine.architects.score import total as architects_total
from engine.architects.state import ArchitectsPosition
from engine.contract import State
from engine.seven.score import total as seven_total
from engine.seven.state import SevenPosition


def evaluate(state: State, seat: i64) -> Evaluation:
    """A rough guess at what the position is worth to a seat."""
    if isinstance(state, SevenPosition):
        return evaluate_seven(state, seat)
    assert isinstance(state, ArchitectsPosition)
    return evaluate_architects(state, seat)


def count_points(state: State, seat: i64) -> float:
    """What a seat has if the game ended now."""
    if isinstance(state, SevenPosition):
        return float(seven_total(state, seat))
    assert isinstance(state, ArchitectsPosition)
    return float(architects_total(state, seat))
