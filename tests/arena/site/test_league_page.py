"""A league's pages: the table of `arena league table`, and what became of every bot."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.i18n import decimal
from arena.league.leaderboard import league_leaderboard
from arena.league.planning.agenda import agenda
from arena.league.reports import board_report
from arena.league.rules import parse_rules
from arena.league.submit import submit
from arena.site.app.factory import create_app
from leagues.records import League, LeagueState, SubmissionState
from leagues.storage.handle import Storage, open_storage
from tests.arena.league.sample_league import code, enter, found, play
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import Visitor
from tests.arena.site.test_submitting import owner

pytestmark = pytest.mark.slow


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as it:
        yield it


@pytest.fixture
def league(storage: Storage) -> League:
    """Four bots that have played, one of them replaced; one that is new; one rejected."""
    league = found(storage, games=20)
    for name in "abcd":
        enter(storage, league, name)
    while (due := agenda(storage, league, parse_rules(league.rules)).due) is not None:
        play(storage, due, level=False)
    enter(storage, league, "a", version="2")
    enter(storage, league, "e")
    entry, _ = submit(storage, league, code("broken"), "eve")
    storage.leagues.set_submission_state(
        entry.id, SubmissionState.REJECTED, "step 2 failed", "Traceback\nSecretError: source"
    )
    return league


def shown_range(text: str) -> str:
    """Ranks as the page has them: one where it is sure."""
    low, high = text.split("-")
    return low if low == high else f"{low}–{high}"


def test_the_page_has_the_rows_of_the_command(storage: Storage, league: League) -> None:
    page = Visitor(create_app(storage)).get("/leagues/spring").text
    rows = board_report(storage.reader, league, league_leaderboard(storage.reader, league)).rows
    row = (
        r'rank" data-value="\d"><b>(\d)</b>.*?<small><b>(−?[\d.]+)</b>.*?data-value="\d+">([\d–]+)<'
    )
    assert re.findall(row, page, re.S) == [
        (str(row["rank"]), decimal(row["skill"], 1, "en"), shown_range(row["rank_range"]))
        for row in rows
    ]
    assert re.search(r"5 bots</span> <span>\d+ matches", page)
    assert "5 bots" in Visitor(create_app(storage)).get("/").text
    sure = [row["rating"] for row in rows]
    assert sure != sorted(sure, reverse=True)  # else another order would do


def test_everyone_is_ranked_by_skill(storage: Storage, league: League) -> None:
    rows = league_leaderboard(storage.reader, league).rows(everyone=True)
    assert len(rows) == 6
    skills = [row.skill.value for row in rows]
    assert skills == sorted(skills, reverse=True)


def test_a_bot_that_does_not_play_says_so(storage: Storage, league: League) -> None:
    visitor = Visitor(create_app(storage))
    id = storage.reader.leagues.find_submission(league.id, "eve/broken").entrant
    page = visitor.get(f"/leagues/spring/bots/{id}")
    texts = Markup(page.text).texts
    assert "Rejected" in texts
    assert "step 2 failed" not in page.text  # which is for its owner
    assert "SecretError" not in page.text
    waits, _ = submit(storage, league, code("late"), "eve")
    assert "Waits to be checked" in visitor.get(f"/leagues/spring/bots/{waits.entrant}").text


def test_an_owner_is_told_whether_a_worker_is_there(storage: Storage, league: League) -> None:
    visitor = owner(storage, "eve")
    entry, _ = submit(storage, league, code("late"), "eve")
    pages = ("/submit", f"/submit/{entry.id}")
    assert all("Checking is paused" in visitor.get(page).text for page in pages)
    storage.leases.register("a worker", 60)
    assert all("will be checked in a moment" in visitor.get(page).text for page in pages)


def test_a_season_is_announced_and_ends_with_a_podium(storage: Storage, league: League) -> None:
    told = {"title": "Spring Cup 2027", "text": "**Prizes**: none <b>x</b>", "closes": "2027-05-31"}
    storage.seasons.edit(league.id, told, "", "ref")
    visitor = Visitor(create_app(storage))
    page = visitor.get("/leagues/spring").text
    assert "<h1>Spring Cup 2027" in page
    assert "<strong>Prizes</strong>: none &lt;b&gt;x&lt;/b&gt;" in page
    assert "Spring Cup 2027" in visitor.get("/").text
    final = storage.leagues.begin_final(league.id, 50, "the deadline", "ref")
    page = visitor.get("/leagues/spring").text
    assert "every bot plays 50 games on new deals" in page
    assert final.seed_sha256 in page
    assert final.seed not in page
    storage.leagues.set_league_state(league.id, LeagueState.CLOSED, "season over", "ref")
    assert "season over" in visitor.get("/leagues/spring").text
    page = visitor.get("/leagues/spring/podium").text
    assert final.seed in page
    assert re.findall(r'class="step-place">(\d)</b>', page) == ["1", "2", "3"]
    storage.leagues.set_league_state(league.id, LeagueState.ARCHIVED, "", "ref")
    assert visitor.get("/leagues/spring").status_code == 404
    assert "Spring Cup" not in visitor.get("/").text


def test_an_owner_is_told_when_a_bot_of_theirs_crashes(storage: Storage) -> None:
    league = found(storage, players="2", games=4, extra=0)
    enter(storage, league, "mine", "ann")
    enter(storage, league, "other", "bob")
    due = agenda(storage, league, parse_rules(league.rules)).due
    assert due is not None
    play(storage, due, 3, faulty=0)
    page = owner(storage, "ann").get("/submit").text
    assert "it failed in 3 of 3 games: 3 exception" in page
    (link,) = re.findall(r'role="alert">.*?href="([^"]+)"', page)
    assert Visitor(create_app(storage)).get(link.replace("&amp;", "&")).status_code == 200
    assert "it failed" not in owner(storage, "bob").get("/submit").text


def test_a_link_that_is_shared_has_a_title_and_a_picture(storage: Storage, league: League) -> None:
    visitor = Visitor(create_app(storage))
    page = visitor.get("/leagues/spring").text
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    assert picture == "http://localhost/static/preview.png"
    assert visitor.get(picture).content.startswith(b"\x89PNG")
    (title,) = re.findall(r'property="og:title" content="([^"]+)"', page)
    assert "spring" in title
