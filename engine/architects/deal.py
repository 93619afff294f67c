"""Setting up the table, and shuffling what lies on it."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.architects.components.ids import WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_DECK,
    CENTRE_MEDALS,
    COPIES,
    COPIES_EXPANDED,
    DECK_SIZE,
    FACE_UP,
    KIND_COUNT,
    MEDAL_COUNT,
    STARTING,
)
from engine.architects.setup import MEDALS_EXPANSION
from engine.architects.state import ArchitectsPosition
from engine.match import Setup
from engine.rng import Rng, derive

EVERY_MEDAL: Final = vec[u8](range(MEDAL_COUNT))
EVERY_TOKEN: Final = vec[u8]([token for token, count in enumerate(COPIES) for _ in range(count)])
EVERY_TOKEN_EXPANDED: Final = vec[u8](
    [token for token, count in enumerate(COPIES_EXPANDED) for _ in range(count)]
)


def lay_out(p: ArchitectsPosition, setup: Setup) -> None:
    """Put the wonders, decks and tokens of the setup on the table, nothing shuffled yet."""
    p.medals_used = 1 if MEDALS_EXPANSION in setup.variant.expansions else 0
    p.tokens_used = 1 if setup.variant.expansions else 0  # medals bring them along
    p.expert = 1 if setup.variant.expert else 0
    for seat in range(p.players):
        p.wonder[seat] = WONDER_IDS.index(setup.wonders[seat])
    for deck in range(p.players + 1):
        row = starting_row(p, deck)
        size: i64 = 0
        for kind in range(KIND_COUNT):
            count = i64(STARTING[row + kind])
            p.stock[deck * KIND_COUNT + kind] = count
            for _copy in range(count):
                p.deck[deck * DECK_SIZE + size] = u8(kind)
                size += 1
        p.size[deck] = size


def starting_row(p: ArchitectsPosition, deck: i64) -> i64:
    """Where the cards a deck starts with stand in the table of all decks."""
    return (CENTRE_DECK if deck == p.players else p.wonder[deck]) * KIND_COUNT


def shuffle_all(p: ArchitectsPosition, seed: int) -> None:
    """Shuffle the decks, the tokens and the medals, each where it lies."""
    rng = Rng(derive(seed, "deal"))
    for deck in range(p.players + 1):
        start = deck * DECK_SIZE
        rng.shuffle(p.deck, start, start + p.size[deck])
    tokens = all_tokens(p)
    rng.shuffle(tokens, 0, len(tokens))
    lay_tokens(p, tokens)
    if p.medals_used:
        medals = EVERY_MEDAL[:]
        rng.shuffle(medals, 0, MEDAL_COUNT)
        for place in range(p.players + (CENTRE_MEDALS if p.expert else 0)):
            p.medal[place] = i64(medals[place])
    p.chance = rng.fork()


def all_tokens(p: ArchitectsPosition) -> vec[u8]:
    """The Progress tokens in play, in the order of their ids."""
    return EVERY_TOKEN_EXPANDED[:] if p.tokens_used else EVERY_TOKEN[:]


def lay_tokens(p: ArchitectsPosition, tokens: vec[u8]) -> None:
    """The first three lie face up, the rest is the stack, top first."""
    for place in range(FACE_UP):
        p.face_up[place] = i64(tokens[place])
    p.stacked = len(tokens) - FACE_UP
    for at in range(p.stacked):
        p.stack[at] = tokens[len(tokens) - 1 - at]
