"""Matches shown while they are played, by workers of which some are killed."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from leagues.running_matches import RunningMatch
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.storage.models.leagues import RunningMatchRow
from tests.arena.league.sample_league import found
from tests.arena.league.test_worker import accept, assert_whole, start, submit
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

SLOW = """
import time
def decide(decision):
    time.sleep(0.1)
    return decision.options[0]
"""
BOTS = {name: f"{SLOW}# {name}\n" for name in ("one", "two", "three")}


def begin(place: str, folder: Path, **rules: object) -> "subprocess.Popen[str]":
    with open_storage(place) as storage:
        wanted = {"players": "2", "games": 4, "extra": 0, "live_delay": "0s"} | rules
        found(storage, "spring", **wanted)
    submit(place, **BOTS)
    accept(place)
    return start(place, folder)


def under_way(storage: Storage) -> list[RunningMatch]:
    return storage.reader.running.of_league(1)


def rows(storage: Storage) -> int:
    """How many there are, shown or not."""
    with storage.database.reading() as connection:
        query = sa.select(sa.func.count()).select_from(RunningMatchRow)
        return int(connection.execute(query).scalar_one())


def end(process: "subprocess.Popen[str]") -> None:
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors


def test_slow_matches_are_shown_as_they_are_played(place: str, tmp_path: Path) -> None:
    process = begin(place, tmp_path)
    seen: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    with open_storage(place) as storage:
        while process.poll() is None:
            for match in under_way(storage):
                shown = seen.setdefault((match.tournament, match.number), [])
                if match.decisions not in shown:
                    shown.append(match.decisions)
            time.sleep(0.1)
        end(process)
        assert_whole(storage)
        assert rows(storage) == 0
        played = {}
        for stored in storage.reader.results.matches(MatchFilter(league=1)):
            played[stored.tournament, stored.number] = tuple(stored.result.decisions)
    assert any(len(shown) > 1 for shown in seen.values())
    for key, shown in seen.items():
        for decisions in shown:
            assert played[key][: len(decisions)] == decisions


def test_a_league_that_does_not_say_so_publishes_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    process = begin(place, tmp_path, live_delay="off")
    with open_storage(place) as storage:
        wait_until(lambda: storage.reader.results.count() >= 2, process)
        assert rows(storage) == 0
        end(process)
        assert rows(storage) == 0


def test_a_worker_that_is_killed_leaves_nothing_that_is_shown(place: str, tmp_path: Path) -> None:
    process = begin(place, tmp_path)
    with open_storage(place) as storage:
        wait_until(lambda: under_way(storage), process)
        process.kill()
        process.communicate()
        until = time.monotonic() + 60
        while under_way(storage) and time.monotonic() < until:  # its lease is of two seconds
            time.sleep(0.1)
        assert not under_way(storage)
        end(start(place, tmp_path))
        assert rows(storage) == 0
        assert_whole(storage)


def test_a_process_that_is_killed_is_replaced_and_its_match_shown_again(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    process = begin(place, tmp_path)
    with open_storage(place) as storage:
        wait_until(lambda: under_way(storage), process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii")
        players = [
            pid
            for pid in map(int, children.split())
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        os.kill(players[0], signal.SIGKILL)
        end(process)
        assert rows(storage) == 0
        assert_whole(storage)
