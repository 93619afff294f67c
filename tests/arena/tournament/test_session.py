"""How a session begins: its workers get ready while what stores results is imported."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from arena.playing.runner import Runner
from arena.schedule import Fixture
from arena.tournament.plan_command import plan_command
from arena.tournament.session import SessionOptions, make_plan, run_tournament
from engine.match import MatchSpec

LIGHT = "import sys, arena.tournament.session; print({'sqlalchemy', 'numpy'} & set(sys.modules))"
STORED = """
import sys
import arena.tournament.stored_session, leagues.storage.queries, leagues.storage.results
print({'numpy', 'trueskill', 'rich', 'arena.reports.leaderboard'} & set(sys.modules))
"""
POOLS = """
import colorsys, threading  # the one is loaded in what is forked, and not in what is spawned
from arena.playing import worker
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation

conditions = worker.Conditions({}, choose_isolation([], in_process=True), Limits())


def is_forked():
    with worker.open_pool(conditions, 1, worker.SPAWN.Queue()) as pool:
        return pool.submit(eval, "'colorsys' in __import__('sys').modules").result()


if __name__ == "__main__":
    print(is_forked())
    ended = threading.Event()
    threading.Thread(target=ended.wait).start()
    print(is_forked())
    ended.set()
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_workers_need_not_wait_for_what_stores_results() -> None:
    assert run(LIGHT) == "set()\n"


@pytest.mark.slow
def test_the_first_match_does_not_wait_for_what_rates_and_reports() -> None:
    assert run(STORED) == "set()\n"


def test_workers_are_forked_from_a_process_without_threads_alone() -> None:
    assert run(POOLS) == "True\nFalse\n"


def play(place: Path, seed: int) -> list[tuple[int, str, bytes]]:
    """Run a tournament: its matches as they are stored, by their numbers."""
    given = {"players": "2", "rounds": 3, "seed": seed, "in_process": True}
    options = SessionOptions(str(place), shows_table=False)
    assert run_tournament(make_plan(["random", "random"], given), options, plan_command) == 0
    query = (
        "SELECT number, fixture, decisions FROM match"
        " WHERE tournament = (SELECT max(id) FROM tournament) ORDER BY number"
    )
    with closing(sqlite3.connect(place)) as database:
        return database.execute(query).fetchall()


@pytest.mark.slow
def test_a_new_tournament_begins_before_its_database_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    begin = Runner.begin

    def watched(self: Runner[Fixture], matches: Iterable[tuple[Fixture, MatchSpec]]) -> None:
        begin(self, matches)
        begun.extend(fixture.number for fixture in self._begun)

    monkeypatch.setattr(Runner, "begin", watched)
    early = play(tmp_path / "new.db", 7)
    assert begun[:2] == [0, 1]
    assert [number for number, *_ in early] == list(range(6))

    other = tmp_path / "other.db"
    play(other, 8)
    begun.clear()
    assert play(other, 7) == early
    assert begun == []  # what is stored in a database that is there decides what is played
