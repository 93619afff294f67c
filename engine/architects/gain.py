"""Cards and tokens that come before a seat, by whatever way."""

from librt.vecs import append, vec
from mypy_extensions import i64

from engine.architects.actions import CENTRE, LEFT
from engine.architects.claim import claim
from engine.architects.components.lookup import (
    ARMS,
    CAT_ICON,
    CONFLICTS,
    CULTURE,
    CULTURE_2,
    CULTURE_3,
    CULTURE_ID,
    FACE_UP,
    HORNS,
    KIND_COUNT,
    NO_TOKEN,
)
from engine.architects.state import ArchitectsPosition, given_kind, given_seat
from engine.contract import right_of


def deck_at(p: ArchitectsPosition, which: i64) -> i64:
    """The deck to the left, to the right or in the centre, as seen by the seat whose turn it is."""
    if which == CENTRE:
        return p.players
    if which == LEFT:
        return p.turn
    return right_of(p.turn, p.players)


def lift(p: ArchitectsPosition, deck: i64) -> i64:
    """Take the top off a deck that has one: what seats knew of the centre's top is over."""
    kind = p.top(deck)
    p.size[deck] -= 1
    if deck == p.players:
        p.peeked = 0
    return kind


def take_top(p: ArchitectsPosition, deck: i64) -> None:
    """Gain the top of a deck that has one."""
    kind = lift(p, deck)
    p.stock[deck * KIND_COUNT + kind] -= 1
    gain(p, kind)


def gain(p: ArchitectsPosition, kind: i64) -> None:
    """Put a card in front of the seat: its icons work, its tokens are armed, medals are claimed."""
    p.cards[p.turn * KIND_COUNT + kind] += 1
    if CAT_ICON[kind]:
        p.cat = p.turn
    if HORNS[kind]:
        p.flipped = min(p.flipped + i64(HORNS[kind]), i64(CONFLICTS[p.players]))
    p.armed |= i64(ARMS[kind]) & p.owned[p.turn] & ~p.used
    claim(p)


def reveal_given(p: ArchitectsPosition) -> None:
    """Gain the face-down cards the seat was given, in the order they came."""
    kept = vec[i64]()
    for given in p.given:
        if given_seat(given) == p.turn:
            kind = given_kind(given)
            p.stock[p.players * KIND_COUNT + kind] -= 1
            gain(p, kind)
        else:
            kept = append(kept, given)
    p.given = kept


def lift_token(p: ArchitectsPosition) -> i64:
    """Take the top off a stack of Progress tokens that has one."""
    p.stacked -= 1
    return i64(p.stack[p.stacked])


def own_token(p: ArchitectsPosition, token: i64) -> None:
    """The token works from now on; further copies of Culture have bits of their own."""
    owned = p.owned[p.turn]
    bit: i64 = 1 << token
    if token == CULTURE_ID:
        if owned & CULTURE_2:
            bit = CULTURE_3
        elif owned & CULTURE:
            bit = CULTURE_2
    p.owned[p.turn] = owned | bit
    claim(p)


def take_face_up(p: ArchitectsPosition, token: i64) -> None:
    """Take a face-up token; the top of the stack replaces it at once."""
    for place in range(FACE_UP):
        if p.face_up[place] == token:
            p.face_up[place] = lift_token(p) if p.stacked else NO_TOKEN
            break
    own_token(p, token)
