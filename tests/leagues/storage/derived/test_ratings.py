"""Stored ratings are those of the results, to the last digit, whatever happened in between."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.match import Variant
from leagues.ratings import trueskill_fold
from leagues.ratings.leaderboard import build_leaderboard
from leagues.ratings.trueskill_fold import fold
from leagues.storage import results as results_module
from leagues.storage.codec import ScheduledResult
from leagues.storage.derived import forward
from leagues.storage.derived.boards import BoardKey
from leagues.storage.handle import Storage, open_storage, read_storage
from leagues.storage.match_filter import MatchFilter
from tests.leagues.storage.samples import begin, played
from tests.support.command import ROOT
from tests.support.made_results import ranks_of

VARIANT = Variant("seven", "2nd", ("leaders",))


def drawn(dice: random.Random, number: int, entrants: list[int]) -> ScheduledResult:
    """A match of three or four, of which the bots entered later are better."""
    table = dice.sample(entrants, dice.choice([3, 4]))
    shown = [dice.gauss(2.0 * entrant, 8.0) for entrant in table]
    ranks = list(ranks_of(shown, tie_within=1.0))
    scores = [round(50 + each) for each in shown]
    return played(number, table, ranks=ranks, scores=scores, faults=())


@pytest.fixture
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points and writes are close together, so that few matches make many."""
    monkeypatch.setattr(forward, "FIRST_STEP", 4)
    monkeypatch.setattr(forward, "MAX_POINTS", 8)
    monkeypatch.setattr(results_module, "RATED_TOGETHER", 10)
    monkeypatch.setattr(trueskill_fold, "CONTROLS", 1)


def assert_stored_is_folded(storage: Storage, tournaments: list[int]) -> None:
    """Stored, read, and folded from the results: three times the same."""
    assert list(storage.reader.ratings.problems(tournaments)) == []
    for tournament in (None, *tournaments):
        logs = storage.reader.results.logs(MatchFilter(tournament=tournament))
        if "seven" not in logs:
            continue
        read = storage.reader.ratings.read(BoardKey(VARIANT, tournament))
        assert read.ratings() == fold(logs["seven"])
        assert read.leaderboard("seven").rows == build_leaderboard(logs["seven"]).rows


def test_whatever_happens_stored_ratings_are_those_of_the_results(
    storage: Storage, short_steps: None
) -> None:
    dice = random.Random(1)
    first, entrants = begin(storage, 6)
    second, _ = begin(storage, 6, "autumn")
    waiting = {
        tournament: [drawn(dice, number, entrants) for number in range(40)]
        for tournament in (first, second)
    }
    for _ in range(15):
        tournament = dice.choice([first, second])
        portion = waiting[tournament][: dice.randrange(1, 12)]
        dice.shuffle(portion)
        late = portion[: dice.randrange(len(portion))] if portion else []
        storage.results.add(tournament, [each for each in portion if each not in late])
        storage.results.add(tournament, late)
        waiting[tournament] = waiting[tournament][len(portion) :]
        if dice.random() < 0.3:
            storage.ratings.bring_forward(tournament)
        if dice.random() < 0.3 and (ids := storage.reader.results.ids()):
            act = dice.choice([storage.results.exclude, storage.results.restore])
            act(dice.choice(ids), "for a try")
    assert_stored_is_folded(storage, [first, second])
    assert rows_of(storage)
    storage.ratings.bring_forward(first)
    storage.ratings.bring_forward(second)
    before = rows_of(storage)
    storage.ratings.rebuild()
    assert rows_of(storage) == before


def rows_of(storage: Storage) -> list[tuple[object, ...]]:
    """Everything that is stored of ratings, but the numbers of boards."""
    query = sa.text(
        "SELECT b.scope, b.contest, b.last_match, b.matches, p.match, p.tied, p.draw_pairs,"
        " r.matches, r.entrant, r.mu, r.sigma, r.games, r.precision, r.pull FROM rating r"
        " JOIN rating_board b ON b.id = r.board"
        " JOIN rating_point p ON p.board = r.board AND p.matches = r.matches"
        " ORDER BY 1, 2, 8, 9"
    )
    with storage.database.reading() as connection:
        return [tuple(row) for row in connection.execute(query)]


def test_a_history_keeps_points_that_a_longer_one_needs() -> None:
    for matches in (1, 63, 64, 5000, 5001, 100_000, 1_000_000):
        places = forward.point_places(matches)
        assert places[-1] == matches
        assert len(places) <= 2 * forward.MAX_POINTS
        later = forward.point_places(matches + 137)
        assert {place for place in later if place < matches} <= set(places)
        gaps = [after - before for before, after in pairwise(places)]
        assert not gaps or gaps[-1] <= forward.FIRST_STEP  # near the end little is folded again


def test_ratings_are_stored_with_the_results(storage: Storage, short_steps: None) -> None:
    tournament, entrants = begin(storage, 5)
    dice = random.Random(1)
    storage.results.add(tournament, [drawn(dice, number, entrants) for number in range(9)])
    assert rows_of(storage) == []
    storage.results.add(tournament, [drawn(dice, 9, entrants)])
    stored = {(row[0], row[2], row[3]) for row in rows_of(storage)}
    assert stored == {("all", 10, 10), ("tournament", 10, 10)}


def test_a_match_that_is_excluded_is_gone_at_once(storage: Storage) -> None:
    tournament, entrants = begin(storage, 5)
    dice = random.Random(1)
    storage.results.add(tournament, [drawn(dice, number, entrants) for number in range(9)])
    storage.ratings.bring_forward(tournament)
    before = rows_of(storage)
    storage.results.exclude(5, "for a try")
    assert rows_of(storage) != before
    assert_stored_is_folded(storage, [tournament])
    storage.results.restore(5, "for a try")
    assert rows_of(storage) == before
    for match in range(1, 10):
        storage.results.exclude(match, "all of them")
    assert storage.reader.ratings.read(BoardKey(VARIANT)).totals.entrants == ()
    assert list(storage.reader.ratings.problems([tournament])) == []


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("UPDATE rating SET mu = mu + 1e-12 WHERE entrant = 2", "for entrant 2 after 30 matches"),
        ("DELETE FROM rating WHERE entrant = 3", "got no rating"),
        ("UPDATE rating_point SET tied = tied + 1", "the point after 30 matches is not that"),
        ("UPDATE rating_board SET matches = 29", "the stored sums are not those of the results"),
        ("UPDATE match_count SET matches = 31", "expected a count of"),
    ],
)
def test_a_difference_is_named(storage: Storage, damage: str, problem: str) -> None:
    tournament, entrants = begin(storage, 5)
    dice = random.Random(1)
    storage.results.add(tournament, [drawn(dice, number, entrants) for number in range(30)])
    storage.ratings.bring_forward(tournament)
    with storage.database.writing() as connection:
        connection.execute(sa.text(damage))
    assert any(problem in each for each in storage.reader.ratings.problems([tournament]))
    storage.ratings.rebuild()
    assert list(storage.reader.ratings.problems([tournament])) == []


def test_unrated_matches_have_a_board_of_their_own(storage: Storage) -> None:
    tournament, entrants = begin(storage, 5)
    storage.results.add(tournament, [played(n, entrants[:3], rated=False) for n in range(5)])
    storage.ratings.bring_forward(tournament)
    assert storage.reader.ratings.read(BoardKey(VARIANT)).totals.matches == 0
    own = BoardKey(VARIANT, tournament, unrated=True)
    assert storage.reader.ratings.read(own).totals.matches == 5
    assert [point.state.matches for point in storage.reader.ratings.history(own)] == [5]


def test_an_older_database_has_ratings_after_its_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    dump = ROOT / "tests/leagues/storage/old_database.sql"
    with closing(sqlite3.connect(path)) as base:
        base.executescript(dump.read_text(encoding="utf-8"))
    with open_storage(path) as storage:
        reader = storage.reader
        assert reader.results.count() == 14
        ids = [each.id for each in reader.results.tournaments()]
        wanted = {name: fold(log) for name, log in reader.results.logs().items()}
        variants = {each.variant.game: each.variant for each in reader.results.origins()}
        for stored in (False, True):
            if stored:
                storage.ratings.rebuild()
                assert rows_of(storage)
            assert wanted == {
                name: reader.ratings.read(BoardKey(variants[name])).ratings() for name in wanted
            }
            assert list(reader.ratings.problems(ids)) == []


WRITER = """
import random, sys
from leagues.storage import results
from leagues.storage.derived import forward
from leagues.storage.handle import open_storage
from tests.leagues.storage.derived.test_ratings import drawn
from tests.leagues.storage.samples import begin
results.RATED_TOGETHER = 20
forward.FIRST_STEP = 4
with open_storage(sys.argv[1]) as storage:
    tournament, entrants = begin(storage, 6)
    dice = random.Random(sys.argv[2])
    first = number = len(storage.reader.results.played(tournament))
    rated = False
    while True:
        size = dice.randrange(1, 8)
        portion = [drawn(dice, number + at, entrants) for at in range(size)]
        storage.results.add(tournament, portion[1:])
        storage.results.add(tournament, portion[:1])
        number += size
        if dice.random() < 0.1:
            storage.results.exclude(dice.randrange(1, number), "for a try")
        if not rated and number - first > results.RATED_TOGETHER:
            rated = True
            print("rated", flush=True)
"""


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_ratings_of_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "FIRST_STEP", 4)
    path = tmp_path / "killed.db"
    dice = random.Random(7)
    seen = 0
    for number in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(number)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"rated\n"
            time.sleep(dice.uniform(0.0, 0.5))
            writer.send_signal(signal.SIGKILL)
        with read_storage(path) as reader:
            assert list(reader.ratings.problems([1])) == []
            (log,) = reader.results.logs().values()
            assert len(log) > seen
            seen = len(log)
            assert reader.ratings.read(BoardKey(VARIANT)).ratings() == fold(log)
    with open_storage(path) as storage:
        assert rows_of(storage)
