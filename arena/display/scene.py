"""Pictures as data: what a table shows, for whoever draws it in a terminal or a browser."""

from dataclasses import dataclass, field
from typing import Final

from arena.i18n import colon, gettext, ngettext

# What a piece is, for whoever draws more than its text.
CARD: Final = "card"
PILE: Final = "pile"  # cards face down, a number of them
STAGE: Final = "stage"
TOKEN: Final = "token"
MEDAL: Final = "medal"
PAWN: Final = "pawn"
COINS: Final = "coins"
SHIELDS: Final = "shields"
VICTORY: Final = "victory"
DEFEAT: Final = "defeat"
CONFLICT: Final = "conflict"
GOODS: Final = "goods"  # what a city makes every turn
SYMBOL: Final = "symbol"  # of science
KINDS: Final = (
    *(CARD, PILE, STAGE, TOKEN, MEDAL, PAWN),
    *(COINS, SHIELDS, VICTORY, DEFEAT, CONFLICT, GOODS, SYMBOL),
)


@dataclass(frozen=True)
class Piece:
    """Something on the table: a card, a token, a number; the colour is the card's."""

    text: str  # all there is to it, in a line of text
    colour: str = ""
    count: int = 1
    kind: str = ""  # one of the kinds above, or a mere remark
    mark: str = ""  # what is printed on it: a cost, a number
    note: str = ""  # what it does
    level: int = 0  # of a stage: how many stages high it lies
    done: bool = False  # of a stage: built; of a conflict: flipped
    key: str = ""  # of a card: the same in every language
    cost: str = ""  # in signs: names of icons with blanks between them, see `signs`
    gives: str = ""  # what it does, in signs
    chains: str = ""  # of a card: what makes it free, and what it makes free, in words


@dataclass(frozen=True)
class Line:
    """A labelled row of pieces; the id is the same in every language."""

    id: str
    label: str
    pieces: list[Piece]


@dataclass(frozen=True)
class Panel:
    """One place of the table: the middle, or a seat; its title has all of its head in a line."""

    title: str
    lines: list[Line]
    seat: int | None = None
    active: bool = False
    name: str = ""
    points: int = 0
    pawns: list[Piece] = field(default_factory=list)
    wonder: str = ""  # the icon of the city


@dataclass(frozen=True)
class Scene:
    """The whole table."""

    heading: str
    panels: list[Panel]
    short: str = ""  # the heading where there is little room: when it is
    passing: str = ""  # where hands go after this round: "left" or "right"
    age: str = ""  # its numeral, in a game of ages
    when: str = ""  # the Age and the turn, and how many turns there are, in words


@dataclass(frozen=True)
class MoveFace:
    """An action as a page draws it: the card it is about, what is done, and the price."""

    verb: str  # the same in every language
    label: str  # what is done with the card
    card: Piece | None = None
    price: str = ""  # what it costs and who is paid, in words; empty if nothing
    paid: int = 0  # the coins of the price
    stage: int = 0  # the stage of the wonder that it builds, nought if none


@dataclass(frozen=True)
class Prospects:
    """What a seat's turn is sure to bring yet: tokens with those it has, and cards to draw."""

    tokens: int = 0
    extra: frozenset[str] = frozenset()  # what allows another card, by name


@dataclass(frozen=True)
class Sheet:
    """A table of components: keys for programs, a title and headings for people."""

    id: str
    title: str
    keys: tuple[str, ...]
    headings: tuple[str, ...]
    rows: list[tuple[str | int, ...]]
    notes: list[str] = field(default_factory=list)


def sheet(
    id: str,
    keys: tuple[str, ...],
    rows: list[tuple[str | int, ...]],
    labels: dict[str, str],
    lang: str,
    notes: tuple[str, ...] = (),
) -> Sheet:
    """A table whose title and headings are the labels of its id and keys."""
    headings = tuple(gettext(labels[key], lang) for key in keys)
    return Sheet(id, gettext(labels[id], lang), keys, headings, rows, list(notes))


def ties(
    totals: list[int], breakers: list[int], cities: list[str], messages: tuple[str, str], lang: str
) -> list[str]:
    """What decides between cities of equal points: a line for each such number of points.

    Of the messages the second is for cities that share their place, as that is equal too.
    """
    decided, shared = messages
    notes = []
    for total in sorted({each for each in totals if totals.count(each) > 1}, reverse=True):
        seats = [seat for seat, each in enumerate(totals) if each == total]
        listed = ", ".join(f"{cities[seat]}{colon(lang)} {breakers[seat]}" for seat in seats)
        points = ngettext("{n} point", "{n} points", total, lang)
        message = shared if len({breakers[seat] for seat in seats}) == 1 else decided
        notes.append(gettext(message, lang, points=points, cities=listed))
    return notes
