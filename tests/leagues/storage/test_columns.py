"""Reading by columns gives what reading match by match gives, and refuses what is damaged."""

import random
import sqlite3
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlmodel import col

from arena.tournament.verify import placing_of
from engine.match import Fault
from leagues.errors import StorageError
from leagues.ratings.result_log import ResultLog
from leagues.storage import columns
from leagues.storage.codec import ScheduledResult
from leagues.storage.columns import Columns
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.storage.models.results import MatchRow
from tests.leagues.storage.samples import begin, played
from tests.support.object_logs import logs_by_game

GAMES = ("architects", "seven")


def by_objects(
    storage: Storage, which: MatchFilter, unrated: bool, roster: list[int]
) -> dict[str, ResultLog]:
    stored = storage.reader.results.matches(which, latest_first=False)
    kept = [each for each in stored if not each.excluded and (each.rated or unrated)]
    return logs_by_game([placing_of(each) for each in kept], roster)


def assert_same(one: dict[str, ResultLog], other: dict[str, ResultLog]) -> None:
    assert list(one) == list(other)
    for game, log in one.items():
        for field in fields(ResultLog):
            value, expected = getattr(log, field.name), getattr(other[game], field.name)
            assert np.array_equal(value, expected), (game, field.name)
            assert getattr(value, "dtype", None) == getattr(expected, "dtype", None), field.name


def without_self_meetings(logs: dict[str, ResultLog]) -> dict[str, ResultLog]:
    return {game: replace(log, unrated=0) for game, log in logs.items() if len(log)}


def fill(storage: Storage, rng: random.Random) -> tuple[list[int], list[int]]:
    """Matches of two tournaments in turns, some of bots with themselves, some excluded."""
    tournaments = [begin(storage, 6, name)[0] for name in ("spring", "autumn")]
    entrants = begin(storage, 6)[1]
    for batch in range(4):
        numbers = rng.sample(range(100 * batch, 100 * batch + 100), rng.randint(1, 9))
        tournament = rng.choice(tournaments)
        storage.results.add(tournament, [made(rng, number, entrants) for number in numbers])
    for match in storage.reader.results.ids():
        for event in range(rng.choice((0, 0, 0, 1, 2, 3))):
            (storage.results.restore if event % 2 else storage.results.exclude)(match, "a reason")
    return tournaments, entrants


def made(rng: random.Random, number: int, entrants: list[int]) -> ScheduledResult:
    players = rng.randint(2, 6)
    table = (
        rng.choices(entrants, k=players) if rng.random() < 0.2 else rng.sample(entrants, players)
    )
    ranks = [rng.randrange(players) for _ in range(players)]
    seats = rng.sample(range(players), rng.choice((0, 0, 1, 2)))
    faults = tuple(Fault(seat, "time", "", 1) for seat in seats)
    scores = [rng.randint(-5, 90) for _ in range(players)]
    one = played(
        number, table, rng.random() < 0.8, ranks=ranks, faults=faults, scores=scores, accounts=()
    )
    spec = one.result.spec
    variant = replace(spec.setup.variant, game=rng.choice(GAMES))
    wonders = tuple(rng.choice("abcdefg,;") for _ in range(players))
    setup = replace(spec.setup, variant=variant, wonders=wonders)
    return replace(one, result=replace(one.result, spec=replace(spec, setup=setup)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_columns_are_what_the_matches_say(
    storage: Storage, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(columns, "MATCHES_AT_ONCE", rng.choice((1, 3, 5000)))
    monkeypatch.setattr(columns, "MAX_GAP", rng.choice((1, 2, 100)))
    tournaments, entrants = fill(storage, rng)
    for which in (
        MatchFilter(),
        *map(MatchFilter, tournaments),
        *(MatchFilter(game=game) for game in GAMES),
        MatchFilter(tournaments[0], since=200, before=500),
        MatchFilter(entrant=entrants[0], players=3),
        MatchFilter(faulty=True),
        MatchFilter(stage="none"),
    ):
        for unrated in (False, True):
            roster = rng.choice(([], [*entrants, 99], [7]))
            found = storage.reader.results.logs(which, unrated, roster)
            expected = by_objects(storage, which, unrated, roster)
            assert_same(found, expected)
            objects = [placing for log in found.values() for placing in log.placings()]
            assert_same(logs_by_game(objects, roster), without_self_meetings(expected))


def test_the_order_of_rows_in_the_database_does_not_matter(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, entrants = begin(storage)
    storage.results.add(tournament, [played(number, entrants) for number in range(20)])
    expected = storage.reader.results.logs()
    read, texts = Columns.numbers, Columns.texts

    def backwards(
        self: Columns, name: str, kind: type[np.signedinteger[Any]] = np.int64
    ) -> NDArray[Any]:
        return read(self, name, kind)[::-1]

    monkeypatch.setattr(Columns, "numbers", backwards)
    monkeypatch.setattr(Columns, "texts", lambda self, name: texts(self, name)[::-1])
    assert_same(storage.reader.results.logs(), expected)


def test_nothing_is_read_as_nothing(storage: Storage) -> None:
    assert storage.reader.results.logs() == {}
    with storage.database.reading() as connection:
        columns_read: list[Any] = [col(MatchRow.id), col(MatchRow.game)]
        found = Columns(connection, sa.select(*columns_read))
        assert len(found) == 0
        assert found.numbers("id").tolist() == []
        assert found.texts("game") == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("score = 'many'", "whole numbers as score"),
        ("score = 1.5", "whole numbers as score"),
        ("score = 4294967296", "whole numbers as score"),
        ("rank = 128", "whole numbers as rank"),
        ("wonder = 'a' || char(31) || 'b'", "lines as wonder"),
    ],
)
def test_damage_is_refused(tmp_path: Path, change: str, what: str) -> None:
    path = tmp_path / "results.db"
    with open_storage(path) as storage:
        tournament, entrants = begin(storage)
        storage.results.add(tournament, [played(number, entrants) for number in range(3)])
    with sqlite3.connect(path) as base:
        base.execute(f"UPDATE seat SET {change} WHERE match = 2 AND seat = 1")
    base.close()
    with open_storage(path) as storage, pytest.raises(StorageError, match=f"expected {what}"):
        storage.reader.results.logs()
