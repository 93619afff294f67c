"""The evaluation that the house bots play by; its modules are compiled like the engine."""

from bots.house.evaluation.dispatch import count_points, evaluate
from bots.house.evaluation.points import Evaluation

__all__ = ["Evaluation", "count_points", "evaluate"]
