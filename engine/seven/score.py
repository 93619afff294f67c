"""The count at the end: seven categories, and who is ahead."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.contract import left_of, right_of
from engine.seven.actions import NAME_BITS
from engine.seven.build import count_around
from engine.seven.components.lookup import (
    COLOUR,
    FACTS,
    LATE_POINTS,
    LATE_STARTS,
    MAX_PLAYERS,
    NAME,
    NAME_PLACES,
    POINT_EACH,
    POINT_WHAT,
    POINT_WHERE,
    SYMBOL,
)
from engine.seven.components.rows import ANY_SYMBOL, COPY_GUILD, PURPLE
from engine.seven.state import (
    AT_CIVIL,
    AT_COINS,
    AT_DEFEATS,
    AT_POWERS,
    AT_SCIENCE,
    AT_VICTORIES,
    AT_WONDER,
    CITY,
    SevenPosition,
)

CATEGORIES: Final = ("wonder", "treasure", "military", "civil", "commerce", "science", "guilds")
WONDER: Final = 0
TREASURE: Final = 1
MILITARY: Final = 2
CIVIL: Final = 3
COMMERCE: Final = 4
SCIENTIFIC: Final = 5
GUILDED: Final = 6
COINS_A_POINT: Final = 3
SET: Final = 7


_NOTHING: Final = vec[i64]([0 for _ in range(max(len(CATEGORIES), MAX_PLAYERS))])


def total(p: SevenPosition, seat: i64) -> i64:
    """All points of a seat."""
    points: i64 = 0
    for category in _points(p, seat):
        points += category
    return points


def sheet(p: SevenPosition, seat: i64) -> dict[str, int]:
    """Points of a seat by category, in the order of the score pad."""
    points = _points(p, seat)
    sums: dict[str, int] = {CATEGORIES[i]: points[i] for i in range(len(CATEGORIES))}
    sums["total"] = sum(points)
    return sums


def _points(p: SevenPosition, seat: i64) -> vec[i64]:
    """The points of a seat in every category, as things stand."""
    city = p.city
    built = p.built
    base = seat * CITY
    names = seat * NAME_PLACES
    sums = _NOTHING[: len(CATEGORIES)]
    sums[WONDER] = city[base + AT_WONDER]
    sums[TREASURE] = city[base + AT_COINS] // COINS_A_POINT
    sums[MILITARY] = city[base + AT_VICTORIES] - city[base + AT_DEFEATS]
    sums[CIVIL] = city[base + AT_CIVIL]
    sums[SCIENTIFIC] = _science_of(p, seat, 0)
    at = LATE_STARTS[p.edition]
    stop = LATE_STARTS[p.edition + 1]
    while at < stop:
        row = LATE_POINTS[at]
        if built[names + (FACTS[row] & NAME_BITS)]:
            place: i64 = GUILDED if COLOUR[row] == PURPLE else COMMERCE
            sums[place] += _late_points(p, seat, row)
        at += 1
    if city[base + AT_POWERS] & COPY_GUILD:
        _copy_guild(p, seat, sums)
    return sums


def _late_points(p: SevenPosition, seat: i64, row: i64) -> i64:
    each: i64 = POINT_EACH[row]
    if each == 0:
        return 0
    return each * count_around(p, seat, POINT_WHAT[row], POINT_WHERE[row])


def _copy_guild(p: SevenPosition, seat: i64, sums: vec[i64]) -> None:
    """Add the guild of a neighbour that is worth most here; not a symbol, if that is no more."""
    n = p.players
    left = left_of(seat, n) * NAME_PLACES
    right = right_of(seat, n) * NAME_PLACES
    best: i64 = 0
    symbol: i64 = 0
    for at in range(LATE_STARTS[p.edition], LATE_STARTS[p.edition + 1]):
        row = LATE_POINTS[at]
        if COLOUR[row] == PURPLE and (p.built[left + NAME[row]] or p.built[right + NAME[row]]):
            if SYMBOL[row] == ANY_SYMBOL:
                symbol = _science_of(p, seat, 1) - sums[SCIENTIFIC]
            else:
                points = _late_points(p, seat, row)
                if points > best:
                    best = points
    if symbol > best:
        sums[SCIENTIFIC] += symbol
    else:
        sums[GUILDED] += best


def _science_of(p: SevenPosition, seat: i64, more: i64) -> i64:
    base = seat * CITY + AT_SCIENCE
    city = p.city
    return science(city[base], city[base + 1], city[base + 2], city[base + ANY_SYMBOL] + more)


def science(compasses: i64, gears: i64, tablets: i64, any: i64) -> i64:
    """Squares and sets, the symbols still to choose taken for the best."""
    # Two at a time: `min` and `max` of three would make objects of the numbers.
    if any > 0:
        one_more = max(
            science(compasses + 1, gears, tablets, any - 1),
            science(compasses, gears + 1, tablets, any - 1),
        )
        return max(one_more, science(compasses, gears, tablets + 1, any - 1))
    sets = min(min(compasses, gears), tablets)
    return compasses * compasses + gears * gears + tablets * tablets + SET * sets


def ranks(p: SevenPosition) -> list[int]:
    """For every seat the number of seats ahead of it: more points, or as many and more coins."""
    n = p.players
    keys = _NOTHING[:n]
    seat: i64 = 0
    while seat < n:
        # Far more than the coins there are, so that points come first.
        keys[seat] = total(p, seat) * 1_000_000 + p.city[seat * CITY + AT_COINS]
        seat += 1
    standing: list[int] = []
    for key in keys:
        ahead: i64 = 0
        for other in keys:
            if other > key:
                ahead += 1
        standing.append(ahead)
    return standing
