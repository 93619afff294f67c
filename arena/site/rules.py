"""What is in the box of a game, as a page."""

from arena.site.pages import Frame, draw
from engine.catalog import find
from engine.scene import Sheet


def rules_page(game: str, frame: Frame, edition: str | None = None) -> str:
    """The components of a game as tables."""
    sheets = find(game).components(edition, frame.lang)
    return draw("rules.html", frame, sheets=sheets, names={s.id: _naming(s) for s in sheets})


def _naming(sheet: Sheet) -> int:
    """The column that names the rows of a table."""
    return sheet.keys.index("name") if "name" in sheet.keys else 0
