"""Writers that meet, and writers that are killed, leave every match there once or not at all."""

import fcntl
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import IO

import pytest

from leagues.storage.database import try_lock
from leagues.storage.handle import open_storage
from tests.leagues.storage.samples import begin, played, rated
from tests.leagues.storage.writers import SIZE, open_only, start, write

COUNT = 400
ENDLESS = 100_000  # matches that no writer lives to see


@pytest.mark.slow
def test_many_at_once_make_one_database(place: str) -> None:
    opening = [start(open_only, place) for _ in range(4)]
    for process in opening:
        process.join(60)
    assert [process.exitcode for process in opening] == [0, 0, 0, 0]


def test_two_writers_of_the_same_numbers_store_each_once(place: str) -> None:
    both = [start(write, place, COUNT) for _ in range(2)]
    for process in both:
        process.join(120)
    assert [process.exitcode for process in both] == [0, 0]
    with open_storage(place) as storage:
        tournament, _ = begin(storage)
        assert list(storage.reader.results.played(tournament)) == list(range(COUNT))
        assert len(rated(storage)) == COUNT
        assert not list(storage.reader.results.damages())


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_whole_batches(place: str) -> None:
    random = Random(5)
    with open_storage(place) as storage:
        tournament, _ = begin(storage)
        for _ in range(6):
            before = len(storage.reader.results.played(tournament))
            writer = start(write, place, ENDLESS)
            while (
                writer.is_alive() and len(storage.reader.results.played(tournament)) < before + SIZE
            ):
                time.sleep(0.001)
            time.sleep(random.random() / 50)
            writer.kill()
            writer.join()
            assert writer.exitcode == -signal.SIGKILL
            done = storage.reader.results.played(tournament)
            assert list(done) == list(range(len(done)))
            assert len(done) % SIZE == 0
            assert not list(storage.reader.results.damages())
    more = len(done) + SIZE
    write(place, more)
    with open_storage(place) as storage:
        assert list(storage.reader.results.played(tournament)) == list(range(more))
        assert not list(storage.reader.results.damages())


@pytest.mark.slow
def test_a_database_is_closed_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    storage = open_storage(path)
    tournament, entrants = begin(storage)
    storage.results.add(tournament, [played(0, entrants)])
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        storage.close()
    with open_storage(path) as storage:
        assert list(storage.reader.results.played(tournament)) == [0]


def test_a_lock_that_was_removed_meanwhile_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "arena.db"
    lock = tmp_path / "arena.db-7.lock"
    flock = fcntl.flock
    taken: list[IO[str]] = []

    def late(file: IO[str], how: int) -> None:
        flock(file, how)
        if not taken:  # who had it ends, and a third takes the next
            lock.unlink()
            taken.append(lock.open("w"))
            flock(taken[0], how)

    with open_storage(path) as storage:
        monkeypatch.setattr("leagues.storage.database.fcntl.flock", late)
        with try_lock(storage.database.engine, 7) as held:
            assert not held
        taken[0].close()
        with try_lock(storage.database.engine, 7) as held:
            assert held
    assert not lock.exists()
