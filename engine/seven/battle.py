"""Conflicts at the end of an Age: every pair of neighbours compares its shields."""

from typing import Final

from mypy_extensions import i64

from engine.seven.state import CITY, DEFEATS, SHIELDS, VICTORIES, Position

SPOILS: Final = b"\x01\x03\x05"


def fight(p: Position) -> None:
    """Hand out the tokens of the Age; equal strength earns nothing."""
    spoils: i64 = SPOILS[p.age]
    city = p.city
    seat: i64 = 0
    while seat < p.players:
        mine = seat * CITY
        theirs = (seat + 1) % p.players * CITY
        if city[mine + SHIELDS] < city[theirs + SHIELDS]:
            mine, theirs = theirs, mine
        if city[mine + SHIELDS] > city[theirs + SHIELDS]:
            city[mine + VICTORIES] += spoils
            city[theirs + DEFEATS] += 1
        seat += 1
