"""A position of 7 Wonders: flat numbers, cheap to copy; every chapter of the rules works on it."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from engine.contract import State
from engine.seven.actions import PLAY, REVIVING
from engine.seven.components.lookup import HAND

# What a seat did with a card. A mark is added in a view that knows which cards went, but not when.
BUILT: Final = 1
BURIED: Final = 2
SOLD: Final = 3
LEFT_OVER: Final = 4
MIXED: Final = 8

# The numbers of a city.
AT_COINS: Final = 0
AT_SHIELDS: Final = 1
AT_VICTORIES: Final = 2  # in points
AT_DEFEATS: Final = 3  # in tokens
AT_STAGES: Final = 4
AT_POWERS: Final = 5
AT_FREE_AGE: Final = 6  # the last Age, from 1, whose free building is used up
AT_RAW_LEFT: Final = 7  # prices
AT_RAW_RIGHT: Final = 8
AT_MADE_PRICE: Final = 9
AT_COLOURS: Final = 10  # seven counts of cards
AT_SCIENCE: Final = 17  # compasses, gears, tablets, and symbols still to choose
AT_CIVIL: Final = 21  # points
AT_WONDER: Final = 22  # points
CITY: Final = 24

# The log: three bytes for every seat, seven rounds an Age (the seventh for the leftover cards).
ROUNDS: Final = 7
CARD: Final = 0
KIND: Final = 1
PAY: Final = 2  # the left share above the right one
ENTRY: Final = 3

# How many symbols reach each set of raw resources, and of manufactured ones, in one number each.
OWN_RAW: Final = 0
OWN_MADE: Final = 1
SOLD_RAW: Final = 2  # of the symbols that neighbours may buy
SOLD_MADE: Final = 3
REACH: Final = 4

REVIVALS: Final = 3


@mypyc_attr(acyclic=True)
class SevenPosition(State):
    """The whole table. What never changes after the deal is shared between clones."""

    def __init__(self, source: "SevenPosition | None") -> None:
        super().__init__()
        if source is None:
            self.edition: i64 = 0
            self.age: i64 = 0
            self.turn: i64 = 0
            self.phase: i64 = PLAY
            # Who owes a revival at the end of the turn, -1 for nobody; how many there were.
            self.reviver: i64 = -1
            self.revivals: i64 = 0
            # The reviver has seen the discards of the log before this entry.
            self.peeked: i64 = 0
            self.boards: vec[u8] = vec[u8]()
            # Seven cards for every Age and hand, sorted; a hand is named by its first holder.
            self.dealt: vec[u8] = vec[u8]()
            self.hands: vec[u8] = vec[u8]()
            self.commits: vec[i64] = vec[i64]()
            self.log: vec[u8] = vec[u8]()
            # For every revival the entry of the log the card came from, and the card.
            self.revived: vec[u8] = vec[u8]()
            self.city: vec[i64] = vec[i64]()
            # For every seat and name the card that stands there, plus one.
            self.built: vec[u8] = vec[u8]()
            # For every seat four numbers, of four bits for each set of resources.
            self.reach: vec[i64] = vec[i64]()
        else:
            self.players = source.players
            self.viewer = source.viewer
            self.edition = source.edition
            self.age = source.age
            self.turn = source.turn
            self.phase = source.phase
            self.reviver = source.reviver
            self.revivals = source.revivals
            self.peeked = source.peeked
            self.boards = source.boards
            self.dealt = source.dealt
            self.hands = source.hands[:]
            self.commits = source.commits[:]
            self.log = source.log[:]
            self.revived = source.revived[:]
            self.city = source.city[:]
            self.built = source.built[:]
            self.reach = source.reach[:]


def hand_at(players: i64, age: i64, turn: i64, seat: i64) -> i64:
    """The hand a seat holds: hands go left in the first and third Age, right in the second."""
    if turn == HAND - 1:
        turn = HAND - 2  # the leftover card stays with the seat
    return _around(players, seat + turn if age == 1 else seat - turn)


def holder(players: i64, age: i64, turn: i64, hand: i64) -> i64:
    """The seat that holds a hand: the inverse of `hand_at`."""
    if turn == HAND - 1:
        turn = HAND - 2
    return _around(players, hand - turn if age == 1 else hand + turn)


def _around(players: i64, number: i64) -> i64:
    """The number of a seat or hand, counted on around the table; cheaper than a division."""
    while number < 0:
        number += players
    while number >= players:
        number -= players
    return number


def rounds_of(p: SevenPosition, age: i64) -> i64:
    """How many rounds of the Age are in the log."""
    if age < p.age:
        return ROUNDS
    return _rounds(p) - age * ROUNDS


def hand_of(p: SevenPosition, seat: i64) -> i64:
    """Where the cards of the seat begin."""
    return hand_at(p.players, p.age, p.turn, seat) * HAND


def entries(p: SevenPosition) -> i64:
    """How many entries of the log are written."""
    return _rounds(p) * p.players


def _rounds(p: SevenPosition) -> i64:
    """How many rounds of the log are written."""
    rounds = p.age * ROUNDS + p.turn
    return rounds + 1 if p.phase >= REVIVING else rounds


def hand_size(p: SevenPosition) -> i64:
    """How many cards every hand holds."""
    return HAND - rounds_of(p, p.age)
