"""A position of Architects: flat fields, read by the rules and by bots alike."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CENTRE_SIZE,
    CULTURE,
    CULTURE_2,
    CULTURE_3,
    CULTURE_ID,
    DECK_SIZE,
    FACE_UP,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    STAGE_COUNT,
)
from engine.contract import State

# More than any decision offers: three stages, each with up to 70 payments by Engineering, 18 extra
# cards, 4 studies and the end.
MAX_OPTIONS: Final[i64] = 320
NOBODY: Final[i64] = -1
STACK_SIZE: Final[i64] = 16


# A face-down card: the seat it was given to, its kind, and the seats that know it, by bit.
KIND_AT: Final[i64] = 4
KNOWING_AT: Final[i64] = 8
FIELD: Final[i64] = 15


def give(seat: i64, kind: i64, knowing: i64) -> i64:
    """A card given face down."""
    return seat | kind << KIND_AT | knowing << KNOWING_AT


def given_seat(given: i64) -> i64:
    """Whom a face-down card was given to."""
    return given & FIELD


def given_kind(given: i64) -> i64:
    """What it is; HIDDEN where the view does not know."""
    return given >> KIND_AT & FIELD


def given_known(given: i64, seat: i64) -> bool:
    """Whether a seat knows what it is."""
    return given >> (KNOWING_AT + seat) & 1 != 0


def with_kind(given: i64, kind: i64) -> i64:
    """The same card, taken to be of that kind."""
    return given & ~(FIELD << KIND_AT) | kind << KIND_AT


def zeros(count: i64) -> vec[i64]:
    """A vector of noughts."""
    return vec[i64]([0] * count)


BLANK: Final = zeros(MAX_OPTIONS)


@mypyc_attr(acyclic=True)
class ArchitectsPosition(State):
    """Everything on the table; deck `seat` is that seat's own, deck `players` the centre's."""

    def __init__(self, players: i64, source: ArchitectsPosition | None) -> None:
        super().__init__()
        self.players = players
        if source is None:
            self.medals_used: i64 = 0  # 1: the expansion is in play
            self.tokens_used: i64 = 0  # 1: its Progress tokens are, with or without the rest
            self.expert: i64 = 0
            self.wonder: vec[i64] = zeros(players)
            # Deck d starts at d * 25; its top is the last of its size[d] cards.
            self.deck: vec[u8] = vec[u8]([0] * (players * DECK_SIZE + CENTRE_SIZE))
            self.size: vec[i64] = zeros(players + 1)
            # By deck * 14 + kind: cards of that deck that never lay before a seat.
            self.stock: vec[i64] = zeros((players + 1) * KIND_COUNT)
            # By seat * 14 + kind: cards in front of the seat.
            self.cards: vec[i64] = zeros(players * KIND_COUNT)
            self.built: vec[i64] = zeros(players)  # a bit for each stage
            self.owned: vec[i64] = zeros(players)  # a bit for each Progress token
            self.military: vec[i64] = zeros(players)
            self.won: vec[i64] = zeros(players)  # medals
            self.face_up: vec[i64] = vec[i64]([NO_TOKEN] * FACE_UP)
            self.stack: vec[u8] = vec[u8]([0] * STACK_SIZE)
            self.stacked: i64 = 0  # tokens in the stack; the top is the last of them
            # Medal i lies between seat i and the seat to its left; then the two of the centre.
            self.medal: vec[i64] = vec[i64]([NO_MEDAL] * (players + CENTRE_MEDALS))
            # Face-down cards in the order given, laid out as `give` has it.
            self.given: vec[i64] = vec[i64]()
            self.cat: i64 = NOBODY
            self.flipped: i64 = 0  # conflict tokens on their battle side
            self.turn: i64 = 0
            self.ask: i64 = 0  # the question; OVER when the game is
            self.armed: i64 = 0  # tokens of the seat whose turn it is, by bit
            self.used: i64 = 0
            self.looking: i64 = NOBODY  # the deck whose top cards lie open for a pick
            self.peeked: i64 = 0  # seats that know the centre's top, by bit
            self.chance: i64 = 0
            self.options: vec[i64] = vec[i64]()
            self.offered: i64 = 0  # how many options are valid
        else:
            self.viewer = source.viewer
            self.medals_used = source.medals_used
            self.tokens_used = source.tokens_used
            self.expert = source.expert
            self.wonder = source.wonder  # never changes: shared
            self.deck = source.deck[:]
            self.size = source.size[:]
            self.stock = source.stock[:]
            self.cards = source.cards[:]
            self.built = source.built[:]
            self.owned = source.owned[:]
            self.military = source.military[:]
            self.won = source.won[:]
            self.face_up = source.face_up[:]
            self.stack = source.stack[:]
            self.stacked = source.stacked
            self.medal = source.medal[:]
            self.given = source.given[:]
            self.cat = source.cat
            self.flipped = source.flipped
            self.turn = source.turn
            self.ask = source.ask
            self.armed = source.armed
            self.used = source.used
            self.looking = source.looking
            self.peeked = source.peeked
            self.chance = source.chance
            self.options = source.options[: source.offered]
            self.offered = source.offered

    def top(self, deck: i64) -> i64:
        """The kind on top of a deck that is not empty; HIDDEN where the view does not know."""
        return i64(self.deck[deck * DECK_SIZE + self.size[deck] - 1])

    def stages(self, seat: i64) -> i64:
        """How many stages the seat has built."""
        return bits(self.built[seat])

    def tokens(self, seat: i64) -> i64:
        """How many Progress tokens the seat owns."""
        return bits(self.owned[seat])

    def copies(self, seat: i64, token: i64) -> i64:
        """How many copies of a Progress token the seat owns; only Culture comes in several."""
        owned = self.owned[seat]
        if token == CULTURE_ID:
            return bits(owned & (CULTURE | CULTURE_2 | CULTURE_3))
        return owned >> token & 1

    def complete(self, seat: i64) -> bool:
        """Whether the seat's wonder is entirely built."""
        return self.built[seat] == (1 << STAGE_COUNT) - 1

    def offer(self, action: i64) -> None:
        """Add an option to the question being asked."""
        self.options[self.offered] = action
        self.offered += 1

    def clear_options(self) -> None:
        """Start a new list of options; a clone gets room of its own here."""
        if len(self.options) < MAX_OPTIONS:
            self.options = BLANK[:]
        self.offered = 0


def bits(set_: i64) -> i64:
    """How many bits are set."""
    count: i64 = 0
    while set_:
        set_ &= set_ - 1
        count += 1
    return count
