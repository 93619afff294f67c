"""A league's pages: the table of `arena league table`, and what became of every bot."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.agenda import agenda
from arena.league.leaderboard import board
from arena.league.reports import board_report
from arena.league.rules import parse_rules
from arena.league.submit import submit
from arena.site.app.factory import create_app
from leagues.records import League, SubmissionState
from leagues.storage.handle import Storage, open_storage
from tests.arena.league.sample_league import code, enter, found, play
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import Visitor
from tests.arena.site.test_submitting import owner

pytestmark = pytest.mark.slow


@pytest.fixture
def roster(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as it:
        yield it


@pytest.fixture
def league(roster: Storage) -> League:
    """Four bots that have played, one of them replaced; one that is new; one rejected."""
    league = found(roster, games=20)
    for name in "abcd":
        enter(roster, league, name)
    while (due := agenda(roster, league, parse_rules(league.rules)).due) is not None:
        play(roster, due, level=False)
    enter(roster, league, "a", version="2")
    enter(roster, league, "e")
    entry, _ = submit(roster, league, code("broken"), "eve")
    roster.leagues.set_submission_state(
        entry.id, SubmissionState.REJECTED, "step 2 failed", "Traceback\nSecretError: source"
    )
    return league


def test_the_page_has_the_rows_of_the_command(roster: Storage, league: League) -> None:
    page = Visitor(create_app(roster)).get("/leagues/spring").text
    rows = board_report(roster.reader, league, board(roster.reader, league)).rows
    row = r'rank"><b>(\d)</b>.*?range">(\d)–(\d)<.*?<small><b>([\d.]+)</b>'
    assert re.findall(row, page, re.S) == [
        (str(row["rank"]), *row["rank_range"].split("-"), f"{row['skill']:.1f}") for row in rows
    ]
    assert re.search(r"· 5 bots · \d+ matches", page)
    assert "5 bots" in Visitor(create_app(roster)).get("/").text
    sure = [row["rating"] for row in rows]
    assert sure != sorted(sure, reverse=True)  # else another order would do


def test_everyone_is_ranked_by_skill(roster: Storage, league: League) -> None:
    rows = board(roster.reader, league).rows(everyone=True)
    assert len(rows) == 6
    skills = [row.skill.value for row in rows]
    assert skills == sorted(skills, reverse=True)


def test_a_bot_that_does_not_play_says_why(roster: Storage, league: League) -> None:
    visitor = Visitor(create_app(roster))
    id = roster.reader.leagues.find_submission(league.id, "eve/broken").entrant
    page = visitor.get(f"/leagues/spring/bots/{id}")
    texts = Markup(page.text).texts
    assert "Rejected" in texts
    assert ": step 2 failed" in texts
    assert "SecretError" not in page.text
    waits, _ = submit(roster, league, code("late"), "eve")
    assert "Waits to be checked" in visitor.get(f"/leagues/spring/bots/{waits.entrant}").text


def test_an_owner_is_told_whether_a_worker_is_there(roster: Storage, league: League) -> None:
    visitor = owner(roster, "eve")
    entry, _ = submit(roster, league, code("late"), "eve")
    pages = ("/submit", f"/submit/{entry.id}")
    assert all("No worker is there now" in visitor.get(page).text for page in pages)
    roster.leases.register("a worker", 60)
    assert all("A worker is there" in visitor.get(page).text for page in pages)
