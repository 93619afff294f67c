"""What a cost may be paid with: own symbols, and symbols bought from either neighbour.

The symbols that can pay a cost together form a matroid, so every payment worth making buys the
same number of units, and of these any number between a least and a most from the left. How many
a group of cities can cover follows from Hall's theorem: the worst set of resources decides.
Raw and manufactured units never mix in a symbol, and each kind has one price a neighbour.

The sets of a kind lie side by side in one number, four bits each, and are compared all at once:
a count is at most 7, and the fourth bit keeps it out of its neighbour's way.
"""

from itertools import accumulate
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.contract import left_of, right_of
from engine.seven.actions import LEFT_SHIFT, RIGHT_SHIFT
from engine.seven.components.lookup import (
    FACTS,
    MADE_NEED_AT,
    MADE_PLACES,
    RAW_NEED,
    REACHED,
    shift_of,
)
from engine.seven.state import (
    AT_MADE_PRICE,
    AT_RAW_LEFT,
    AT_RAW_RIGHT,
    CITY,
    OWN_MADE,
    OWN_RAW,
    REACH,
    SOLD_MADE,
    SOLD_RAW,
    SevenPosition,
)

IMPOSSIBLE: Final = -1
_ONES: Final = 0x111111111111111
_TWOS: Final = 2 * 0x111111111111111
_FOURS: Final = 4 * 0x111111111111111
_FIVES: Final = 5 * 0x111111111111111
_EIGHTS: Final = 8 * 0x111111111111111


def add_symbols(reach: vec[i64], at: i64, supply: i64, count: i64) -> None:
    """Let symbols that stand for one of a set of resources reach every set they can serve."""
    if supply > MADE_PLACES:
        at += OWN_MADE - OWN_RAW
    while count > 0:
        more = reach[at] + REACHED[supply]
        reach[at] = more - ((more & _EIGHTS) >> 3)  # no cost asks for more than 7
        count -= 1


def symbols_for(p: SevenPosition, seat: i64, place: i64) -> i64:
    """How many symbols of the city can stand for one of a set of resources, at most 7."""
    at: i64 = OWN_RAW if place < MADE_PLACES else OWN_MADE
    return p.reach[seat * REACH + at] >> shift_of(place) & 7


def joined(counts: i64, others: i64) -> i64:
    """Both together, set by set."""
    both = counts + others
    over = both & _EIGHTS
    return (both | over - (over >> 3)) & ~_EIGHTS


def meets(raw: i64, made: i64, raw_need: i64, made_need: i64) -> bool:
    """Whether every set of resources is reached as often as it is asked of."""
    rest = ((raw | _EIGHTS) - raw_need) & ((made | _EIGHTS) - made_need)
    return rest & _EIGHTS == _EIGHTS


def less(counts: i64, others: i64) -> i64:
    """By how much every count is over another, 0 where it is not."""
    rest = (counts | _EIGHTS) - others
    over = rest & _EIGHTS
    return rest & (over - (over >> 3))


def largest(counts: i64) -> i64:
    """The largest count."""
    if counts & _FOURS:
        found: i64 = 4
        while (counts + (7 - found) * _ONES) & _EIGHTS:
            found += 1
        return found
    if (counts + _FIVES) & _EIGHTS:
        return 3
    if counts & _TWOS:
        return 2
    return i64(1) if counts else i64(0)


def shortage(lack: i64, left: i64, right: i64) -> tuple[i64, i64, i64]:
    """Units to buy, and the least and the most of them from the left; or IMPOSSIBLE."""
    if lack == 0:
        return 0, 0, 0
    without_left = less(lack, right)
    if less(without_left, left):
        return IMPOSSIBLE, 0, 0
    units = largest(lack)
    return units, largest(without_left), units - largest(less(lack, left))


def add_payments(
    p: SevenPosition, seat: i64, row: i64, purse: i64, action: i64, options: vec[i64], count: i64
) -> i64:
    """Append the action once for every undominated payment the purse allows, least left first."""
    reach = p.reach
    own = seat * REACH
    left = left_of(seat, p.players) * REACH
    right = right_of(seat, p.players) * REACH
    raw, raw_least, raw_most = shortage(
        less(RAW_NEED[row], reach[own + OWN_RAW]),
        reach[left + SOLD_RAW],
        reach[right + SOLD_RAW],
    )
    made, made_least, made_most = shortage(
        less(FACTS[row] >> MADE_NEED_AT, reach[own + OWN_MADE]),
        reach[left + SOLD_MADE],
        reach[right + SOLD_MADE],
    )
    if raw < 0 or made < 0 or raw + made > purse:
        return count
    city = p.city
    base = seat * CITY
    raw_left = city[base + AT_RAW_LEFT]
    raw_right = city[base + AT_RAW_RIGHT]
    price = city[base + AT_MADE_PRICE]
    # As little as can be to the left; more there is only worth it for less to the right.
    to_left = raw_least * raw_left + made_least * price
    to_right = (raw - raw_least) * raw_right + (made - made_least) * price
    at = _swaps_at(raw_most - raw_least, made_most - made_least, raw_left, raw_right, price)
    swap = _SWAP_STARTS[at]
    stop = _SWAP_STARTS[at + 1]
    while swap < stop:
        more = to_left + (_SWAPS[swap] >> _MORE_AT)
        rest = to_right - (_SWAPS[swap] & _SAVED)
        if more + rest <= purse:
            options[count] = action | more << LEFT_SHIFT | rest << RIGHT_SHIFT
            count += 1
        swap += 1
    return count


# Units that either neighbour can sell: what to pay more to the left, and what that saves to the
# right, wherever that is more than any smaller payment saves. By raw units, others, and prices.
MOST_RAW: Final = 5
MOST_MADE: Final = 3
_SAVED: Final = 31
_MORE_AT: Final = 5


def _swaps_at(raw: i64, made: i64, raw_left: i64, raw_right: i64, price: i64) -> i64:
    return raw << 5 | made << 3 | (4 * raw_left + 2 * raw_right + price - 7)  # a price is 1 or 2


def _swaps(raw: int, made: int, raw_left: int, raw_right: int, price: int) -> list[int]:
    """The payments worth making, least left first; what is saved is in the lowest bits."""
    saved: dict[int, int] = {}
    for some in range(raw + 1):
        for others in range(made + 1):
            more = some * raw_left + others * price
            saved[more] = max(saved.get(more, 0), some * raw_right + others * price)
    found: list[int] = []
    best = -1
    for more in sorted(saved):
        if saved[more] > best:
            best = saved[more]
            found.append(more << _MORE_AT | best)
    return found


_ALL_SWAPS: Final = [
    _swaps(raw, made, raw_left, raw_right, price)
    for raw in range(MOST_RAW + 1)
    for made in range(MOST_MADE + 1)
    for raw_left in (1, 2)
    for raw_right in (1, 2)
    for price in (1, 2)
]
_SWAPS: Final = vec[i64]([swap for swaps in _ALL_SWAPS for swap in swaps])
_SWAP_STARTS: Final = vec[i64](list(accumulate(map(len, _ALL_SWAPS), initial=0)))
