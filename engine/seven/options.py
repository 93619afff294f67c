"""The answers a seat may give, written into a row of numbers."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.contract import left_of, right_of
from engine.seven.actions import BUILD, FREE, LAST, NAME_BITS, PASS, REVIVING, SELL, STAGE
from engine.seven.build import next_stage
from engine.seven.components.lookup import (
    CHAIN_AT,
    COLOUR,
    FACTS,
    HAND,
    MADE_NEED_AT,
    NAME_PLACES,
    OTHER_CHAIN_AT,
    PRICE,
    PRICE_AT,
    RAW_NEED,
)
from engine.seven.components.rows import FREE_COLOUR, FREE_ONCE
from engine.seven.powers import add_revivals, is_waived_by_power, may_build_free, waived
from engine.seven.state import (
    AT_COINS,
    AT_POWERS,
    CITY,
    OWN_MADE,
    OWN_RAW,
    REACH,
    SOLD_MADE,
    SOLD_RAW,
    SevenPosition,
    hand_of,
)
from engine.seven.trade import add_payments, joined, meets

# Seven cards, each built or buried in at most fifteen ways, sold, or built free.
MAX_OPTIONS: Final = 256
# Beyond these: the ways to build a stage, without the card to bury.
_STAGES: Final = MAX_OPTIONS - 16
_ROOM: Final = vec[i64]([0 for _ in range(MAX_OPTIONS)])


def new_option_buffer() -> vec[i64]:
    """Space for all the options of one seat."""
    return _ROOM[:]


def add_options(p: SevenPosition, seat: i64, options: vec[i64]) -> i64:
    """Write down what the pending seat may answer, and say how many answers there are."""
    if p.phase == REVIVING:
        return add_revivals(p, seat, options)
    at = hand_of(p, seat)
    count = add_plays(p, seat, p.hands, at, at + HAND - p.turn, options)
    if p.phase == LAST:
        options[count] = PASS
        count += 1
    return count


def add_plays(
    p: SevenPosition, seat: i64, cards: vec[u8], at: i64, stop: i64, options: vec[i64]
) -> i64:
    """Write down what may be done with the sorted cards[at:stop].

    One loop for all of them, for this is half of a random game. Most cards cost what the city has
    itself, or what not even its neighbours sell: only the others have their payments worked out.
    """
    built = p.built
    names = seat * NAME_PLACES
    purse = p.city[seat * CITY + AT_COINS]
    powers = p.city[seat * CITY + AT_POWERS]
    free = bool(powers & FREE_ONCE) and may_build_free(p, seat)
    own_raw, own_made, all_raw, all_made = _within_reach(p, seat)
    # A stage costs the same whatever card is buried.
    stages = _add_stages(p, seat, purse, own_raw, own_made, all_raw, all_made, options)
    count: i64 = 0
    before: i64 = -1
    while at < stop:
        row = i64(cards[at])
        at += 1
        if row == before:
            continue
        before = row
        facts = FACTS[row]
        name = facts & NAME_BITS
        builds = count
        if not built[names + name]:
            price = facts >> PRICE_AT & 1
            raw = RAW_NEED[row]
            made = facts >> MADE_NEED_AT
            if (
                (price <= purse and meets(own_raw, own_made, raw, made))
                or built[names + (facts >> CHAIN_AT & NAME_BITS)]
                or built[names + (facts >> OTHER_CHAIN_AT & NAME_BITS)]
                or (powers >= FREE_COLOUR and is_waived_by_power(p, seat, COLOUR[row]))
            ):
                options[count] = BUILD | name
                count += 1
            elif price < purse and meets(all_raw, all_made, raw, made):
                # Nothing costs both coins and resources; the sum would be right even then.
                count = add_payments(p, seat, row, purse - price, BUILD | name, options, count)
        stage: i64 = _STAGES
        while stage < stages:
            options[count] = options[stage] | name
            count += 1
            stage += 1
        options[count] = SELL | name
        count += 1
        if free and not built[names + name]:
            gratis = options[builds] == BUILD | name and bank_price(p, seat, row) == 0
            if not gratis:
                options[count] = FREE | name
                count += 1
    return count


def _within_reach(p: SevenPosition, seat: i64) -> tuple[i64, i64, i64, i64]:
    """The raw and the manufactured sets a city reaches by itself, and with both neighbours."""
    reach = p.reach
    own_raw = reach[seat * REACH + OWN_RAW]
    own_made = reach[seat * REACH + OWN_MADE]
    left = left_of(seat, p.players) * REACH
    right = right_of(seat, p.players) * REACH
    all_raw = joined(joined(own_raw, reach[left + SOLD_RAW]), reach[right + SOLD_RAW])
    all_made = joined(joined(own_made, reach[left + SOLD_MADE]), reach[right + SOLD_MADE])
    return own_raw, own_made, all_raw, all_made


def _add_stages(
    p: SevenPosition,
    seat: i64,
    purse: i64,
    own_raw: i64,
    own_made: i64,
    all_raw: i64,
    all_made: i64,
    options: vec[i64],
) -> i64:
    """Write down every way to build the next stage, from _STAGES on; where they end."""
    row = next_stage(p, seat)
    if row < 0:
        return _STAGES
    raw = RAW_NEED[row]
    made = FACTS[row] >> MADE_NEED_AT
    if meets(own_raw, own_made, raw, made):
        options[_STAGES] = STAGE
        return _STAGES + 1
    if purse and meets(all_raw, all_made, raw, made):
        return add_payments(p, seat, row, purse, STAGE, options, _STAGES)
    return _STAGES


def bank_price(p: SevenPosition, seat: i64, row: i64) -> i64:
    """Coins the card costs this seat besides what it buys."""
    price: i64 = PRICE[row]
    if price and waived(p, seat, row):
        return 0
    return price
