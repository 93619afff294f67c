"""Claiming medals: first to an objective that lies within reach."""

from mypy_extensions import i64

from engine.architects.components.lookup import (
    AT_BATTLE,
    CAT_ICON,
    CENTRE_MEDALS,
    COLOUR,
    COUNTED,
    HORNS,
    KIND_COUNT,
    MAX_NEEDS,
    NEEDED,
    NO_MEDAL,
)
from engine.architects.components.medals import (
    ALL_CARDS,
    CAT_CARDS,
    CAT_PAWN,
    HORNED_CARDS,
    MILITARY_TOKENS,
    PROGRESS_TOKENS,
    RED_CARDS,
    STAGES,
)
from engine.architects.state import ArchitectsPosition
from engine.contract import right_of


def claim(p: ArchitectsPosition) -> None:
    """After an event of its turn, the seat takes every medal in reach whose objective it meets."""
    if p.medals_used:
        _claim_for(p, p.turn)


def claim_after_battle(p: ArchitectsPosition) -> None:
    """Every seat takes what it meets by the battle: first whose turn it is, then clockwise."""
    if p.medals_used:
        for step in range(p.players):
            _claim_for(p, (p.turn + step) % p.players)


def _claim_for(p: ArchitectsPosition, seat: i64) -> None:
    _claim_place(p, seat, seat)
    _claim_place(p, seat, right_of(seat, p.players))
    for place in range(p.players, p.players + CENTRE_MEDALS):
        _claim_place(p, seat, place)


def _claim_place(p: ArchitectsPosition, seat: i64, place: i64) -> None:
    medal = p.medal[place]
    if medal == NO_MEDAL or AT_BATTLE[medal]:
        return
    for need in range(medal * MAX_NEEDS, (medal + 1) * MAX_NEEDS):
        least = i64(NEEDED[need])
        if least and _count(p, seat, i64(COUNTED[need])) < least:
            return
    p.medal[place] = NO_MEDAL
    p.won[seat] += 1


def _count(p: ArchitectsPosition, seat: i64, what: i64) -> i64:
    if what == STAGES:
        return p.stages(seat)
    if what == PROGRESS_TOKENS:
        return p.tokens(seat)
    if what == MILITARY_TOKENS:
        return p.military[seat]
    if what == CAT_PAWN:
        return 1 if p.cat == seat else 0
    count: i64 = 0
    for kind in range(KIND_COUNT):
        if (
            what == ALL_CARDS
            or (what <= RED_CARDS and i64(COLOUR[kind]) == what)
            or (what == CAT_CARDS and CAT_ICON[kind])
            or (what == HORNED_CARDS and HORNS[kind])
        ):
            count += p.cards[seat * KIND_COUNT + kind]
    return count


def claim_at_battle(p: ArchitectsPosition, seat: i64) -> None:
    """A seat that won enough in this one battle takes the medal for it from beside itself."""
    _claim_place_at_battle(p, seat, seat)
    _claim_place_at_battle(p, seat, right_of(seat, p.players))


def _claim_place_at_battle(p: ArchitectsPosition, seat: i64, place: i64) -> None:
    if _is_for_battle(p, place):
        p.medal[place] = NO_MEDAL
        p.won[seat] += 1


def _is_for_battle(p: ArchitectsPosition, place: i64) -> bool:
    return p.medal[place] != NO_MEDAL and AT_BATTLE[p.medal[place]] != 0


def claim_from_centre(p: ArchitectsPosition, winners: i64) -> None:
    """Every seat that won enough in this one battle gets the medal for it, which is then gone."""
    for place in range(p.players, p.players + CENTRE_MEDALS):
        if _is_for_battle(p, place):
            for seat in range(p.players):
                p.won[seat] += winners >> seat & 1
            if winners:
                p.medal[place] = NO_MEDAL
