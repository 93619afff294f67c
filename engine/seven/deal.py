"""Laying out the boards and dealing the three Ages."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.rng import Rng
from engine.seven.actions import UNDECIDED
from engine.seven.components.lookup import (
    AGES,
    GUILDS,
    HAND,
    HIDDEN,
    MAX_PLAYERS,
    NAME_PLACES,
    NONE,
    STARTS,
    deck,
)
from engine.seven.state import (
    AT_COINS,
    AT_MADE_PRICE,
    AT_RAW_LEFT,
    AT_RAW_RIGHT,
    CITY,
    ENTRY,
    OWN_RAW,
    REACH,
    REVIVALS,
    ROUNDS,
    SOLD_RAW,
    SevenPosition,
)
from engine.seven.trade import add_symbols

START_COINS: Final = 3
UNIT_PRICE: Final = 2


def filled(length: int, value: int) -> vec[u8]:
    """A row of equal bytes."""
    return vec[u8]([u8(value) for _ in range(length)])


_ZEROES: Final = filled(MAX_PLAYERS * max(AGES * ROUNDS * ENTRY, NAME_PLACES), 0)
_HIDDEN: Final = filled(AGES * MAX_PLAYERS * HAND, HIDDEN)
_NONES: Final = filled(MAX_PLAYERS * HAND, NONE)
_NO_REACH: Final = vec[i64]([0 for _ in range(MAX_PLAYERS * REACH)])
_UNDECIDED: Final = vec[i64]([UNDECIDED for _ in range(MAX_PLAYERS)])


def _found_city() -> vec[i64]:
    city = vec[i64]([0 for _ in range(MAX_PLAYERS * CITY)])
    for seat in range(MAX_PLAYERS):
        city[seat * CITY + AT_COINS] = START_COINS
        for price in (AT_RAW_LEFT, AT_RAW_RIGHT, AT_MADE_PRICE):
            city[seat * CITY + price] = UNIT_PRICE
    return city


_CITIES: Final = _found_city()


def lay_boards(p: SevenPosition, edition: i64, boards: list[int]) -> None:
    """Set up empty cities beside the boards; no cards yet."""
    n: i64 = len(boards)
    p.players = n
    p.edition = edition
    p.boards = _ZEROES[:n]
    p.dealt = _HIDDEN[: AGES * n * HAND]
    p.hands = _NONES[: n * HAND]
    p.commits = _UNDECIDED[:n]
    p.log = _ZEROES[: AGES * ROUNDS * n * ENTRY]
    p.revived = _NONES[: 2 * REVIVALS]
    p.city = _CITIES[: n * CITY]
    p.built = _ZEROES[: n * NAME_PLACES]
    p.reach = _NO_REACH[: n * REACH]
    for seat in range(n):
        board: i64 = boards[seat]
        p.boards[seat] = u8(board)
        add_symbols(p.reach, seat * REACH + OWN_RAW, STARTS[board], 1)
        add_symbols(p.reach, seat * REACH + SOLD_RAW, STARTS[board], 1)


def shuffle_decks(p: SevenPosition, rng: Rng) -> None:
    """Deal all three Ages; of the guilds two more than there are players take part."""
    n = p.players
    size = n * HAND
    guilds = vec[u8]([u8(row) for row in GUILDS[p.edition]])
    rng.shuffle(guilds, 0, len(guilds))
    for age in range(i64(AGES)):
        start = age * size
        cards = deck(p.edition, age, n)
        count: i64 = len(cards)
        for i in range(size):
            p.dealt[start + i] = u8(cards[i]) if i < count else guilds[i - count]
        rng.shuffle(p.dealt, start, start + size)
    sort_hands(p.dealt)


def sort_hands(cards: vec[u8]) -> None:
    """Put every seven cards in order, so that a hand tells nothing but its cards."""
    for hand in range(i64(len(cards)) // HAND):
        sort_cards(cards, hand * HAND, (hand + 1) * HAND)


def sort_cards(cards: vec[u8], start: i64, stop: i64) -> None:
    """Put cards[start:stop] in order."""
    for at in range(start + 1, stop):
        card = cards[at]
        to = at
        while to > start and cards[to - 1] > card:
            cards[to] = cards[to - 1]
            to -= 1
        cards[to] = card
