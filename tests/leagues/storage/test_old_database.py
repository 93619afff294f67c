"""A database of an earlier program is upgraded, read, verified and continued."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from leagues.errors import StorageError
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import open_storage, read_storage

DUMP = Path(__file__).with_name("old_database.sql")


def test_an_old_database_is_read_verified_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as base:
        base.executescript(DUMP.read_text(encoding="utf-8"))
    with pytest.raises(StorageError, match="schema 0003 of an older"), read_storage(path):
        pass
    with open_storage(path) as storage:
        reader = storage.reader
        assert [league.name for league in reader.leagues.all()] == ["spring"]
        cup = reader.results.tournament("cup")
        assert cup is not None
        stored = list(reader.results.matches())
        assert len(stored) == 14
        assert {each.result.time_factor for each in stored} == {1.0}
        assert not list(reader.results.damages())
        last = next(each for each in stored if each.tournament == cup.id)
        entrants = tuple(seat.entrant for seat in last.seats)
        result = replace(last.result, seconds=1.5, time_factor=1.25)
        again = ScheduledResult(9999, "later", last.stage, 99, entrants, result)
        assert storage.results.add(cup.id, [again]) == 1
        assert storage.reader.results.count() == 15
        assert next(reader.results.matches(limit=1)).result.time_factor == 1.25
        assert not list(storage.reader.results.damages())
