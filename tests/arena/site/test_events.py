"""Pages that listen hear of changes alone; charts have round scales; a matrix its neighbours."""

import asyncio

import pytest

from arena.site.pages.drawing.charts import round_step, score_graph, spark
from arena.site.pages.events import Listeners, changes
from arena.site.pages.leaderboards import around


def heard(
    states: list[object], listeners: Listeners, gone_after: int = 99, drawn: object = None
) -> list[str]:
    """What a page hears while the contest has these states."""
    left = iter(states)
    looks = 0

    async def state_of() -> object:
        return next(left)

    async def is_gone() -> bool:
        nonlocal looks
        looks += 1
        return looks > gone_after

    async def listen() -> list[str]:
        stream = changes(state_of, is_gone, listeners, every=0.001, lifetime=0.004, drawn=drawn)
        return [event.partition("\n")[0] async for event in stream]

    return asyncio.run(listen())


def test_a_change_is_told_once() -> None:
    listeners = Listeners()
    events = heard([1, 1, 2, 2, 3], listeners)
    assert events == ["retry: 5000", ": nothing new", "event: changed", *events[1:3]]
    assert listeners.count == 0


def test_what_changed_before_the_page_listens_is_told_at_once() -> None:
    events = heard([2, 2, 2, 2, 2], Listeners(), drawn=1)
    assert events[:3] == ["retry: 5000", "event: changed", ": nothing new"]
    assert heard([2, 2, 2, 2, 2], Listeners(), drawn=2)[1] == ": nothing new"


def test_who_has_gone_is_not_told_and_too_many_are_sent_away() -> None:
    listeners = Listeners(most=1)
    assert heard([1, 2, 3], listeners, gone_after=1) == ["retry: 5000", "event: changed"]
    listeners.count = 1
    assert heard([1, 2], listeners) == ["retry: 60000"]
    assert listeners.count == 1


@pytest.mark.parametrize(
    ("bot", "first"), [(None, 0), (0, 0), (9, 0), (11, 1), (25, 15), (49, 30), (99, 0)]
)
def test_a_matrix_has_the_chosen_bot_among_its_neighbours(bot: int | None, first: int) -> None:
    assert around(list(range(50)), bot) == list(range(first, first + 20))


def test_few_bots_are_all_in_the_matrix() -> None:
    assert around([3, 1, 2], 2) == [3, 1, 2]


@pytest.mark.parametrize(("span", "step"), [(4, 1), (7, 2), (43, 20), (0.3, 0.1), (100, 50)])
def test_scales_have_round_numbers(span: float, step: float) -> None:
    assert round_step(span) == pytest.approx(step)


def test_lines_lie_in_their_boxes() -> None:
    graph = score_graph([[0, 0], [3, -1], [10, 4]], "en")
    assert [len(line.split()) for line in graph.lines] == [3, 3]
    assert graph.x(0, 2) == graph.left
    assert [tick.text for tick in score_graph([[0], [-9]], "en").up] == ["−5", "0"]
    assert graph.x(2, 2) == graph.right
    for line in graph.lines:
        for point in line.split():
            x, y = map(float, point.split(","))
            assert graph.left <= x <= graph.right
            assert 0 <= y <= graph.high
    assert spark([1.0]) == ""
    assert spark([1.0, 3.0, 2.0]) == "0.0,22.0 50.0,2.0 100.0,12.0"
