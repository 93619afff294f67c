"""What cards, wonders and tokens of Architects are called, and the cards as they are drawn."""

from functools import cache

from arena.display.architects_texts import CARD_EFFECTS, CARD_SIGNS
from arena.display.scene import CARD, Piece
from arena.i18n import gettext
from engine.architects.components.cards import KINDS, Kind
from engine.architects.components.tokens import ProgressToken
from engine.architects.components.wonders import Wonder


def name(row: Kind | Wonder | ProgressToken, lang: str) -> str:
    """The name of a card, wonder or token in that language."""
    return gettext(row.name, lang)


@cache
def card_piece(kind: int, lang: str, count: int = 1) -> Piece:
    """A card with what is printed on it."""
    row = KINDS[kind]
    note = gettext(CARD_EFFECTS.get(row.id) or CARD_EFFECTS[row.colour], lang)
    signs = CARD_SIGNS.get(row.id, row.id)
    return Piece(name(row, lang), row.colour, count, CARD, note=note, key=row.id, gives=signs)
