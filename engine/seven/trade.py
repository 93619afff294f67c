"""What a cost may be paid with: own symbols, and symbols bought from either neighbour.

The symbols that can pay a cost together form a matroid, so every payment worth making buys the
same number of units, and of these any number between a least and a most from the left. How many
a group of cities can cover follows from Hall's theorem: the worst set of resources decides.
Raw and manufactured units never mix in a symbol, and each kind has one price a neighbour.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.contract import left_of, right_of
from engine.seven.actions import LEFT_SHIFT, RIGHT_SHIFT
from engine.seven.components.lookup import ASKED, MADE_PLACES, MADE_SETS, PLACES, SETS
from engine.seven.state import AT_MADE_PRICE, AT_RAW_LEFT, AT_RAW_RIGHT, CITY, REACH, SevenPosition

IMPOSSIBLE: Final = -1


def add_symbols(reach: vec[u8], base: i64, supply: i64, count: i64) -> None:
    """Let symbols that stand for one of a set of resources reach every set they can serve."""
    place: i64 = 1
    stop: i64 = MADE_PLACES
    if supply > MADE_PLACES:
        place = MADE_PLACES + 1
        stop = PLACES
    while place < stop:
        if place & supply & (MADE_PLACES - 1):
            reach[base + place] += u8(count)
        place += 1


def shortage(
    reach: vec[u8], at: i64, stop: i64, own: i64, left: i64, right: i64
) -> tuple[i64, i64, i64]:
    """Units to buy, and the least and the most of them from the left; or IMPOSSIBLE."""
    short: i64 = 0
    without_left: i64 = 0
    without_right: i64 = 0
    while at < stop:
        place: i64 = ASKED[2 * at]
        lack: i64 = ASKED[2 * at + 1] - i64(reach[own + place])
        if lack > 0:
            if lack > short:
                short = lack
            from_left = i64(reach[left + place])
            from_right = i64(reach[right + place])
            if lack > from_left + from_right:
                return IMPOSSIBLE, 0, 0
            if lack - from_right > without_left:
                without_left = lack - from_right
            if lack - from_left > without_right:
                without_right = lack - from_left
        at += 1
    return short, without_left, short - without_right


def add_payments(
    p: SevenPosition, seat: i64, cost: i64, purse: i64, action: i64, options: vec[i64], count: i64
) -> i64:
    """Append the action once for every undominated payment the purse allows, least left first."""
    reach = p.reach
    own = seat * REACH
    left = left_of(seat, p.players) * REACH + PLACES
    right = right_of(seat, p.players) * REACH + PLACES
    middle: i64 = MADE_SETS[cost]
    raw, raw_least, raw_most = shortage(reach, SETS[cost], middle, own, left, right)
    if raw < 0 or raw > purse:
        return count
    made, made_least, made_most = shortage(reach, middle, SETS[cost + 1], own, left, right)
    if made < 0 or raw + made > purse:
        return count
    if raw + made == 0:
        options[count] = action
        return count + 1
    base = seat * CITY
    raw_left = p.city[base + AT_RAW_LEFT]
    raw_right = p.city[base + AT_RAW_RIGHT]
    price = p.city[base + AT_MADE_PRICE]
    # As little as can be to the left; more there is only worth it for less to the right.
    least = raw_least * raw_left + made_least * price
    other = (raw - raw_least) * raw_right + (made - made_least) * price
    raw_most -= raw_least
    made_most -= made_least
    cheapest = purse + 1
    for more in range(min(purse - least, raw_most * raw_left + made_most * price) + 1):
        saved = _most_saved(more, raw_most, raw_left, raw_right, made_most, price)
        if saved >= 0 and other - saved < cheapest:
            cheapest = other - saved
            if least + more + cheapest <= purse:
                options[count] = action | (least + more) << LEFT_SHIFT | cheapest << RIGHT_SHIFT
                count += 1
    return count


def _most_saved(
    more: i64, raw_most: i64, raw_left: i64, raw_right: i64, made_most: i64, price: i64
) -> i64:
    """The most saved to the right by paying exactly so much more to the left; or IMPOSSIBLE."""
    most: i64 = IMPOSSIBLE
    shift = price - 1  # a price is 1 or 2
    for raw in range(raw_most + 1):
        rest = more - raw * raw_left
        if rest < 0:
            break
        made = rest >> shift
        if made << shift == rest and made <= made_most and raw * raw_right + rest > most:
            most = raw * raw_right + rest
    return most
