"""Pictures as data: what a table shows, for whoever draws it in a terminal or a browser."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Piece:
    """Something on the table: a card, a token, a number; the colour is the card's."""

    text: str
    colour: str = ""
    count: int = 1


@dataclass(frozen=True)
class Line:
    """A labelled row of pieces."""

    label: str
    pieces: list[Piece]


@dataclass(frozen=True)
class Panel:
    """One place of the table: the middle, or a seat."""

    title: str
    lines: list[Line]
    seat: int | None = None
    active: bool = False


@dataclass(frozen=True)
class Scene:
    """The whole table."""

    heading: str
    panels: list[Panel]


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
    labels: dict[str, tuple[str, str]],
    lang: str,
    notes: tuple[str, ...] = (),
) -> Sheet:
    """A table whose title and headings are the labels of its id and keys."""
    headings = tuple(say(labels[key], lang) for key in keys)
    return Sheet(id, say(labels[id], lang), keys, headings, rows, list(notes))


def say(pair: tuple[str, str], lang: str) -> str:
    """The text of a pair, English and French, in that language."""
    return pair[1] if lang == "fr" else pair[0]
