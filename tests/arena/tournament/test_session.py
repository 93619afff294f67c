"""How a session begins: its workers get ready while what stores results is imported."""

import subprocess
import sys

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


def test_the_first_match_does_not_wait_for_what_rates_and_reports() -> None:
    assert run(STORED) == "set()\n"


def test_workers_are_forked_from_a_process_without_threads_alone() -> None:
    assert run(POOLS) == "True\nFalse\n"
