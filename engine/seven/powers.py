"""What wonders allow beyond the ordinary: free buildings, the leftover card, the discard pile."""

from librt.vecs import vec
from mypy_extensions import i64

from engine.seven.actions import PASS, TAKE
from engine.seven.components.lookup import (
    CHAIN,
    COLOUR,
    HAND,
    NAME,
    NAME_PLACES,
    OTHER_CHAIN,
    REVIVES,
)
from engine.seven.components.rows import FREE_COLOUR, FREE_FIRST, FREE_ONCE, FREE_SIXTH, LAST_CARD
from engine.seven.state import (
    AT_COLOURS,
    AT_FREE_AGE,
    AT_POWERS,
    CARD,
    CITY,
    ENTRY,
    KIND,
    LEFT_OVER,
    MIXED,
    REVIVALS,
    SOLD,
    SevenPosition,
    entries,
)


def waived(p: SevenPosition, seat: i64, row: i64) -> bool:
    """Whether the card costs this seat nothing: by a chain, or by a power that always works."""
    base = seat * NAME_PLACES
    if p.built[base + CHAIN[row]] or p.built[base + OTHER_CHAIN[row]]:
        return True
    return is_waived_by_power(p, seat, COLOUR[row])


def is_waived_by_power(p: SevenPosition, seat: i64, colour: i64) -> bool:
    """Whether a power makes cards of the colour cost nothing this turn."""
    powers = p.city[seat * CITY + AT_POWERS]
    if powers & FREE_COLOUR and p.city[seat * CITY + AT_COLOURS + colour] == 0:
        return True
    if powers & FREE_FIRST and p.turn == 0:
        return True
    return bool(powers & FREE_SIXTH) and p.turn == HAND - 2


def may_build_free(p: SevenPosition, seat: i64) -> bool:
    """Whether the one free building of this Age is still to come."""
    base = seat * CITY
    return bool(p.city[base + AT_POWERS] & FREE_ONCE) and p.city[base + AT_FREE_AGE] <= p.age


def last_card_player(p: SevenPosition) -> i64:
    """The seat that may play its leftover card, -1 if there is none."""
    seat: i64 = 0
    while seat < p.players:
        if p.city[seat * CITY + AT_POWERS] & LAST_CARD:
            return seat
        seat += 1
    return -1


def reviving_seat(p: SevenPosition) -> i64:
    """The seat whose board looks into the discard pile, -1 if it is not in play."""
    seat: i64 = 0
    while seat < p.players:
        if REVIVES[i64(p.boards[seat])]:
            return seat
        seat += 1
    return -1


def in_pile(p: SevenPosition, entry: i64) -> bool:
    """Whether the card of this entry of the log lies in the discard pile."""
    kind = i64(p.log[entry * ENTRY + KIND]) & ~MIXED
    if kind != SOLD and kind != LEFT_OVER:
        return False
    i: i64 = 0
    while i < REVIVALS:
        if i64(p.revived[2 * i]) == entry:
            return False
        i += 1
    return True


def find_in_pile(p: SevenPosition, name: i64) -> i64:
    """The first discard of that name: its entry of the log."""
    entry: i64 = 0
    while not (in_pile(p, entry) and i64(NAME[i64(p.log[entry * ENTRY + CARD])]) == name):
        entry += 1
    return entry


def add_revivals(p: SevenPosition, seat: i64, options: vec[i64]) -> i64:
    """List every different card of the pile whose name the city lacks, and passing."""
    taken = p.built[seat * NAME_PLACES : (seat + 1) * NAME_PLACES]
    count: i64 = 0
    entry: i64 = 0
    stop = entries(p)
    while entry < stop:
        if in_pile(p, entry):
            name: i64 = NAME[i64(p.log[entry * ENTRY + CARD])]
            if not taken[name]:
                taken[name] = 1
                options[count] = TAKE | name
                count += 1
        entry += 1
    options[count] = PASS
    return count + 1
