"""What a seat knows: forgetting the rest, and imagining it again."""

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from engine.architects.actions import PICK
from engine.architects.components.lookup import (
    COPIES,
    COPIES_EXPANDED,
    DECK_SIZE,
    FACE_UP,
    HIDDEN,
    HIDDEN_TOKEN,
    KIND_COUNT,
    TOKEN_COUNT,
)
from engine.architects.powers import open_top
from engine.architects.state import ArchitectsPosition, given_kind, given_known, with_kind
from engine.rng import Rng


def redact_state(p: ArchitectsPosition, seat: i64) -> None:
    """Forget how decks and stack lie, face-down cards and chance, but not what the seat saw."""
    for deck in range(p.players + 1):
        top = deck * DECK_SIZE + p.size[deck]
        for at in range(deck * DECK_SIZE, top - known_top(p, deck, seat)):
            p.deck[at] = u8(HIDDEN)
    for at in range(p.stacked):
        p.stack[at] = u8(HIDDEN_TOKEN)
    for at in range(len(p.given)):
        if not given_known(p.given[at], seat):
            p.given[at] = with_kind(p.given[at], HIDDEN)
    p.chance = 0
    p.viewer = seat


def known_top(p: ArchitectsPosition, deck: i64, seat: i64) -> i64:
    """How many cards on top of a deck the seat knows."""
    if p.size[deck] == 0:
        return 0
    if deck == p.players:
        return p.peeked >> seat & 1
    if p.ask == PICK and p.looking == deck:
        return open_top(p, deck)
    return 1


def imagine_state(p: ArchitectsPosition, rng: Rng) -> None:
    """Deal the unseen cards and tokens at random to the places that hide them."""
    for deck in range(p.players + 1):
        _imagine_deck(p, deck, rng)
    _imagine_stack(p, rng)
    p.chance = rng.fork()
    p.viewer = -1


def _imagine_deck(p: ArchitectsPosition, deck: i64, rng: Rng) -> None:
    start = deck * DECK_SIZE
    top = start + p.size[deck]
    unseen = vec[u8]()
    for kind in range(KIND_COUNT):
        count = p.stock[deck * KIND_COUNT + kind]
        for at in range(start, top):
            if i64(p.deck[at]) == kind:
                count -= 1
        if deck == p.players:
            for given in p.given:
                if given_kind(given) == kind:
                    count -= 1
        for _copy in range(count):
            unseen = append(unseen, u8(kind))
    rng.shuffle(unseen, 0, len(unseen))
    next: i64 = 0
    for at in range(start, top):
        if i64(p.deck[at]) == HIDDEN:
            p.deck[at] = unseen[next]
            next += 1
    if deck == p.players:
        for at in range(len(p.given)):
            if given_kind(p.given[at]) == HIDDEN:
                p.given[at] = with_kind(p.given[at], i64(unseen[next]))
                next += 1


def _imagine_stack(p: ArchitectsPosition, rng: Rng) -> None:
    unseen = vec[u8]()
    for token in range(TOKEN_COUNT):
        for _copy in range(tokens_unseen(p, token)):
            unseen = append(unseen, u8(token))
    rng.shuffle(unseen, 0, len(unseen))
    next: i64 = 0
    for at in range(p.stacked):
        if i64(p.stack[at]) == HIDDEN_TOKEN:
            p.stack[at] = unseen[next]
            next += 1


def tokens_unseen(p: ArchitectsPosition, token: i64) -> i64:
    """Copies of a token that are neither face up, nor owned, nor known to be in the stack."""
    count = i64(COPIES_EXPANDED[token] if p.tokens_used else COPIES[token])
    for place in range(FACE_UP):
        if p.face_up[place] == token:
            count -= 1
    for seat in range(p.players):
        count -= p.copies(seat, token)
    for at in range(p.stacked):
        if i64(p.stack[at]) == token:
            count -= 1
    return count
