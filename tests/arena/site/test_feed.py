"""The Atom feed of a league."""

import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.site.app.factory import create_app
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage
from tests.arena.site.sample_site import Visitor, stock

NS = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", matches=0) as made:
        yield made


def read(visitor: Visitor) -> list[ElementTree.Element]:
    answer = visitor.get("/leagues/summer/feed.atom")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml"
    return ElementTree.fromstring(answer.text).findall(f"{NS}entry")


def text(entry: ElementTree.Element, tag: str) -> str:
    return entry.findtext(f"{NS}{tag}", "")


def test_a_league_has_a_feed_of_its_news(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    league = storage.reader.leagues.by_name("summer")
    before = read(visitor)
    (first, *_) = [
        entry
        for entry in storage.reader.leagues.submissions(league.id)
        if entry.state == SubmissionState.ACCEPTED
    ]
    storage.leagues.set_submission_state(
        first.id, SubmissionState.SUSPENDED, "its <b>faults</b>", "detail", "someone"
    )
    storage.leagues.set_league_state(league.id, LeagueState.PAUSED, "holidays", "someone")
    entries = read(visitor)
    assert len(entries) == len(before) + 2
    titles = [text(entry, "title") for entry in entries]
    assert "summer is paused" in titles
    suspended = entries[titles.index(f"{first.label} was suspended")]
    assert "its <b>faults</b>" in text(suspended, "summary")
    moments = [text(entry, "updated") for entry in entries]
    assert moments == sorted(moments, reverse=True)
    assert time.strptime(moments[0], "%Y-%m-%dT%H:%M:%SZ")
    assert len({text(entry, "id") for entry in entries}) == len(entries)


def test_why_a_bot_was_rejected_is_not_told(storage: Storage) -> None:
    league = storage.reader.leagues.by_name("summer")
    rejected = [
        entry
        for entry in storage.reader.leagues.submissions(league.id)
        if entry.state == SubmissionState.REJECTED
    ]
    assert rejected
    answer = Visitor(create_app(storage)).get("/leagues/summer/feed.atom").text
    assert all(entry.label not in answer for entry in rejected)


def test_a_league_that_is_not_there_has_none(storage: Storage) -> None:
    assert Visitor(create_app(storage)).get("/leagues/nosuch/feed.atom").status_code == 404
