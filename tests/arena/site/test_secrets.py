"""What a page must not tell: deals to come, and what others' bots are made of."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.site.app.factory import create_app
from arena.site.contests import Contests
from arena.site.static_build import build
from engine.match import Fault, SeatUsage
from leagues.records import LeagueState, StageKind
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from tests.arena.site.sample_site import TABLES, Visitor, stock
from tests.arena.site.test_submitting import owner
from tests.support.setups import random_match

pytestmark = pytest.mark.slow

TRACEBACK = "Traceback (most recent call last):\n"
SEED = "170141183460469231731687303715884105727"


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", 0) as it:
        yield it


def test_the_seed_of_a_league_is_told_when_it_is_closed(storage: Storage, tmp_path: Path) -> None:
    league = storage.leagues.create(
        "winter", storage.reader.leagues.by_name("summer").rules, int(SEED)
    )
    visitor = Visitor(create_app(storage))
    urls = ["/leagues/winter", "/api/leagues/winter", "/api/leagues"]
    assert not any(SEED in visitor.get(url).text for url in urls)
    build(Contests(storage.reader), tmp_path / "site")
    assert not any(SEED in page.read_text() for page in (tmp_path / "site").rglob("*.html"))
    storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
    assert all(SEED in visitor.get(url).text for url in urls)


def test_a_stage_of_a_league_has_no_pages_of_its_own(storage: Storage, tmp_path: Path) -> None:
    summer = storage.reader.leagues.by_name("summer")
    bots = [entry.entrant for entry in storage.reader.leagues.playing(summer.id)]
    assert storage.stages.open_stage(summer, 2, StageKind.BALANCED, int(SEED), {}, bots)
    (_, (_, stage)) = storage.reader.stages.of_league(summer.id)
    result = random_match(TABLES[0], 9)
    storage.results.add(
        stage.id, [ScheduledResult(0, "summer-9", "balanced", 0, tuple(bots), result)]
    )
    match = storage.reader.results.ids(limit=1)[0]
    visitor = Visitor(create_app(storage))
    for rest in ("", "/board", "/meetings", "/bots", "/bots/5", "/matches"):
        assert visitor.get(f"/tournaments/{stage.id}{rest}").status_code == 404
        assert visitor.get(f"/api/tournaments/{stage.id}{rest}").status_code == 404
    for url in ("/", "/leagues/summer", "/leagues/summer/matches", f"/matches/{match}"):
        for page in (url, f"/api{url}"):
            assert SEED not in visitor.get(page).text
    assert SEED not in visitor.get("/api/tournaments").text
    build(Contests(storage.reader), tmp_path / "site")
    assert not any(SEED in page.read_text() for page in (tmp_path / "site").rglob("*.html"))


def fail(storage: Storage) -> int:
    """A match of the league in which both bots fail; ann's has seat 0."""
    ((_, tournament),) = storage.reader.stages.of_league(1)
    bots = [entry.entrant for entry in storage.reader.leagues.submissions(1)[:2]]
    said = (
        Fault(0, "exception", f"{TRACEBACK}  the source of 0\nValueError: told by 0", 4),
        Fault(1, "crash", "exit code 3, told by 1\nthe source of 1", 4),
    )
    result = replace(
        random_match(TABLES[0], 4),
        faults=said,
        accounts=tuple(SeatUsage(9, 0.5, 0.1, f"printed by {seat}") for seat in range(2)),
    )
    played = ScheduledResult(4, "summer-4", "balanced", 0, tuple(bots), result)
    storage.results.add(tournament.id, [played])
    return storage.reader.results.ids(limit=1)[0]


def test_what_a_bot_said_is_told_to_its_owner_alone(storage: Storage, tmp_path: Path) -> None:
    id = fail(storage)
    ann, bob = owner(storage, "ann"), owner(storage, "bob")
    nobody = Visitor(create_app(storage))
    words = ("the source of", "printed by")
    for visitor, mine in ((ann, [0]), (bob, [1]), (nobody, []), (ann, [0])):
        page = visitor.get(f"/matches/{id}").text
        assert [seat for seat in range(2) if f"{words[0]} {seat}" in page] == mine
        assert [seat for seat in range(2) if f"{words[1]} {seat}" in page] == mine
        assert "told by 0" in page
        assert "told by 1" in page
    build(Contests(storage.reader), tmp_path / "site")
    files = [page.read_text() for page in (tmp_path / "site").rglob("*.html")]
    assert any("told by 0" in page for page in files)
    assert not any(word in page for page in files for word in words)


def test_programs_are_told_the_gist_of_what_a_bot_said(storage: Storage) -> None:
    id = fail(storage)
    faults = Visitor(create_app(storage)).get(f"/api/matches/{id}").json()["faults"]
    told = ["ValueError: told by 0", "exit code 3, told by 1"]
    assert [fault["detail"] for fault in faults] == told
