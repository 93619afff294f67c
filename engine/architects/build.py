"""Constructing stages: what is available, and every way to pay for it."""

from mypy_extensions import i64

from engine.architects.actions import (
    BUILD,
    BY_ECONOMY,
    BY_ENGINEERING,
    COINS_AT,
    STAGE_AT,
)
from engine.architects.components.lookup import (
    AVAILABLE,
    BITS,
    COIN,
    COST,
    ECONOMY,
    ENGINEERING,
    GREY_COUNT,
    KIND_COUNT,
    ONE_OF_EACH,
    SAME,
    STAGE_COUNT,
)
from engine.architects.state import ArchitectsPosition


def offer_builds(p: ArchitectsPosition) -> bool:
    """Offer every payment of every available stage; whether one of them is mandatory."""
    available = AVAILABLE[p.wonder[p.turn] << STAGE_COUNT | p.built[p.turn]]
    free = p.owned[p.turn] & ~p.used & ENGINEERING != 0
    mandatory = False
    row = p.wonder[p.turn] * STAGE_COUNT
    for stage in range(STAGE_COUNT):
        if not available >> stage & 1:
            continue
        need = i64(COST[row + stage])
        same = SAME[row + stage] != 0
        if same:
            mandatory |= _offer_same(p, stage, need)
        else:
            mandatory |= _offer_different(p, stage, need)
        if free:
            _offer_any(p, stage, need, same)
    return mandatory


def _coins(p: ArchitectsPosition, missing: i64) -> i64:
    """The coin part of a payment, Economy included; negative where the coins do not suffice."""
    pay = missing
    code: i64 = 0
    if missing >= 2 and p.owned[p.turn] & ~p.used & ECONOMY:
        pay = missing - 1
        code = BY_ECONOMY
    if pay > p.cards[p.turn * KIND_COUNT + COIN]:
        return -1
    return code | pay << COINS_AT


def _offer_different(p: ArchitectsPosition, stage: i64, need: i64) -> bool:
    hand = p.turn * KIND_COUNT
    cards = p.cards
    held: i64 = 0
    for kind in range(GREY_COUNT):
        if cards[hand + kind]:
            held |= 1 << kind
    types = i64(BITS[held])
    use = min(need, types)
    coins = _coins(p, need - use)
    if coins < 0:
        return False
    head = BUILD | stage << STAGE_AT | coins
    if use == types:
        p.offer(head | ONE_OF_EACH[held])
        return True
    for set_ in range(1 << GREY_COUNT):
        if set_ & held == set_ and i64(BITS[set_]) == use:
            p.offer(head | ONE_OF_EACH[set_])
    return True


def _offer_same(p: ArchitectsPosition, stage: i64, need: i64) -> bool:
    hand = p.turn * KIND_COUNT
    cards = p.cards
    most: i64 = 0
    for kind in range(GREY_COUNT):
        most = max(most, cards[hand + kind])
    use = min(need, most)
    coins = _coins(p, need - use)
    if coins < 0:
        return False
    head = BUILD | stage << STAGE_AT | coins
    if use == 0:
        p.offer(head)
        return True
    for kind in range(GREY_COUNT):
        if cards[hand + kind] >= use:
            p.offer(head | use << 3 * kind)
    return True


def _offer_any(p: ArchitectsPosition, stage: i64, need: i64, same: bool) -> None:
    """Offer what Engineering allows beside the standard payments of the same stage."""
    hand = p.turn * KIND_COUNT
    grey: i64 = 0
    for kind in range(GREY_COUNT):
        grey += p.cards[hand + kind]
    use = min(need, grey)
    coins = _coins(p, need - use)
    if use < 2 or coins < 0:  # no card or one card is a standard payment of every cost
        return
    head = BUILD | BY_ENGINEERING | stage << STAGE_AT | coins
    standard = use if same else i64(1)  # all alike, or all different, for this many cards
    for a in range(min(use, p.cards[hand]) + 1):
        for b in range(min(use - a, p.cards[hand + 1]) + 1):
            for c in range(min(use - a - b, p.cards[hand + 2]) + 1):
                for d in range(min(use - a - b - c, p.cards[hand + 3]) + 1):
                    e = use - a - b - c - d
                    if e > p.cards[hand + 4]:
                        continue
                    most = max(max(max(max(a, b), c), d), e)
                    if most != standard:
                        p.offer(head | a | b << 3 | c << 6 | d << 9 | e << 12)


def pay(p: ArchitectsPosition, action: i64) -> None:
    """Discard what the payment names, use the tokens it uses, and mark the stage as built."""
    hand = p.turn * KIND_COUNT
    for kind in range(GREY_COUNT):
        p.cards[hand + kind] -= action >> 3 * kind & 7
    p.cards[hand + COIN] -= action >> COINS_AT & 7
    if action & BY_ECONOMY:
        p.used |= ECONOMY
    if action & BY_ENGINEERING:
        p.used |= ENGINEERING
    p.built[p.turn] |= 1 << (action >> STAGE_AT & 7)
