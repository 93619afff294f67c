"""Lines drawn by the server: where each point lies, for a template to write down."""

import math
from dataclasses import dataclass
from typing import Final

from arena.i18n import decimal, whole

ROUND: Final = (1, 2, 5)  # steps of a scale, times a power of ten
WIDE: Final = 600.0
HIGH: Final = 220.0
LEFT: Final = 44.0  # room for the numbers of the scale
BELOW: Final = 26.0
TICKS: Final = 4


@dataclass(frozen=True)
class Tick:
    """A number of a scale, and where it is."""

    at: float
    text: str


@dataclass(frozen=True)
class CurveLine:
    """A line, and the band around it."""

    line: str
    band: str


@dataclass(frozen=True)
class Curve:
    """Lines with their bands, and the scales beside them."""

    wide: float
    high: float
    left: float
    bottom: float
    lines: list[CurveLine]
    across: list[Tick]
    up: list[Tick]


CurvePoint = tuple[int, float, float, float]  # a place, a low, a middle and a high value


def curve(series: list[list[CurvePoint]], lang: str) -> Curve | None:
    """Lines through points on common scales; none of nothing."""
    points = [point for each in series for point in each]
    if not points:
        return None
    last = max(place for place, *_ in points) or 1
    least = min(low for _, low, _, _ in points)
    most = max(high for _, _, _, high in points)
    span = max(most - least, 1e-9)
    bottom = HIGH - BELOW

    def x(place: float) -> float:
        return round(LEFT + (WIDE - LEFT - 10) * place / last, 1)

    def y(value: float) -> float:
        return round(8 + (bottom - 8) * (most - value) / span, 1)

    def drawn(points: list[CurvePoint]) -> CurveLine:
        highs = [f"{x(place)},{y(high)}" for place, _, _, high in points]
        lows = [f"{x(place)},{y(low)}" for place, low, _, _ in reversed(points)]
        middles = [f"{x(place)},{y(middle)}" for place, _, middle, _ in points]
        return CurveLine(" ".join(middles), " ".join([*highs, *lows]))

    return Curve(
        wide=WIDE,
        high=HIGH,
        left=LEFT,
        bottom=bottom,
        lines=[drawn(each) for each in series],
        across=[Tick(x(value), whole(round(value), lang)) for value in _ticks(0, last, 1)],
        up=[Tick(y(value), _scale(value, span, lang)) for value in _ticks(least, most)],
    )


def _ticks(least: float, most: float, finest: float = 0.0) -> list[float]:
    """Round numbers from the least to the most."""
    step = max(round_step(most - least), finest)
    first = math.ceil(least / step)
    return [n * step for n in range(first, math.floor(most / step + 1e-9) + 1)]


def _scale(value: float, span: float, lang: str) -> str:
    """A number of the scale, with a decimal where its neighbours would look the same."""
    return decimal(value, 0 if round_step(span) >= 1 else 1, lang)


GRAPH_WIDE: Final = 300.0
GRAPH_HIGH: Final = 120.0
GRAPH_LEFT: Final = 22.0
GRAPH_EDGE: Final = 6.0


@dataclass(frozen=True)
class ScoreGraph:
    """The points of every seat over the steps of a match."""

    wide: float
    high: float
    left: float
    right: float
    lines: list[str]  # by seat
    up: list[Tick]

    def x(self, step: int, last: int) -> float:
        """Where a step lies."""
        return round(self.left + (self.right - self.left) * step / max(last, 1), 1)


def round_step(span: float, ticks: int = TICKS) -> float:
    """The distance of round numbers on a scale, so that there are about so many."""
    rough = max(span, 1e-9) / ticks
    power = 10.0 ** math.floor(math.log10(rough))
    return next((n * power for n in ROUND if n * power >= rough), 10 * power)


def score_graph(points: list[list[int]], lang: str) -> ScoreGraph:
    """Lines for the points of all seats; a row of points for every step."""
    last = max(len(points) - 1, 1)
    least = min(0, *(min(row) for row in points))
    most = max(1, *(max(row) for row in points))
    right = GRAPH_WIDE - GRAPH_EDGE
    span = most - least

    def y(value: float) -> float:
        room = GRAPH_HIGH - 2 * GRAPH_EDGE
        return round(GRAPH_EDGE + room * (most - value) / span, 1)

    def x(step: int) -> float:
        return round(GRAPH_LEFT + (right - GRAPH_LEFT) * step / last, 1)

    step = max(1, int(round_step(span, 3)))
    first = -(-least // step) * step
    return ScoreGraph(
        GRAPH_WIDE,
        GRAPH_HIGH,
        GRAPH_LEFT,
        right,
        [
            " ".join(f"{x(at)},{y(row[seat])}" for at, row in enumerate(points))
            for seat in range(len(points[0]))
        ],
        [Tick(y(value), whole(value, lang)) for value in range(first, most + 1, step)],
    )


def spark(values: list[float]) -> str:
    """A line in a box of 100 by 24, without scales; nothing of fewer than two values."""
    if len(values) < 2:
        return ""
    least, most = min(values), max(values)
    span = max(most - least, 1e-9)
    step = 100 / (len(values) - 1)
    return " ".join(
        f"{round(at * step, 1)},{round(22 - 20 * (value - least) / span, 1)}"
        for at, value in enumerate(values)
    )
