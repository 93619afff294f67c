"""The end: points by category, and who stands ahead of whom."""

from typing import Final

from mypy_extensions import i64

from engine.architects.components.lookup import (
    CAT_ICON,
    CULTURE_ID,
    DECOR,
    EDUCATION,
    GREY_COUNT,
    KIND_COUNT,
    LOGISTICS,
    POINTS,
    POLITICS,
    STAGE_COUNT,
    STAGE_POINTS,
    STRATEGY,
)
from engine.architects.state import ArchitectsPosition

CAT_POINTS: Final[i64] = 2
MILITARY_POINTS: Final[i64] = 3  # a token
MEDAL_POINTS: Final[i64] = 4

# By copies owned.
CULTURE_POINTS: Final = bytes((0, 4, 12, 16))


def wonder_points(p: ArchitectsPosition, seat: i64) -> i64:
    """Points of the built stages."""
    points: i64 = 0
    for stage in range(STAGE_COUNT):
        if p.built[seat] >> stage & 1:
            points += i64(STAGE_POINTS[p.wonder[seat] * STAGE_COUNT + stage])
    return points


def blue_points(p: ArchitectsPosition, seat: i64) -> i64:
    """Points printed on cards."""
    points: i64 = 0
    for kind in range(KIND_COUNT):
        points += p.cards[seat * KIND_COUNT + kind] * i64(POINTS[kind])
    return points


def progress_points(p: ArchitectsPosition, seat: i64) -> i64:
    """Points of Progress tokens."""
    owned = p.owned[seat]
    hand = seat * KIND_COUNT
    points: i64 = 0
    if owned & DECOR:
        points += 6 if p.complete(seat) else 4
    if owned & POLITICS:
        for kind in range(KIND_COUNT):
            points += p.cards[hand + kind] * i64(CAT_ICON[kind])
    if owned & STRATEGY:
        points += p.military[seat]
    if owned & EDUCATION:
        points += 2 * p.tokens(seat)
    if owned & LOGISTICS:
        for kind in range(GREY_COUNT):
            points += 2 * p.cards[hand + kind]
    return points + i64(CULTURE_POINTS[p.copies(seat, CULTURE_ID)])


def cat_points(p: ArchitectsPosition, seat: i64) -> i64:
    """Points of the Cat pawn, for the seat that has it."""
    return CAT_POINTS if p.cat == seat else i64(0)


def total(p: ArchitectsPosition, seat: i64) -> i64:
    """All points of a seat."""
    return (
        wonder_points(p, seat)
        + cat_points(p, seat)
        + blue_points(p, seat)
        + MILITARY_POINTS * p.military[seat]
        + progress_points(p, seat)
        + MEDAL_POINTS * p.won[seat]
    )


def sheet(p: ArchitectsPosition, seat: i64) -> dict[str, int]:
    """Points of a seat by category, in the order of the score pad."""
    return {
        "wonder": wonder_points(p, seat),
        "cat": cat_points(p, seat),
        "blue": blue_points(p, seat),
        "military": MILITARY_POINTS * p.military[seat],
        "progress": progress_points(p, seat),
        "medals": MEDAL_POINTS * p.won[seat],
        "total": total(p, seat),
    }


def ranks(p: ArchitectsPosition) -> list[int]:
    """For every seat, how many are ahead of it: by points, then by stages built."""
    standing = [total(p, seat) * 8 + p.stages(seat) for seat in range(p.players)]
    return [sum(other > own for other in standing) for own in standing]
