"""One submission is read as it is among all."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.league.submit import submit
from leagues.errors import NotFoundError, RefusedError
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import open_storage
from leagues.submissions.lifecycle import check_names, check_owner
from tests.arena.league.sample_league import code, enter, found


def test_one_submission_is_what_it_is_among_all(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db") as storage:
        league, other = found(storage, "spring"), found(storage, "autumn")
        for version in ("1", "2"):
            enter(storage, league, "a", version=version)
        enter(storage, league, "b")
        enter(storage, other, "a")
        submit(storage, league, code("a"), "eve")
        for row in (league, other):
            for entry in storage.reader.leagues.submissions(row.id):
                assert storage.reader.leagues.submission(entry.id) == entry
                assert storage.reader.leagues.by_id(entry.league) == row
        states = [entry.status for entry in storage.reader.leagues.submissions(league.id)]
        assert states == ["RETIRED", "ACCEPTED", "ACCEPTED", "RECEIVED"]


def test_absence_and_refusal_are_told_apart(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db") as storage:
        league = found(storage, "spring")
        absent: tuple[Callable[[], object], ...] = (
            lambda: storage.reader.leagues.submission(9),
            lambda: storage.reader.leagues.by_name("winter"),
            lambda: storage.reader.results.tournament_by_id(9),
            lambda: storage.reader.results.match(9),
            lambda: storage.leagues.set_submission_state(9, SubmissionState.WITHDRAWN),
            lambda: storage.reader.leagues.find_submission(league.id, "nobody"),
        )
        for ask in absent:
            with pytest.raises(NotFoundError):
                ask()
        storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
        refused: tuple[Callable[[], object], ...] = (
            lambda: storage.leagues.set_league_state(league.id, LeagueState.OPEN),
            lambda: submit(storage, league, code("a"), "eve"),
            lambda: storage.leagues.create("Spring", league.rules, 1),
        )
        for ask in refused:
            with pytest.raises(RefusedError):
                ask()


@pytest.mark.parametrize("name", ["erased-3", "Erased-x", "anonymous", "ANONYMOUS-1"])
def test_names_of_the_nameless_are_nobody_s(name: str) -> None:
    with pytest.raises(RefusedError, match="expected a name that does not begin with erased-"):
        check_owner(name)
    with pytest.raises(RefusedError, match="expected a name that does not begin with erased-"):
        check_names(name, "1", None)
