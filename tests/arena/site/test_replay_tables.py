"""Tables say what they are, and a table that stands still is drawn like one that is replayed."""

import pytest

from arena.display import display_of
from arena.site.links import Links, address
from arena.site.pages.replay import render_table
from arena.site.pages.rules import rules_page
from arena.site.templating import Macros
from engine.catalog import GAMES
from tests.arena.site.markup import Markup
from tests.arena.site.sample_replays import MARKUP, ROWS, names, reel_of
from tests.support.setups import Row

BOXES = [(game.id, edition) for game in GAMES for edition in game.editions or (None,)]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "edition"), BOXES)
def test_every_table_of_a_box_has_its_caption_and_headings(
    game: str, edition: str | None, lang: str
) -> None:
    sheets = display_of(game).components(edition, lang)
    markup = Markup(rules_page(game, Links(address(("rules", game), lang)), edition))
    assert [tag for tag, _ in markup.tags].count("caption") == len(sheets)
    scopes = [tag["scope"] for tag in markup.with_attribute("scope")]
    assert scopes.count("row") == sum(len(sheet.rows) for sheet in sheets)
    assert scopes.count("col") == sum(len(sheet.headings) for sheet in sheets)
    for sheet in sheets:
        assert sheet.id in markup.ids
        assert sheet.title in markup.texts


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_table_that_stands_still_shows_the_same_rows(row: Row) -> None:
    scene = display_of(row.rules.id).scene(row.deal(1), "en")
    table = render_table(scene, names(row.players))
    markup = Markup(table)
    assert any(MARKUP in text for text in markup.texts)
    rendered = reel_of(row)
    for place in rendered.places:
        for id, slot in place.slots:
            part = rendered.html(0, slot)
            # What is decided next depends on what comes.
            assert id in ("choice", "hand") or part in table
    marked = [tag for tag in markup.with_attribute("data-seat") if "active" in f"{tag['class']}"]
    assert len(marked) == (1 if row.game == "architects" else 0)


def test_an_interval_lies_on_the_scale_of_its_table() -> None:
    drawn = Macros("tables.html", "en").draw("interval", 20.0, 25.0, 35.0, 15.0, 40.0)
    assert 'x1="20.0" x2="80.0"' in drawn
    assert '<rect x="39.0"' in drawn
