"""Tables and scenes in a terminal: 80 columns will do, colour never carries meaning alone."""

from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.scene import Line, Panel, Piece, Scene, Sheet

# Every colour has a shape, so that nothing depends on seeing the colour.
SYMBOLS: Final = {
    "grey": "◆",
    "blue": "■",
    "yellow": "●",
    "red": "✕",
    "green": "▲",
    "brown": "▼",
    "purple": "★",
}
STYLES: Final = {
    "grey": "bright_black",
    "blue": "blue",
    "yellow": "yellow",
    "red": "red",
    "green": "green",
    "brown": "dark_orange3",
    "purple": "magenta",
}
LABEL_WIDTH: Final = 12
TEXT_WIDTH: Final = 66


def piece_text(piece: Piece) -> Text:
    """A piece with its symbol and count."""
    symbol = SYMBOLS.get(piece.colour, "")
    count = f" ×{piece.count}" if piece.count > 1 else ""
    words = f"{symbol} {piece.text}{count}" if symbol else f"{piece.text}{count}"
    return Text(words, style=STYLES.get(piece.colour, ""))


def _line(line: Line) -> Text:
    """The label, then the pieces: none is broken, lines are."""
    text = Text(f"{line.label:>{LABEL_WIDTH}}", style="dim")
    room = TEXT_WIDTH
    for piece in map(piece_text, line.pieces):
        if piece.cell_len + 2 > room and room < TEXT_WIDTH:
            text.append("\n" + " " * LABEL_WIDTH)
            room = TEXT_WIDTH
        room -= piece.cell_len + 2
        text.append("  ")
        text.append_text(piece)
    return text


def _panel(panel: Panel, names: tuple[str, ...]) -> RenderableType:
    who = "" if panel.seat is None else f"{panel.seat} {names[panel.seat]} · "
    mark = "▶ " if panel.active else "  "
    title = Text(f"{mark}{who}{panel.title}", style="bold")
    return Group(title, *map(_line, panel.lines))


def scene(picture: Scene, names: tuple[str, ...]) -> RenderableType:
    """The whole table; names are those of the bots, by seat."""
    panels = [_panel(panel, names) for panel in picture.panels]
    return Group(Text(f"── {picture.heading} ──", style="bold"), *panels)


def sheet(data: Sheet) -> RenderableType:
    """A table of components with its notes below."""
    table = Table(title=data.title, title_justify="left", title_style="bold")
    for at, heading in enumerate(data.headings):
        numbers = all(isinstance(row[at], int) for row in data.rows)
        table.add_column(heading, justify="right" if numbers else "left", overflow="fold")
    for row in data.rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    return Group(table, *(Text(f"  {note}") for note in data.notes))


def plain(text: str) -> str:
    """A stranger's words without anything a terminal would act upon."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def console() -> Console:
    """Where results go: colour on a terminal, plain text anywhere else, nothing reinterpreted."""
    return Console(highlight=False, markup=False, emoji=False)
