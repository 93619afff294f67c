"""What a building or a stage does to its city: at once, and for good."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.contract import left_of, right_of
from engine.seven.components.lookup import (
    CARD_COUNT,
    COIN_EACH,
    COIN_WHAT,
    COIN_WHERE,
    COLOUR,
    DISCOUNTS,
    GAIN,
    MADE_BIT,
    NAME,
    NAME_PLACES,
    NO_SYMBOL,
    POINT,
    POWERS,
    RAW_LEFT_BIT,
    RAW_RIGHT_BIT,
    SHIELD,
    STAGE_COUNT,
    STAGE_PLACES,
    SUPPLIES,
    SUPPLY,
    SYMBOL,
    TRADED,
)
from engine.seven.components.rows import BLUE, COMPLETE, DEFEATS, LEFT, OWN, REVIVE, RIGHT, STAGES
from engine.seven.state import (
    AT_CIVIL,
    AT_COINS,
    AT_COLOURS,
    AT_DEFEATS,
    AT_MADE_PRICE,
    AT_POWERS,
    AT_RAW_LEFT,
    AT_RAW_RIGHT,
    AT_SCIENCE,
    AT_SHIELDS,
    AT_STAGES,
    AT_WONDER,
    CITY,
    OWN_RAW,
    REACH,
    SOLD_RAW,
    SevenPosition,
)
from engine.seven.trade import add_symbols


def next_stage(p: SevenPosition, seat: i64) -> i64:
    """The row of the stage to be built next, -1 if the wonder is complete."""
    board = i64(p.boards[seat])
    stage = p.city[seat * CITY + AT_STAGES]
    if stage == i64(STAGE_COUNT[board]):
        return -1
    return CARD_COUNT + board * STAGE_PLACES + stage


def place_building(p: SevenPosition, seat: i64, row: i64) -> None:
    """Put a card into the city; what it pays at once is not counted yet."""
    base = seat * CITY
    colour: i64 = COLOUR[row]
    p.built[seat * NAME_PLACES + NAME[row]] = u8(row + 1)
    p.city[base + AT_COLOURS + colour] += 1
    if colour == BLUE:
        p.city[base + AT_CIVIL] += POINT[row]
    _install(p, seat, row)


def newest_stage(p: SevenPosition, seat: i64) -> i64:
    """The row of the stage built last."""
    stages = p.city[seat * CITY + AT_STAGES]
    return CARD_COUNT + i64(p.boards[seat]) * STAGE_PLACES + stages - 1


def place_stage(p: SevenPosition, seat: i64) -> None:
    """Complete the next stage; what it pays at once is not counted yet."""
    row = next_stage(p, seat)
    base = seat * CITY
    p.city[base + AT_STAGES] += 1
    p.city[base + AT_WONDER] += POINT[row]
    powers: i64 = POWERS[row]
    if powers & REVIVE:
        p.reviver = seat
    p.city[base + AT_POWERS] |= powers & ~REVIVE
    _install(p, seat, row)


def _install(p: SevenPosition, seat: i64, row: i64) -> None:
    """Add what the row gives for good."""
    base = seat * CITY
    city = p.city
    city[base + AT_SHIELDS] += SHIELD[row]
    symbol: i64 = SYMBOL[row]
    if symbol != NO_SYMBOL:
        city[base + AT_SCIENCE + symbol] += 1
        return
    supply: i64 = SUPPLY[row]
    if supply:
        count: i64 = SUPPLIES[row]
        add_symbols(p.reach, seat * REACH + OWN_RAW, supply, count)
        if TRADED[row]:
            add_symbols(p.reach, seat * REACH + SOLD_RAW, supply, count)
        return
    bits: i64 = DISCOUNTS[row]
    if bits:
        if bits & RAW_LEFT_BIT:
            city[base + AT_RAW_LEFT] = 1
        if bits & RAW_RIGHT_BIT:
            city[base + AT_RAW_RIGHT] = 1
        if bits & MADE_BIT:
            city[base + AT_MADE_PRICE] = 1


def earn(p: SevenPosition, seat: i64, row: i64) -> None:
    """Pay out what the row gives at once, counting everything placed by now."""
    coins: i64 = GAIN[row]
    each: i64 = COIN_EACH[row]
    if each:
        coins += each * count_around(p, seat, COIN_WHAT[row], COIN_WHERE[row])
    p.city[seat * CITY + AT_COINS] += coins


def count_around(p: SevenPosition, seat: i64, what: i64, where: i64) -> i64:
    """How many of these things there are in the own city and beside it."""
    n = p.players
    found: i64 = 0
    if where & OWN:
        found += _count(p, seat, what)
    if where & LEFT:
        found += _count(p, left_of(seat, n), what)
    if where & RIGHT:
        found += _count(p, right_of(seat, n), what)
    return found


def _count(p: SevenPosition, seat: i64, what: i64) -> i64:
    base = seat * CITY
    city: vec[i64] = p.city
    found: i64 = 0
    colour: i64 = 0
    while colour < STAGES:
        if what >> colour & 1:
            found += city[base + AT_COLOURS + colour]
        colour += 1
    if what >> STAGES & 1:
        found += city[base + AT_STAGES]
    if what >> DEFEATS & 1:
        found += city[base + AT_DEFEATS]
    if what >> COMPLETE & 1 and next_stage(p, seat) < 0:
        found += 1
    return found
