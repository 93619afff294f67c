"""Games and component tables in a terminal: 80 columns will do, colour never stands alone."""

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.display.scene import Line, Panel, Piece, Scene, Sheet
from bots.protocol.sanitize import for_terminal

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
BORDER: Final = 3  # of a column in a table: a line, and a blank on either side


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
    who = "" if panel.seat is None else f"{panel.seat} {for_terminal(names[panel.seat])} · "
    mark = "▶ " if panel.active else "  "
    title = Text(f"{mark}{who}{panel.title}", style="bold")
    return Group(title, *map(_line, panel.lines))


def render_scene(scene: Scene, names: tuple[str, ...]) -> RenderableType:
    """What lies on the table, panel by panel; names are those of the bots, by seat."""
    panels = [_panel(panel, names) for panel in scene.panels]
    return Group(Text(f"── {scene.heading} ──", style="bold"), *panels)


class _FittedSheet:
    """Component tables as wide as the terminal; paragraphs where words would break."""

    def __init__(self, data: Sheet) -> None:
        self.data = data

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        data = self.data
        widths = _widths(data, options.max_width - BORDER * len(data.headings) - 1)
        if widths:
            yield _table(data, widths)
        else:
            yield Text(data.title, style="bold")
            for row in data.rows:
                yield from _paragraph(data.headings, row)
        for note in data.notes:
            yield Text(f"  {note}")


def render_sheet(sheet: Sheet) -> RenderableType:
    """A table of components with its notes below."""
    return _FittedSheet(sheet)


def _widths(data: Sheet, room: int) -> list[int]:
    """How wide the columns are, no word of theirs being broken; nothing if there is no room."""
    columns = [[data.headings[at], *(str(row[at]) for row in data.rows)] for at in _places(data)]
    widths = [max(map(cell_len, cells)) for cells in columns]
    least = [
        max(cell_len(word) for cell in cells for word in [*cell.split(), ""]) for cells in columns
    ]
    while sum(widths) > room:
        spare = [at for at in _places(data) if widths[at] > least[at]]
        if not spare:
            return []
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def _places(data: Sheet) -> range:
    return range(len(data.headings))


def _table(data: Sheet, widths: list[int]) -> Table:
    table = Table(title=data.title, title_justify="left", title_style="bold")
    for at, heading in enumerate(data.headings):
        numbers = all(isinstance(row[at], int) for row in data.rows)
        table.add_column(heading, justify="right" if numbers else "left", width=widths[at])
    for row in data.rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    return table


def _paragraph(headings: tuple[str, ...], row: tuple[str | int, ...]) -> Iterator[RenderableType]:
    """A row in lines: what it is, then what there is to say of it."""
    yield Text("  ".join(str(cell) for cell in row[:2]), style="bold")
    said = (
        f"{heading} {cell}"
        for heading, cell in zip(headings[2:], row[2:], strict=True)
        if cell != ""
    )
    yield Padding(Text(" · ".join(said)), (0, 0, 0, 4))


def render_scores(data: Sheet, names: tuple[str, ...]) -> RenderableType:
    """The points by category, a column a seat: seven are side by side, and no word is broken."""
    table = Table(title=data.title, title_justify="left", title_style="bold")
    table.add_column("")
    for row in data.rows:
        table.add_column(str(row[0]), justify="right")
    for at, heading in enumerate(data.headings[2:], 2):
        table.add_row(heading, *(str(row[at]) for row in data.rows))
    who = (f"  {seat}  {for_terminal(names[seat])}, {row[1]}" for seat, row in enumerate(data.rows))
    return Group(table, *map(Text, who))


def console() -> Console:
    """Where results go: colour on a terminal, plain text anywhere else, nothing reinterpreted."""
    return Console(highlight=False, markup=False, emoji=False)
