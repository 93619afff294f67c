"""The parts that pages of a game are made of: pieces, rows, heads, each drawn once."""

from functools import cache, lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from markupsafe import Markup, escape

from arena.display.scene import CARD, Line, Panel, Piece
from arena.site.frames import ReplayFrame, ReplayFrames
from arena.site.templating import TEMPLATES, Macros

# A part is a text, or texts and numbers of pieces that stand between them.
Part: TypeAlias = str | list[str | int]

# From top to bottom; a place has those that ever occur in it.
STATS: Final = ("coins", "military", "symbols")
ROWS: Final = (
    *("stages", *STATS, "goods", "cards", "progress", "conflict", "medal", "deck"),
    *("discards", "hand"),
)
HEAD: Final = "head"
CHOICE: Final = "choice"
EVENT: Final = "event"
STANDING: Final = "standing"
ENDING: Final = "ending"


def draw_signs(signs: str) -> Markup:
    """Signs as icons; what they mean is said in words beside them."""
    return Markup(_draw_signs(signs))


@lru_cache(maxsize=2000)
def _draw_signs(signs: str) -> str:
    return "".join(_sign(sign) for sign in signs.split())


def draw_tally(signs: str) -> Markup:
    """Signs as icons, those that repeat as one with their number."""
    runs = [(sign, len(list(run))) for sign, run in groupby(signs.split())]
    return Markup("".join((f"<b>{n}</b>" if n > 1 else "") + _sign(sign) for sign, n in runs))


def _sign(sign: str) -> str:
    if sign in ("/", "x", "+"):
        return f"<s>{'×' if sign == 'x' else sign}</s>"
    if sign[0] in "v$" and sign[1:].isdecimal():
        return f'<b class="{"vp" if sign[0] == "v" else "money"}">{sign[1:]}</b>'
    if sign.startswith("c-"):
        return f'<i class="mini {escape(sign[2:])}"></i>'
    return f'<i class="i i-{escape(sign)}"></i>'


TEMPLATES.filters["signs"] = draw_signs
TEMPLATES.filters["tally"] = draw_tally


@cache
def macros(lang: str) -> Macros:
    """What draws parts in that language."""
    return Macros("parts.html", lang)


@lru_cache(maxsize=20_000)
def drawn_piece(lang: str, piece: Piece, chosen: str = "") -> str:
    """A piece; the same ones recur in match after match. A chosen card says what becomes of it."""
    return macros(lang).draw("piece", piece, chosen)


@lru_cache(maxsize=5_000)
def drawn_line(lang: str, id: str, label: str, pieces: tuple[Piece, ...]) -> str:
    """A row that is drawn as a whole."""
    line = Line(id, label, list(pieces))
    return macros(lang).draw("row", line, levels(line))


def levels(line: Line) -> list[list[int]]:
    """The pieces of a line by their level, from the ground up."""
    top = max((piece.level for piece in line.pieces), default=0)
    return [
        [at for at, piece in enumerate(line.pieces) if piece.level == level]
        for level in range(top + 1)
    ]


class PartRenderer:
    """Parts of pages, each kept once; so are the pieces within them."""

    def __init__(self, names: tuple[str, ...], lang: str, most: int = 1) -> None:
        self.names = names
        self.lang = lang
        self.most = most
        self.parts: list[Part] = [""]
        self._known: dict[object, int] = {"": 0}
        self._pieces: dict[str, int] = {}

    @property
    def pieces(self) -> list[str]:
        """All pieces so far, by number."""
        return list(self._pieces)

    def html(self, number: int) -> str:
        """A part as it is shown."""
        return part_html(self.parts[number], self.pieces)

    def _number(self, key: object, part: Part) -> int:
        """The number of a part; equal ones are kept once."""
        number = self._known.setdefault(key, len(self.parts))
        if number == len(self.parts):
            self.parts.append(part)
        return number

    def draw(self, key: object, macro: str, *values: object) -> int:
        """The number of the part the macro makes of the values; equal keys are drawn once."""
        if key in self._known:
            return self._known[key]
        text = macros(self.lang).draw(macro, *values)
        self._known[key] = self._number(text, text)
        return self._known[key]

    def row(self, panel: Panel, id: str, chosen: tuple[str, str] = ("", "")) -> int:
        """The part for one row of a panel; part 0 is nothing. A chosen card has key and verb."""
        line = next((line for line in panel.lines if line.id == id), None)
        if line is None:
            return 0
        if id in ("stages", "conflict"):
            text = drawn_line(self.lang, id, line.label, tuple(line.pieces))
            return self._number(text, text)
        key, verb = chosen
        numbers: list[str | int] = []
        for piece in line.pieces:
            mark = verb if piece.kind == CARD and key and piece.key == key else ""
            key = "" if mark else key  # of two alike one is taken
            text = drawn_piece(self.lang, piece, mark)
            numbers.append(self._pieces.setdefault(text, len(self._pieces)))
        head = f'<p class="label">{escape(line.label)}</p><ul class="row">'
        part: Part = [head, *numbers, "</ul>"]
        return self._number(tuple(part), part)

    def head(self, panel: Panel) -> int:
        """The part above a panel: who sits there, what the city is called and worth."""
        bot = "" if panel.seat is None else self.names[panel.seat]
        name = panel.name or panel.title
        key = (HEAD, panel.seat, name, panel.points, tuple(panel.pawns))
        return self.draw(key, HEAD, panel, name, bot)

    def standing(self, panel: Panel, leads: bool) -> int:
        """The part that shows the points of a seat beside those of the others."""
        assert panel.seat is not None
        key = (STANDING, panel.seat, panel.points, leads)
        return self.draw(key, STANDING, panel, self.names[panel.seat], self.most, leads)

    def choice(self, frame: ReplayFrame, panel: Panel) -> int:
        """The part that tells what a seat decides, and how its bot failed."""
        own = next((choice for choice in frame.choices if choice.seat == panel.seat), None)
        faults = tuple(fault for fault in frame.faults if fault.seat == panel.seat)
        if own is None and not faults:
            return 0
        return self.draw((CHOICE, own, faults), CHOICE, own, faults)

    def event(self, frame: ReplayFrame, final: bool) -> int:
        """The part that tells what has just happened to all: a battle, the end; where hands go."""
        seats = [panel for panel in frame.scene.panels if panel.seat is not None]
        key = (EVENT, frame.spoils, frame.scene.passing, final)
        return self.draw(key, EVENT, frame.spoils, seats, frame.scene.passing, final)

    def ending(self, replay: ReplayFrames) -> int:
        """The part that tells how it ended."""
        order = sorted(range(len(replay.names)), key=lambda seat: replay.ranks[seat])
        return self.draw(ENDING, ENDING, replay, order)


def part_html(part: Part, pieces: list[str]) -> str:
    """A part with its pieces in place."""
    if isinstance(part, str):
        return part
    return "".join(it if isinstance(it, str) else pieces[it] for it in part)
