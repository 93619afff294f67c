"""A position as one line of text, and back again, checked."""

import json
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.architects.actions import OVER
from engine.architects.components.ids import WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CENTRE_SIZE,
    CONFLICTS,
    CULTURE_3,
    DECK_SIZE,
    ENGINEERING,
    EXTRA_TOKENS,
    FACE_UP,
    HIDDEN,
    HIDDEN_TOKEN,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    STAGE_COUNT,
    STARTING,
)
from engine.architects.formats.validate import check_whole
from engine.architects.setup import PLAYERS
from engine.architects.state import KNOWING_AT, STACK_SIZE, ArchitectsPosition
from engine.errors import DumpError
from engine.rng import STATES

FORMAT: Final = "architects/2"


def write(p: ArchitectsPosition) -> str:
    """Everything the position is made of; its options follow from it."""
    cards = [
        list(p.deck[deck * DECK_SIZE : deck * DECK_SIZE + p.size[deck]])
        for deck in range(p.players + 1)
    ]
    fields = {
        "format": FORMAT,
        "viewer": p.viewer,
        "medals_used": p.medals_used,
        "tokens_used": p.tokens_used,
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


class Fields:
    """A parsed dump; every look-up checks what it finds."""

    def __init__(self, text: str) -> None:
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise DumpError(f"expected a dumped state, got {problem}") from None
        if not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise DumpError(f"expected a dumped state of {FORMAT}, got something else")
        self.fields: dict[str, object] = fields

    def players(self) -> int:
        """For how many players the position is: every seat has a wonder."""
        wonders = self.fields.get("wonder")
        if not isinstance(wonders, list) or len(wonders) not in PLAYERS:
            raise DumpError(f"expected 2 to 7 wonders, got {wonders!r}")
        return len(wonders)

    def number(self, name: str, low: int, high: int) -> int:
        return _number(name, self.fields.get(name), low, high)

    def numbers(self, name: str, count: int, low: int, high: int) -> list[int]:
        """A list of exactly this many numbers."""
        found = _list(name, self.fields.get(name))
        if len(found) != count:
            raise DumpError(f"expected {count} numbers for {name}, got {len(found)}")
        return [_number(name, item, low, high) for item in found]

    def at_most(self, name: str, most: int, high: int) -> list[int]:
        """A list of no more than so many numbers from 0."""
        return _at_most(name, self.fields.get(name), most, high)

    def lists(self, name: str, most: list[int], high: int) -> list[list[int]]:
        """A list of such lists, each with a length of its own."""
        found = _list(name, self.fields.get(name))
        if len(found) != len(most):
            raise DumpError(f"expected {len(most)} lists for {name}, got {len(found)}")
        return [_at_most(name, item, m, high) for item, m in zip(found, most, strict=True)]


def _list(name: str, found: object) -> list[object]:
    if not isinstance(found, list):
        raise DumpError(f"expected a list for {name}, got {found!r}")
    return found


def _at_most(name: str, found: object, most: int, high: int) -> list[int]:
    items = _list(name, found)
    if len(items) > most:
        raise DumpError(f"expected at most {most} numbers for {name}, got {len(items)}")
    return [_number(name, item, 0, high) for item in items]


def _number(name: str, found: object, low: int, high: int) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or not low <= found <= high:
        raise DumpError(f"expected {low} to {high} for {name}, got {found!r}")
    return found


def read(p: ArchitectsPosition, d: Fields) -> None:
    """Make the position, of as many players, the dumped one; DumpError if no game gets there."""
    n = int(p.players)
    p.viewer = d.number("viewer", -1, n - 1)
    p.medals_used = d.number("medals_used", 0, 1)
    p.tokens_used = d.number("tokens_used", int(p.medals_used), 1)
    p.expert = d.number("expert", 0, int(p.medals_used))
    p.wonder = vec[i64](d.numbers("wonder", n, 0, len(WONDER_IDS) - 1))
    decks = d.lists("deck", [int(DECK_SIZE)] * n + [int(CENTRE_SIZE)], int(HIDDEN))
    for deck, cards in enumerate(decks):
        p.size[deck] = len(cards)
        for at, kind in enumerate(cards):
            p.deck[deck * DECK_SIZE + at] = u8(kind)
    p.stock = vec[i64](d.numbers("stock", (n + 1) * int(KIND_COUNT), 0, max(STARTING)))
    p.cards = vec[i64](d.numbers("cards", n * int(KIND_COUNT), 0, 60))
    p.built = vec[i64](d.numbers("built", n, 0, (1 << STAGE_COUNT) - 1))
    p.owned = vec[i64](d.numbers("owned", n, 0, 2 * int(CULTURE_3) - 1))
    p.military = vec[i64](d.numbers("military", n, 0, 1000))
    p.won = vec[i64](d.numbers("won", n, 0, 2 + int(CENTRE_MEDALS)))
    p.face_up = vec[i64](d.numbers("face_up", int(FACE_UP), 0, int(NO_TOKEN)))
    stack = d.at_most("stack", int(STACK_SIZE), int(HIDDEN_TOKEN))
    p.stacked = len(stack)
    for at, token in enumerate(stack):
        p.stack[at] = u8(token)
    p.medal = vec[i64](d.numbers("medal", n + int(CENTRE_MEDALS), 0, int(NO_MEDAL)))
    p.given = vec[i64](d.at_most("given", 2, (1 << (int(KNOWING_AT) + n)) - 1))
    p.cat = d.number("cat", -1, n - 1)
    p.flipped = d.number("flipped", 0, CONFLICTS[n])
    p.turn = d.number("turn", 0, n - 1)
    p.ask = d.number("ask", 0, int(OVER))
    p.armed = d.number("armed", 0, (1 << EXTRA_TOKENS) - 1)
    p.used = d.number("used", 0, 2 * int(ENGINEERING) - 1)
    p.looking = d.number("looking", -1, n - 1)
    p.peeked = d.number("peeked", 0, (1 << n) - 1)
    p.chance = d.number("chance", 0, STATES)
    check_whole(p)
