"""Whether the parts of a position fit together: what a dump claims is believed only then."""

from typing import Final

from mypy_extensions import i64

from engine.architects.actions import ANY, OVER, PICK, SIDE, STEAL
from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CULTURE,
    CULTURE_2,
    CULTURE_3,
    DECK_SIZE,
    EFFECT,
    FACE_UP,
    HIDDEN,
    HIDDEN_TOKEN,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    RESTS_ON,
    STAGE_COUNT,
    STARTING,
    TOKEN_COUNT,
)
from engine.architects.components.wonders import ANY_DECK, LOOK_THROUGH, STEAL_CARD, WONDERS
from engine.architects.deal import starting_row
from engine.architects.knowledge.redact import known_top, tokens_unseen
from engine.architects.state import ArchitectsPosition, given_kind, given_known, given_seat
from engine.architects.turn import offer
from engine.contract import right_of
from engine.errors import DumpError

# The question an effect puts; other questions are open to every seat.
_ASKED_BY: Final = {
    int(ANY): ANY_DECK,
    int(SIDE): LOOK_THROUGH,
    int(PICK): LOOK_THROUGH,
    int(STEAL): STEAL_CARD,
}


def check_whole(p: ArchitectsPosition) -> None:
    """The parts must fit together: no card twice, none missing, and a real decision to take."""
    if len({*p.wonder}) != p.players:
        raise DumpError(f"expected different wonders, got {list(p.wonder)}")
    for kind in range(KIND_COUNT):
        gone: i64 = 0
        for deck in range(p.players + 1):
            gone += i64(STARTING[starting_row(p, deck) + kind]) - p.stock[deck * KIND_COUNT + kind]
            _check_stock(p, deck, kind)
        for seat in range(p.players):
            gone -= p.cards[seat * KIND_COUNT + kind]
        if gone < 0:
            raise DumpError("expected no more cards before the seats than left the decks, got more")
    _check_sizes(p)
    _check_tokens(p)
    _check_turn(p)
    _check_medals(p)
    _check_given(p)
    if p.viewer >= 0:
        _check_view(p)
    if (p.ask == PICK) != (p.looking >= 0):
        raise DumpError(f"expected a deck to pick from just when picking, got {p.looking}")
    if (p.chance == 0) != (p.viewer >= 0):
        raise DumpError("expected chance hidden just in a view, got otherwise")
    if p.ask != OVER:
        offer(p)
        if p.offered < 2:
            raise DumpError(f"expected a decision with two options or more, got {p.offered}")


def _check_stock(p: ArchitectsPosition, deck: i64, kind: i64) -> None:
    known: i64 = 0
    for at in range(deck * DECK_SIZE, deck * DECK_SIZE + p.size[deck]):
        if i64(p.deck[at]) == kind:
            known += 1
    if deck == p.players:
        for given in p.given:
            if given_kind(given) == kind:
                known += 1
    stock = p.stock[deck * KIND_COUNT + kind]
    most = i64(STARTING[starting_row(p, deck) + kind])
    if stock > most or known > stock or (p.viewer < 0 and known != stock):
        raise DumpError(f"expected the cards of deck {deck} to match its stock, got otherwise")


def _check_sizes(p: ArchitectsPosition) -> None:
    for deck in range(p.players + 1):
        stock: i64 = 0
        for kind in range(KIND_COUNT):
            stock += p.stock[deck * KIND_COUNT + kind]
        hidden = len(p.given) if deck == p.players else 0
        if stock != p.size[deck] + hidden:
            raise DumpError(f"expected {stock} cards in deck {deck}, got {p.size[deck] + hidden}")


def _check_tokens(p: ArchitectsPosition) -> None:
    unseen: i64 = 0
    for token in range(TOKEN_COUNT):
        left = tokens_unseen(p, token)
        if left < 0:
            raise DumpError("expected no Progress token more often than it exists, got one")
        unseen += left
    hidden: i64 = 0
    for at in range(p.stacked):
        if i64(p.stack[at]) == HIDDEN_TOKEN:
            hidden += 1
    if unseen != hidden or (hidden and p.viewer < 0):
        raise DumpError(f"expected {unseen} unseen Progress tokens, got {hidden}")
    for seat in range(p.players):
        owned = p.owned[seat]
        if (owned & CULTURE_3 and not owned & CULTURE_2) or (
            owned & CULTURE_2 and not owned & CULTURE
        ):
            raise DumpError("expected copies of Culture in order, got otherwise")


def _check_turn(p: ArchitectsPosition) -> None:
    row = p.wonder[p.turn]
    wanted = _ASKED_BY.get(int(p.ask))
    if wanted is not None and EFFECT[row] != wanted:
        raise DumpError(f"expected a question the wonder can put, got {p.ask}")
    right = right_of(p.turn, p.players)
    if p.looking >= 0 and p.looking != p.turn and p.looking != right:
        raise DumpError(f"expected a deck beside the seat to pick from, got {p.looking}")
    if p.used & ~p.owned[p.turn] or p.armed & ~(p.owned[p.turn] & ~p.used):
        raise DumpError("expected tokens of the seat to be armed or used, got others")
    over = p.complete(p.turn)
    empty = True
    for deck in range(p.players + 1):
        if p.size[deck]:
            empty = False
    if p.ask == OVER and not over and not empty:
        raise DumpError("expected a game that has ended, got one that goes on")
    for seat in range(p.players):
        if WONDERS[p.wonder[seat]].expansion and not p.medals_used:
            raise DumpError("expected wonders of the base game, got one of the expansion")
        if seat != p.turn and p.complete(seat):
            raise DumpError("expected no wonder complete before the end, got one")
        for stage in range(STAGE_COUNT):
            rests = i64(RESTS_ON[p.wonder[seat] * STAGE_COUNT + stage])
            if p.built[seat] >> stage & 1 and p.built[seat] & rests != rests:
                raise DumpError("expected every stage on those it rests on, got one in the air")
    if p.peeked and not p.size[p.players]:
        raise DumpError("expected nobody to know the top of an empty centre, got one")
    if p.stacked:
        for place in range(FACE_UP):
            if p.face_up[place] == NO_TOKEN:
                raise DumpError("expected no empty place beside a stack, got one")


def _check_medals(p: ArchitectsPosition) -> None:
    beside = p.players if p.medals_used else 0
    dealt = beside + (CENTRE_MEDALS if p.expert else 0)
    left = 0
    seen: set[int] = set()
    for place in range(p.players + CENTRE_MEDALS):
        if p.medal[place] != NO_MEDAL:
            left += 1
            seen.add(p.medal[place])
            if place >= p.players and not p.expert:
                raise DumpError("expected medals in the centre for experts only, got one")
    won = sum(p.won)
    if left > dealt or len(seen) != left or won < dealt - left:
        raise DumpError("expected every medal once, on the table or won, got otherwise")
    spare = p.players // 2 if p.expert else 0
    if won > dealt - left + spare:
        raise DumpError("expected no more medals won than are gone, got more")


def _check_given(p: ArchitectsPosition) -> None:
    for given in p.given:
        seat = given_seat(given)
        kind = given_kind(given)
        rome = False
        for other in range(p.players):
            if other != seat and i64(EFFECT[p.wonder[other]]) == STEAL_CARD:
                rome = True
        if seat >= p.players or seat == p.turn or not rome:
            raise DumpError(f"expected a face-down card of an opponent of Rome, got seat {seat}")
        known = p.viewer < 0 or given_known(given, p.viewer)
        if kind > HIDDEN or (kind != HIDDEN) != known:
            raise DumpError(f"expected a face-down card known to those who saw it, got {kind}")


def _check_view(p: ArchitectsPosition) -> None:
    for deck in range(p.players + 1):
        known = known_top(p, deck, p.viewer)
        for at in range(p.size[deck]):
            card = i64(p.deck[deck * DECK_SIZE + at])
            if (card != HIDDEN) != (at >= p.size[deck] - known):
                raise DumpError(f"expected a view to know the top of deck {deck}, got otherwise")
    for at in range(p.stacked):
        if i64(p.stack[at]) != HIDDEN_TOKEN:
            raise DumpError("expected a view not to know the stack, got a token of it")
