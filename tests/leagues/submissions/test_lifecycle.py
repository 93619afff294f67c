"""One submission is read as it is among all."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.league.submit import submit
from leagues.storage.leagues import open_roster
from leagues.storage.results import RefusedError, UnknownError
from tests.arena.league.sample_league import code, enter, found


def test_one_submission_is_what_it_is_among_all(tmp_path: Path) -> None:
    with open_roster(tmp_path / "arena.db") as roster:
        league, other = found(roster, "spring"), found(roster, "autumn")
        for version in ("1", "2"):
            enter(roster, league, "a", version=version)
        enter(roster, league, "b")
        enter(roster, other, "a")
        submit(roster, league, code("a"), "eve")
        for row in (league, other):
            for entry in roster.entries(row.id or 0):
                assert roster.entry_of(entry.id) == entry
                assert roster.league_of(entry) == row
        states = [entry.status for entry in roster.entries(league.id or 0)]
        assert states == ["RETIRED", "ACCEPTED", "ACCEPTED", "RECEIVED"]


def test_absence_and_refusal_are_told_apart(tmp_path: Path) -> None:
    with open_roster(tmp_path / "arena.db") as roster:
        league = found(roster, "spring")
        absent: tuple[Callable[[], object], ...] = (
            lambda: roster.entry_of(9),
            lambda: roster.league("winter"),
            lambda: roster.numbered(9),
            lambda: roster.match(9),
            lambda: roster.say(9, "WITHDRAWN"),
            lambda: roster.entry(league.id or 0, "nobody"),
        )
        for ask in absent:
            with pytest.raises(UnknownError):
                ask()
        roster.turn(league.id or 0, "CLOSED")
        refused: tuple[Callable[[], object], ...] = (
            lambda: roster.turn(league.id or 0, "OPEN"),
            lambda: submit(roster, league, code("a"), "eve"),
            lambda: roster.create("Spring", league.rules, 1),
        )
        for ask in refused:
            with pytest.raises(RefusedError):
                ask()
