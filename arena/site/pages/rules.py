"""What is in the box of a game, as a page."""

from arena.display import display_of
from arena.display.names import edition_name, rules_title
from arena.display.scene import Sheet
from arena.site.links import Links
from arena.site.templating import Link, draw
from engine.catalog import find


def rules_page(game: str, links: Links, edition: str | None = None) -> str:
    """The components of a game as tables."""
    rules = find(game)
    sheets = display_of(game).components(edition, links.lang)
    shown = edition or next(iter(rules.editions), None)
    editions = [
        Link(
            edition_name(each, links.lang),
            links.to("rules", game, edition=each if at else None),
            each == shown,
        )
        for at, each in enumerate(rules.editions)
    ]
    return draw(
        "rules.html",
        links.frame(rules_title(game, links.lang)),
        sheets=sheets,
        names={sheet.id: _naming(sheet) for sheet in sheets},
        editions=editions,
    )


def _naming(sheet: Sheet) -> int:
    """The column that names the rows of a table."""
    named = [key for key in ("name", "wonder", "card") if key in sheet.keys]
    return sheet.keys.index(named[0]) if named else 0
