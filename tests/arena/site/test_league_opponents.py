"""Bots of leagues as opponents: the best of the latest leagues, and one's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.submit import submit
from arena.site import league_opponents
from arena.site.contests import Contests
from arena.site.league_opponents import MAX_LEAGUES, LeagueOpponents
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage
from leagues.submissions.archive import receive_bytes
from tests.arena.site.sample_site import hand_in, source, stock


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", 4) as it:
        yield it


def test_the_best_of_a_league_are_offered_and_found(storage: Storage) -> None:
    opponents = LeagueOpponents(Contests(storage.reader))
    (names,) = opponents.names().values()
    entries = storage.reader.leagues.submissions(1)
    assert sorted(names) == [entry.label for entry in entries if entry.owner != "cy"]
    places = opponents.places([*(entry.label for entry in entries), "random"])
    assert sorted(places) == sorted(names)
    assert all(Path(place).exists() for place in places.values())
    opponents.close()
    assert not any(Path(place).exists() for place in places.values())


def test_only_the_latest_leagues_that_have_bots_are_offered(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = storage.reader.leagues.by_name("summer").rules
    opponents = LeagueOpponents(Contests(storage.reader))
    for at in range(MAX_LEAGUES):
        storage.leagues.create(f"new{at}", rules, at)
    assert list(opponents.names()) == ["summer"]  # the others offer nobody
    monkeypatch.setattr(league_opponents, "MAX_LEAGUES", 1)
    row = storage.leagues.create("last", rules, 9)
    storage.leagues.set_league_state(row.id, LeagueState.OPEN)
    entry, _ = submit(storage, row, receive_bytes("mine.py", source("eve")), "eve")
    storage.leagues.set_submission_state(entry.id, SubmissionState.ACCEPTED)
    assert list(opponents.names(["eve"])) == ["last"]
    first = storage.reader.leagues.submission(1)
    old = first.label
    assert first.owner is not None
    found = opponents.names([first.owner])
    assert list(found) == ["last", "summer"]
    assert found["summer"] == [old]  # of an older league, one's own alone
    assert list(opponents.places(["random", old])) == [old]  # a game with it can be played on
    opponents.close()


def test_an_archived_league_offers_nobody(storage: Storage) -> None:
    opponents = LeagueOpponents(Contests(storage.reader))
    hand_in(storage, "dan")  # waits for its check
    assert list(opponents.names(["dan"])) == ["summer"]
    league = storage.reader.leagues.by_name("summer").id
    for state in (LeagueState.CLOSED, LeagueState.ARCHIVED):
        storage.leagues.set_league_state(league, state)
    assert opponents.names() == {}
