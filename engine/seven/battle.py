"""Conflicts at the end of an Age: every pair of neighbours compares its shields."""

from typing import Final

from mypy_extensions import i64

from engine.contract import left_of
from engine.seven.state import AT_DEFEATS, AT_SHIELDS, AT_VICTORIES, CITY, SevenPosition

SPOILS: Final = b"\x01\x03\x05"


def fight(p: SevenPosition) -> None:
    """Hand out the tokens of the Age; equal strength earns nothing."""
    spoils: i64 = SPOILS[p.age]
    city = p.city
    seat: i64 = 0
    while seat < p.players:
        mine = seat * CITY
        theirs = left_of(seat, p.players) * CITY
        if city[mine + AT_SHIELDS] < city[theirs + AT_SHIELDS]:
            mine, theirs = theirs, mine
        if city[mine + AT_SHIELDS] > city[theirs + AT_SHIELDS]:
            city[mine + AT_VICTORIES] += spoils
            city[theirs + AT_DEFEATS] += 1
        seat += 1
