"""Goals and budgets are read as they are written."""

import pytest

from arena.schedule.goal import Goal, parse_budget, parse_goal
from engine.errors import ArenaError


@pytest.mark.parametrize(
    ("text", "goal", "told"),
    [
        ("order@95%", Goal(None, 0.95), "order@95%"),
        ("top1@95%", Goal(1, 0.95), "top1@95%"),
        ("top12@99.5", Goal(12, 0.995), "top12@99.5%"),
        (" order ", Goal(None, 0.95), "order@95%"),
    ],
)
def test_goals_are_read_and_told(text: str, goal: Goal, told: str) -> None:
    assert parse_goal(text) == goal
    assert str(goal) == told


@pytest.mark.parametrize(
    "text",
    ["", "top", "top0@95%", "best", "order@", "order@100%", "order@20%", "top1@95%%", "top-1"],
)
def test_what_is_no_goal_is_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="expected"):
        parse_goal(text)


def test_budgets_are_times() -> None:
    assert parse_budget("90s") == 90
    assert parse_budget("10m") == 600
    assert parse_budget("1h30m") == 5400
    assert parse_budget("0.5h") == 1800
    for text in ("", "10", "m", "10 minutes", "-5m", "0s", "5mx"):
        with pytest.raises(ArenaError, match="expected"):
            parse_budget(text)
