"""A backup has everything, and a file that was copied without its log is recognised."""

import shutil
import threading
from pathlib import Path

import pytest

from leagues.errors import RefusedError, StorageError
from leagues.storage.handle import Storage, open_storage, read_storage
from leagues.storage_files import backup_file, is_incomplete_copy, log_of
from tests.leagues.storage.samples import begin, played


def add(storage: Storage, tournament: int, entrants: list[int], numbers: range) -> None:
    for number in numbers:
        storage.results.add(tournament, [played(number, entrants)])


def count(path: Path) -> int:
    with read_storage(path) as reader:
        return sum(1 for _ in reader.results.matches())


def test_a_backup_of_a_database_in_use_has_everything(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        add(storage, tournament, entrants, range(5))
        assert backup_file(live, copy) == copy.stat().st_size
        add(storage, tournament, entrants, range(5, 8))
    assert count(copy) == 5
    assert count(live) == 8
    assert not log_of(copy).exists()
    assert not is_incomplete_copy(copy)


def test_a_backup_can_be_written_to(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        add(storage, tournament, entrants, range(2))
        backup_file(live, copy)
    with open_storage(copy) as restored:
        add(restored, tournament, entrants, range(2, 4))
    assert count(copy) == 4
    assert not is_incomplete_copy(copy)


def test_a_backup_while_a_writer_writes_is_a_state_it_was_in(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        writer = threading.Thread(target=add, args=(storage, tournament, entrants, range(60)))
        writer.start()
        sizes = []
        for _ in range(5):
            backup_file(live, copy, replace=True)
            sizes.append(count(copy))
        writer.join()
        assert sizes == sorted(sizes)
        backup_file(live, copy, replace=True)
    assert count(copy) == 60


def test_a_file_copied_without_its_log_is_told_from_a_complete_one(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        add(storage, tournament, entrants, range(3))
        assert not is_incomplete_copy(live)
        shutil.copy(live, copy)
        assert is_incomplete_copy(copy)
        with pytest.raises(StorageError, match=r"copied without copy\.db-wal while in use"):
            backup_file(copy, tmp_path / "other.db")
    shutil.copy(live, copy)
    assert not is_incomplete_copy(copy)  # the original was closed
    assert count(copy) == 3


def test_who_writes_into_an_incomplete_copy_does_not_make_it_complete(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        add(storage, tournament, entrants, range(2))
    with open_storage(live) as storage:
        add(storage, tournament, entrants, range(2, 4))
        shutil.copy(live, copy)
    with open_storage(copy) as restored:
        add(restored, tournament, entrants, range(2, 3))
    assert is_incomplete_copy(copy)
    with read_storage(copy) as reader:
        assert "incomplete copy" in str(reader.database.missing_log())


def test_a_copy_with_its_log_is_complete_whoever_reads_it(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        add(storage, tournament, entrants, range(3))
        shutil.copy(live, copy)
        shutil.copy(log_of(live), log_of(copy))
    assert count(copy) == 3
    assert count(copy) == 3
    assert not is_incomplete_copy(copy)


def test_two_writers_and_one_that_ends_leave_the_mark(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with open_storage(live) as storage:
        tournament, entrants = begin(storage)
        with open_storage(live) as other:
            add(other, tournament, entrants, range(2))
        add(storage, tournament, entrants, range(2, 4))
        shutil.copy(live, copy)
        assert is_incomplete_copy(copy)
    assert not is_incomplete_copy(live)


def test_a_backup_replaces_nothing_unless_asked(tmp_path: Path) -> None:
    live = tmp_path / "live.db"
    open_storage(live).close()
    there = tmp_path / "there"
    there.write_text("mine", encoding="utf-8")
    with pytest.raises(RefusedError, match="exists already"):
        backup_file(live, there)
    with pytest.raises(StorageError, match="the database itself"):
        backup_file(live, live, replace=True)
    with pytest.raises(StorageError, match="got the folder"):
        backup_file(live, tmp_path)
    with pytest.raises(StorageError, match="cannot write"):
        backup_file(live, tmp_path / "none" / "copy.db")
    assert there.read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["live.db", "there"]
