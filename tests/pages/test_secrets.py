"""What a page must not tell: deals to come, and what others' bots are made of."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.site.app.making import make_app
from arena.site.archive import Archive
from arena.site.files import build
from leagues.roster import Roster
from pages.stock import Visitor, stock

SEED = "170141183460469231731687303715884105727"


@pytest.fixture
def roster(tmp_path: Path) -> Iterator[Roster]:
    with stock(tmp_path / "arena.db", 0) as it:
        yield it


def test_the_seed_of_a_league_is_told_when_it_is_closed(roster: Roster, tmp_path: Path) -> None:
    league = roster.create("winter", roster.league("summer").rules, int(SEED))
    visitor = Visitor(make_app(roster))
    urls = ["/leagues/winter", "/api/leagues/winter", "/api/leagues"]
    assert not any(SEED in visitor.get(url).text for url in urls)
    build(Archive(roster), tmp_path / "site")
    assert not any(SEED in page.read_text() for page in (tmp_path / "site").rglob("*.html"))
    roster.turn(league.id or 0, "CLOSED")
    assert all(SEED in visitor.get(url).text for url in urls)
