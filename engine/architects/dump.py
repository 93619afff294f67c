"""A position as one line of text, and back again, checked."""

import json
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.architects.actions import OVER, PICK
from engine.architects.columns import (
    CENTRE_MEDALS,
    CENTRE_SIZE,
    CONFLICTS,
    CULTURE,
    CULTURE_2,
    CULTURE_3,
    DECK_SIZE,
    FACE_UP,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    STAGE_COUNT,
    STARTING,
    TOKEN_COUNT,
    UNKNOWN,
    UNKNOWN_TOKEN,
)
from engine.architects.deal import starting_row
from engine.architects.ids import WONDER_IDS
from engine.architects.state import STACK_SIZE, Position
from engine.architects.turn import offer
from engine.architects.view import tokens_unseen
from engine.errors import DumpError
from engine.rng import STATES

FORMAT: Final = "architects/1"


def dump(p: Position) -> str:
    """Everything the position is made of; its options follow from it."""
    cards = [
        list(p.deck[deck * DECK_SIZE : deck * DECK_SIZE + p.size[deck]])
        for deck in range(p.players + 1)
    ]
    fields = {
        "format": FORMAT,
        "viewer": p.viewer,
        "medals_used": p.medals_used,
        "expert": p.expert,
        "wonder": list(p.wonder),
        "deck": cards,
        "stock": list(p.stock),
        "cards": list(p.cards),
        "built": list(p.built),
        "owned": list(p.owned),
        "military": list(p.military),
        "won": list(p.won),
        "face_up": list(p.face_up),
        "stack": list(p.stack[: p.stacked]),
        "medal": list(p.medal),
        "given": list(p.given),
        "cat": p.cat,
        "flipped": p.flipped,
        "turn": p.turn,
        "ask": p.ask,
        "armed": p.armed,
        "used": p.used,
        "looking": p.looking,
        "peeked": p.peeked,
        "chance": p.chance,
    }
    return json.dumps(fields, separators=(",", ":"))


class _Fields:
    """A parsed dump; every look-up checks what it finds."""

    def __init__(self, text: str) -> None:
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise DumpError(f"expected a dumped state, got {problem}") from None
        if not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise DumpError(f"expected a dumped state of {FORMAT}, got something else")
        self.fields: dict[str, object] = fields

    def number(self, name: str, low: int, high: int) -> int:
        return self._check(name, self.fields.get(name), low, high)

    def numbers(self, name: str, count: int, low: int, high: int) -> list[int]:
        """A list of exactly this many numbers, or of at most -count."""
        return self._numbers(name, self.fields.get(name), count, low, high)

    def lists(self, name: str, most: list[int], high: int) -> list[list[int]]:
        lists = self.fields.get(name)
        if not isinstance(lists, list) or len(lists) != len(most):
            raise DumpError(f"expected {len(most)} lists for {name}, got {lists}")
        return [self._numbers(name, item, -m, 0, high) for item, m in zip(lists, most, strict=True)]

    def _numbers(self, name: str, found: object, count: int, low: int, high: int) -> list[int]:
        if not isinstance(found, list):
            raise DumpError(f"expected a list for {name}, got {found}")
        if len(found) != count if count >= 0 else len(found) > -count:
            raise DumpError(f"expected {abs(count)} numbers for {name}, got {len(found)}")
        return [self._check(name, item, low, high) for item in found]

    def _check(self, name: str, found: object, low: int, high: int) -> int:
        if not isinstance(found, int) or isinstance(found, bool) or not low <= found <= high:
            raise DumpError(f"expected {low} to {high} for {name}, got {found}")
        return found


def fill(p: Position, text: str) -> None:
    """Make the position the dumped one; DumpError if no game can get there."""
    d = _Fields(text)
    n = int(p.players)
    all_owned = (1 << 19) - 1
    p.viewer = d.number("viewer", -1, n - 1)
    p.medals_used = d.number("medals_used", 0, 1)
    p.expert = d.number("expert", 0, int(p.medals_used))
    p.wonder = vec[i64](d.numbers("wonder", n, 0, len(WONDER_IDS) - 1))
    decks = d.lists("deck", [int(DECK_SIZE)] * n + [int(CENTRE_SIZE)], int(UNKNOWN))
    for deck, cards in enumerate(decks):
        p.size[deck] = len(cards)
        for at, kind in enumerate(cards):
            p.deck[deck * DECK_SIZE + at] = u8(kind)
    p.stock = vec[i64](d.numbers("stock", (n + 1) * int(KIND_COUNT), 0, 8))
    p.cards = vec[i64](d.numbers("cards", n * int(KIND_COUNT), 0, 60))
    p.built = vec[i64](d.numbers("built", n, 0, (1 << STAGE_COUNT) - 1))
    p.owned = vec[i64](d.numbers("owned", n, 0, all_owned))
    p.military = vec[i64](d.numbers("military", n, 0, 1000))
    p.won = vec[i64](d.numbers("won", n, 0, 4))
    p.face_up = vec[i64](d.numbers("face_up", int(FACE_UP), 0, int(NO_TOKEN)))
    stack = d.numbers("stack", -int(STACK_SIZE), 0, int(UNKNOWN_TOKEN))
    p.stacked = len(stack)
    for at, token in enumerate(stack):
        p.stack[at] = u8(token)
    p.medal = vec[i64](d.numbers("medal", n + int(CENTRE_MEDALS), 0, int(NO_MEDAL)))
    p.given = vec[i64](d.numbers("given", -2, 0, (1 << (8 + n)) - 1))
    p.cat = d.number("cat", -1, n - 1)
    p.flipped = d.number("flipped", 0, CONFLICTS[n])
    p.turn = d.number("turn", 0, n - 1)
    p.ask = d.number("ask", 0, int(OVER))
    p.armed = d.number("armed", 0, (1 << 6) - 1)
    p.used = d.number("used", 0, (1 << 8) - 1)
    p.looking = d.number("looking", -1, n - 1)
    p.peeked = d.number("peeked", 0, (1 << n) - 1)
    p.chance = d.number("chance", 0, STATES)
    _check_whole(p)


def players_of(text: str) -> int:
    """For how many players the dumped position is."""
    wonders = _Fields(text).fields.get("wonder")
    if not isinstance(wonders, list) or not 2 <= len(wonders) <= 7:
        raise DumpError(f"expected 2 to 7 wonders, got {wonders}")
    return len(wonders)


def _check_whole(p: Position) -> None:
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
    if (p.ask == PICK) != (p.looking >= 0):
        raise DumpError(f"expected a deck to pick from just when picking, got {p.looking}")
    if (p.chance == 0) != (p.viewer >= 0):
        raise DumpError("expected chance hidden just in a view, got otherwise")
    if p.ask != OVER:
        offer(p)
        if p.offered < 2:
            raise DumpError(f"expected a decision with two options or more, got {p.offered}")


def _check_stock(p: Position, deck: i64, kind: i64) -> None:
    known: i64 = 0
    for at in range(deck * DECK_SIZE, deck * DECK_SIZE + p.size[deck]):
        if i64(p.deck[at]) == kind:
            known += 1
    if deck == p.players:
        for given in p.given:
            if given >> 4 & 15 == kind:
                known += 1
    stock = p.stock[deck * KIND_COUNT + kind]
    most = i64(STARTING[starting_row(p, deck) + kind])
    if stock > most or known > stock or (p.viewer < 0 and known != stock):
        raise DumpError(f"expected the cards of deck {deck} to match its stock, got otherwise")


def _check_sizes(p: Position) -> None:
    for deck in range(p.players + 1):
        stock: i64 = 0
        for kind in range(KIND_COUNT):
            stock += p.stock[deck * KIND_COUNT + kind]
        hidden = len(p.given) if deck == p.players else 0
        if stock != p.size[deck] + hidden:
            raise DumpError(f"expected {stock} cards in deck {deck}, got {p.size[deck] + hidden}")


def _check_tokens(p: Position) -> None:
    unseen: i64 = 0
    for token in range(TOKEN_COUNT):
        left = tokens_unseen(p, token)
        if left < 0:
            raise DumpError("expected no Progress token more often than it exists, got one")
        unseen += left
    hidden: i64 = 0
    for at in range(p.stacked):
        if i64(p.stack[at]) == UNKNOWN_TOKEN:
            hidden += 1
    if unseen != hidden or (hidden and p.viewer < 0):
        raise DumpError(f"expected {unseen} unseen Progress tokens, got {hidden}")
    for seat in range(p.players):
        owned = p.owned[seat]
        if (owned & CULTURE_3 and not owned & CULTURE_2) or (
            owned & CULTURE_2 and not owned & CULTURE
        ):
            raise DumpError("expected copies of Culture in order, got otherwise")
