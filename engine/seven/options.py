"""The answers a seat may give, written into a row of numbers."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.seven.actions import BUILD, FREE, LAST, NAME_BITS, PASS, REVIVING, SELL, STAGE
from engine.seven.build import next_stage
from engine.seven.components.lookup import COST, FREE_OF_COST, HAND, NAME, NAME_PLACES, PRICE
from engine.seven.powers import add_revivals, may_build_free, waived
from engine.seven.state import AT_COINS, CITY, SevenPosition, hand_of
from engine.seven.trade import add_payments

# Seven cards, each built or buried in at most fifteen ways, sold, or built free.
MAX_OPTIONS: Final = 256
_ROOM: Final = vec[i64]([0 for _ in range(MAX_OPTIONS)])


def new_option_buffer() -> vec[i64]:
    """Space for all the options of one seat."""
    return _ROOM[:]


def add_options(p: SevenPosition, seat: i64, options: vec[i64]) -> i64:
    """Write down what the pending seat may answer, and say how many answers there are."""
    if p.phase == REVIVING:
        return add_revivals(p, seat, options)
    count = _add_plays(p, seat, options)
    if p.phase == LAST:
        options[count] = PASS
        count += 1
    return count


def _add_plays(p: SevenPosition, seat: i64, options: vec[i64]) -> i64:
    hands = p.hands
    at = hand_of(p, seat)
    stop = at + HAND - p.turn
    purse = p.city[seat * CITY + AT_COINS]
    free = may_build_free(p, seat)
    before: i64 = -1
    count: i64 = 0
    # A stage costs the same whatever card is buried: worked out once, then copied.
    stages: i64 = -1
    ways: i64 = 0
    while at < stop:
        row = i64(hands[at])
        at += 1
        if row == before:  # hands are sorted
            continue
        before = row
        name: i64 = NAME[row]
        builds = count
        count = add_builds(p, seat, row, purse, options, count)
        gratis = count > builds and options[builds] == BUILD | name
        if stages < 0:
            stages = count
            count = add_stages(p, seat, name, purse, options, count)
            ways = count - stages
        else:
            count = _copy(options, stages, ways, name, count)
        options[count] = SELL | name
        count += 1
        if free and not (gratis and bank_price(p, seat, row) == 0):
            if not p.built[seat * NAME_PLACES + name]:
                options[count] = FREE | name
                count += 1
    return count


def _copy(options: vec[i64], start: i64, ways: i64, name: i64, count: i64) -> i64:
    stop = start + ways
    while start < stop:
        options[count] = (options[start] & ~NAME_BITS) | name
        count += 1
        start += 1
    return count


def add_builds(
    p: SevenPosition, seat: i64, row: i64, purse: i64, options: vec[i64], count: i64
) -> i64:
    """Append every way to build the card."""
    name: i64 = NAME[row]
    if p.built[seat * NAME_PLACES + name]:
        return count
    cost: i64 = COST[row]
    if cost == FREE_OF_COST:
        if purse < bank_price(p, seat, row):
            return count
    elif not waived(p, seat, row):
        # Nothing costs both coins and resources; the sum would be right even then.
        return add_payments(p, seat, cost, purse - PRICE[row], BUILD | name, options, count)
    options[count] = BUILD | name
    return count + 1


def bank_price(p: SevenPosition, seat: i64, row: i64) -> i64:
    """Coins the card costs this seat besides what it buys."""
    price: i64 = PRICE[row]
    if price and waived(p, seat, row):
        return 0
    return price


def add_stages(
    p: SevenPosition, seat: i64, name: i64, purse: i64, options: vec[i64], count: i64
) -> i64:
    """Append every way to build the next stage by burying the card."""
    row = next_stage(p, seat)
    if row < 0:
        return count
    return add_payments(p, seat, COST[row], purse, STAGE | name, options, count)
