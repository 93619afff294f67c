"""Moves of Architects in words, and what they bring."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.display.architects_cards import card_piece, name
from arena.display.architects_texts import ALSO, MOVES, PLACES, TOKEN_EFFECTS
from arena.display.scene import MoveFace, Prospects
from arena.i18n import gettext
from engine.architects.actions import OVER, PROGRESS
from engine.architects.components.cards import KINDS
from engine.architects.components.ids import TOKEN_IDS
from engine.architects.components.lookup import (
    DECK_SIZE,
    FIRST_SCIENCE,
    HIDDEN,
    HIDDEN_TOKEN,
    KIND_COUNT,
    NO_TOKEN,
    SCIENCES,
)
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import STEAL_CARD, WONDERS
from engine.architects.formats.notation import WHICH, payment, payment_tokens, split
from engine.architects.gain import deck_at
from engine.architects.state import ArchitectsPosition


def describe_action(
    action: int,
    lang: str,
    p: ArchitectsPosition | None,
    words: Mapping[str, str] = MOVES,
    yours: bool = False,
) -> str:
    """A move in words; with the position before it, the card that is taken and whose deck it is.

    Decks are called by their wonders, unless the reader is whose turn it is.
    """
    return _Wording(lang, p, words, yours).move(action)


@dataclass(frozen=True)
class _Wording:
    """How moves are told in a language, in a position if it is known."""

    lang: str
    position: ArchitectsPosition | None
    words: Mapping[str, str]
    yours: bool

    def move(self, action: int) -> str:
        verb, one, two = split(action)
        if verb == "build":
            return self._build(action, one + 1)
        if verb == "steal":
            return self._line(verb, card=self._card(two), city=self._city(one) or f"{one}")
        if verb == "extra":
            return self._line(verb, token=self._token(one), move=self._take(two))
        if verb == "study":
            pair = [one, one] if one < SCIENCES else list(range(SCIENCES))
            cards = " + ".join(self._card(int(FIRST_SCIENCE) + science) for science in pair)
            return self._line(verb, cards=cards)
        if verb == "keep":
            return self._line(verb, card=self._card(one))
        if verb == "token":
            return self._line(verb, token=self._token(one))
        if verb == "token_stack":
            return self._token_of_stack()
        if verb == "look":
            return self._line(verb, place=self._beside(one, f"side_{WHICH[one]}", "side_of"))
        if verb == "take":
            return self._take(one)
        if verb == "take_deck":
            city = self._city(one)
            place = self._line("deck_of", wonder=city) if city else self._line("deck", deck=one)
            return self._taken(one, place)
        return self._line(verb)

    def _line(self, key: str, **fields: object) -> str:
        return gettext(self.words.get(key) or PLACES[key], self.lang, **fields)

    def _card(self, kind: int) -> str:
        return name(KINDS[kind], self.lang)

    def _token(self, number: int) -> str:
        return name(TOKENS[number], self.lang)

    def _city(self, seat: int) -> str:
        p = self.position
        return "" if p is None else name(WONDERS[p.wonder[seat]], self.lang)

    def _build(self, action: int, stage: int) -> str:
        cards = " + ".join(self._card(kind) for kind in payment(action))
        tokens = [self._token(TOKEN_IDS.index(id)) for id in payment_tokens(action)]
        by = self._line("by", tokens=" + ".join(tokens)) if tokens else ""
        return self._line("build", stage=stage, cards=cards) + by

    def _token_of_stack(self) -> str:
        p = self.position
        top = HIDDEN_TOKEN if p is None else p.stack[p.stacked - 1]
        if top == HIDDEN_TOKEN:
            return self._line("token_stack")
        return self._line("token_top", token=self._token(int(top)))

    def _take(self, which: int) -> str:
        deck = None if self.position is None else int(deck_at(self.position, which))
        if which == WHICH.index("centre"):
            return self._taken(deck, self._line("centre"))
        return self._taken(deck, self._beside(which, WHICH[which], "deck_of"))

    def _taken(self, deck: int | None, place: str) -> str:
        p = self.position
        card = self._line("card")
        if p is not None and deck is not None and p.size[deck] and p.top(deck) != HIDDEN:
            card = self._card(int(p.top(deck)))
        return self._line("take", card=card, place=place)

    def _beside(self, which: int, side: str, named: str) -> str:
        """A deck beside the seat; which one it is to whoever reads it, or whose it is."""
        if self.position is None:
            return self._line(side)
        city = self._city(int(deck_at(self.position, which)))
        if not self.yours:
            return self._line(named, wonder=city)
        return self._line(side) + (f" ({city})" if WHICH[which] == "right" else "")


def drawn_besides(
    before: ArchitectsPosition, action: int, after: ArchitectsPosition, lang: str
) -> str:
    """The cards that a move brought without naming them: by a stage, or a draw without a choice."""
    verb, one, two = split(action)
    named = -1  # the deck whose top the move names, or hides
    if verb in ("take", "extra"):
        named = int(deck_at(before, one if verb == "take" else two))
    elif verb in ("take_deck", "steal"):
        named = one if verb == "take_deck" else int(before.players)
    # Shuffled, and the move names its card; or what a theft without a choice gives face down.
    hidden = {int(before.looking)}
    if _may_have_stolen(before, after):
        hidden.add(int(before.players))
    kinds: list[int] = []
    for deck in range(before.players + 1):
        if deck not in hidden:
            bottom = deck * DECK_SIZE
            left = before.deck[bottom + after.size[deck] : bottom + before.size[deck]]
            kinds += [int(kind) for kind in left][::-1][deck == named :]
    cards = " + ".join(name(KINDS[kind], lang) for kind in kinds)
    return gettext(ALSO, lang, cards=cards) if cards else ""


def _may_have_stolen(before: ArchitectsPosition, after: ArchitectsPosition) -> bool:
    """Whether the seat built a stage by which it steals."""
    seat = before.turn
    steals = WONDERS[before.wonder[seat]].effect == STEAL_CARD
    return steals and bool(after.built[seat] != before.built[seat])


def move_face(action: int, lang: str, p: ArchitectsPosition) -> MoveFace:
    """A move of the reader's, with the card that it brings where one does."""
    verb, one, two = split(action)
    text = describe_action(action, lang, p, yours=True)
    kind: int | None = None
    if verb in ("take", "take_deck", "extra"):
        deck = one if verb == "take_deck" else int(deck_at(p, one if verb == "take" else two))
        top = int(p.top(deck)) if p.size[deck] else int(HIDDEN)
        if top != HIDDEN and (deck != p.players or p.viewer >= 0):
            kind = top
    elif verb in ("keep", "steal"):
        kind = one if verb == "keep" else two
    if verb == "token":
        token = TOKENS[one]
        return MoveFace(verb, name(token, lang), price=gettext(TOKEN_EFFECTS[token.id], lang))
    stage = one + 1 if verb == "build" else 0
    return MoveFace(verb, text, None if kind is None else card_piece(kind, lang), stage=stage)


def prospects(p: ArchitectsPosition, seat: int, lang: str) -> Prospects:
    """Tokens of the seat, one that it has yet to choose, and cards that its tokens let it draw."""
    tokens = int(p.tokens(seat))
    if p.ask == OVER or p.turn != seat:
        return Prospects(tokens)
    due = p.ask == PROGRESS or (_is_token_left(p) and _has_science_set(p, seat))
    can_draw = any(p.size[deck_at(p, which)] for which in range(len(WHICH)))
    armed = [token for at, token in enumerate(TOKENS) if can_draw and p.armed >> at & 1]
    return Prospects(tokens + due, frozenset(name(token, lang) for token in armed))


def _is_token_left(p: ArchitectsPosition) -> bool:
    return p.stacked > 0 or any(token != NO_TOKEN for token in p.face_up)


def _has_science_set(p: ArchitectsPosition, seat: int) -> bool:
    """Whether the seat has two green cards alike or three different ones, which it must trade."""
    first = seat * KIND_COUNT + FIRST_SCIENCE
    counts = [p.cards[first + science] for science in range(SCIENCES)]
    return max(counts) > 1 or min(counts) > 0
