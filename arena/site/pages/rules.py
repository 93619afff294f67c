"""The rules of a game on two screens, and behind them what is in its box."""

from arena.display import display_of
from arena.display.names import edition_name, game_name, rules_title
from arena.display.scene import Sheet
from arena.site.links import Links
from arena.site.pages.drawing.parts import draw_signs
from arena.site.templating import Link, draw
from engine.catalog import GAMES, find


def rules_page(game: str, links: Links, edition: str | None = None) -> str:
    """How a game is played, its cards as cards, and all components as tables."""
    rules = find(game)
    display = display_of(game)
    sheets = display.components(edition, links.lang)
    shown = edition or next(iter(rules.editions), None)
    editions = [
        Link(
            edition_name(each, links.lang),
            links.to("rules", game, edition=each if at else None),
            each == shown,
        )
        for at, each in enumerate(rules.editions)
    ]
    games = [
        Link(game_name(each.id), links.to("rules", each.id), each.id == game)
        for each in reversed(GAMES)
    ]
    return draw(
        "rules.html",
        links.frame(rules_title(game, links.lang)),
        game=game,
        games=games,
        cards=display.cards(edition, links.lang),
        sheets=sheets,
        names={sheet.id: _naming(sheet) for sheet in sheets},
        editions=editions,
        signs=draw_signs,
    )


def _naming(sheet: Sheet) -> int:
    """The column that names the rows of a table."""
    named = [key for key in ("name", "wonder", "card", "objective") if key in sheet.keys]
    return sheet.keys.index(named[0]) if named else 0
