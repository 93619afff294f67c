"""Battles: shields compared, military tokens taken, horned cards spent."""

from mypy_extensions import i64

from engine.architects.claim import claim_after_battle, claim_at_battle, claim_from_centre
from engine.architects.components.lookup import (
    EFFECT,
    ENTRENCHMENT,
    HAS_EFFECT,
    HORNS,
    KIND_COUNT,
    SHIELDS,
    STAGE_COUNT,
    TACTICS,
)
from engine.architects.components.wonders import SHIELD
from engine.architects.state import ArchitectsPosition


def shields(p: ArchitectsPosition, seat: i64) -> i64:
    """Shields on red cards, on built stages and on tokens."""
    count: i64 = 0
    for kind in range(KIND_COUNT):
        count += p.cards[seat * KIND_COUNT + kind] * i64(SHIELDS[kind])
    if i64(EFFECT[p.wonder[seat]]) == SHIELD:
        for stage in range(STAGE_COUNT):
            if HAS_EFFECT[p.wonder[seat] * STAGE_COUNT + stage]:
                count += p.built[seat] >> stage & 1
    if p.owned[seat] & TACTICS:
        count += 2
    return count


def spoils(players: i64, own: i64, left: i64, right: i64) -> i64:
    """Military tokens a seat takes with its own shields against those of its neighbours."""
    if players > 2:
        return (1 if own > left else 0) + (1 if own > right else 0)
    if own <= left:
        return 0
    return 2 if own >= 2 * left else 1


def fight(p: ArchitectsPosition) -> None:
    """Resolve the battle: tokens and the medals for them, then horned cards and conflict tokens."""
    n = p.players
    winners: i64 = 0
    first = shields(p, 0)
    right = shields(p, n - 1)
    own = first
    for seat in range(n):
        left = first if seat == n - 1 else shields(p, seat + 1)
        gained = spoils(n, own, left, right)
        p.military[seat] += gained
        if gained >= 2:
            winners |= 1 << seat
            claim_at_battle(p, seat)
        right = own
        own = left
    claim_from_centre(p, winners)
    for seat in range(n):
        if not p.owned[seat] & ENTRENCHMENT:
            for kind in range(KIND_COUNT):
                if HORNS[kind]:
                    p.cards[seat * KIND_COUNT + kind] = 0
    p.flipped = 0
    claim_after_battle(p)
