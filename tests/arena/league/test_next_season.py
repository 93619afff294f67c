"""The next season is there whole or not at all, wherever the command that makes it ends."""

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.league.organiser.seasons import follow_league
from engine.errors import ArenaError
from leagues.records import LeagueState
from leagues.storage.handle import open_storage
from tests.arena.league.sample_league import enter, found
from tests.leagues.storage.writers import start

BOTS = 4


@pytest.fixture
def ended(tmp_path: Path) -> str:
    """A database with a league that is over."""
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage)
        for number in range(BOTS):
            enter(storage, league, "bot", f"owner{number}")
        storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
    return db


@contextmanager
def before_write(number: int, act: Callable[[], None]) -> Iterator[list[str]]:
    """Do something before this write of the process, commits included; those seen so far."""
    seen: list[str] = []

    def note(what: str) -> None:
        seen.append(what)
        if len(seen) == number:
            act()

    def on_statement(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            note(statement)

    def on_commit(_connection: object) -> None:
        if seen:  # readers end what they began too
            note("COMMIT")

    listeners: dict[str, Callable[..., None]] = {
        "before_cursor_execute": on_statement,
        "commit": on_commit,
    }
    for event, listener in listeners.items():
        sa.event.listen(sa.Engine, event, listener)
    try:
        yield seen
    finally:
        for event, listener in listeners.items():
            sa.event.remove(sa.Engine, event, listener)


def fail() -> None:
    raise ArenaError("the disk is gone")


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def follow_and_die(db: str, write: int) -> None:
    with before_write(write, kill):
        follow_league(["spring"], "autumn", 2, "ref", db)


def contents(db: str) -> list[str]:
    """All that is stored."""
    with closing(sqlite3.connect(db)) as connection:
        return list(connection.iterdump())


def seasons(db: str) -> dict[str, int]:
    """The bots of every league."""
    with open_storage(db) as storage:
        leagues = storage.reader.leagues
        assert not list(storage.reader.results.damages())
        return {league.name: len(leagues.playing(league.id)) for league in leagues.all()}


@pytest.fixture
def writes(ended: str, tmp_path: Path) -> list[str]:
    """What the command writes, in its order; seen on a copy."""
    copy = tmp_path / "copy.db"
    copy.write_bytes(Path(ended).read_bytes())
    with before_write(0, fail) as seen:
        follow_league(["spring"], "autumn", 2, "ref", str(copy))
    assert seasons(str(copy)) == {"spring": BOTS, "autumn-d1": 2, "autumn-d2": 2}
    return seen


@pytest.mark.slow
def test_an_error_at_any_write_leaves_the_old_season_alone(ended: str, writes: list[str]) -> None:
    before = contents(ended)
    assert len(writes) > 2 * BOTS
    assert writes.index("COMMIT") == len(writes) - 1
    for number in range(1, len(writes) + 1):
        with (
            before_write(number, fail) as seen,
            pytest.raises(ArenaError, match="the disk is gone"),
        ):
            follow_league(["spring"], "autumn", 2, "ref", ended)
        assert seen == writes[:number]
        assert contents(ended) == before
    assert seasons(ended) == {"spring": BOTS}


@pytest.mark.slow
@pytest.mark.parametrize("place", [0.1, 0.6, 1.0])
def test_a_command_that_is_killed_leaves_the_old_season_alone(
    ended: str, writes: list[str], place: float
) -> None:
    before = contents(ended)
    process = start(follow_and_die, ended, round(place * len(writes)))
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert seasons(ended) == {"spring": BOTS}
    assert contents(ended) == before
    follow_league(["spring"], "autumn", 2, "ref", ended)
    assert len(seasons(ended)) == 3
