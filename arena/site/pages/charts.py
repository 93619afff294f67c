"""Lines drawn by the server: where each point lies, for a template to write down."""

from dataclasses import dataclass
from typing import Final

from arena.i18n import decimal, whole

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
class Curve:
    """A line, the band around it, and the scales beside it."""

    wide: float
    high: float
    left: float
    bottom: float
    line: str
    band: str
    across: list[Tick]
    up: list[Tick]
    points: list[tuple[int, float, float, float]]


def curve(points: list[tuple[int, float, float, float]], lang: str) -> Curve | None:
    """The line through points of a place, a low, a middle and a high value; none of nothing."""
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

    highs = [f"{x(place)},{y(high)}" for place, _, _, high in points]
    lows = [f"{x(place)},{y(low)}" for place, low, _, _ in reversed(points)]
    return Curve(
        wide=WIDE,
        high=HIGH,
        left=LEFT,
        bottom=bottom,
        line=" ".join(f"{x(place)},{y(middle)}" for place, _, middle, _ in points),
        band=" ".join([*highs, *lows]),
        across=[
            Tick(x(last * n / TICKS), whole(last * n // TICKS, lang)) for n in range(1, TICKS + 1)
        ],
        up=[
            Tick(y(least + span * n / TICKS), decimal(least + span * n / TICKS, 1, lang))
            for n in range(TICKS + 1)
        ],
        points=points,
    )
