"""Whatever is changed or taken away behind the store's back is found, and named."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine.match import MatchResult
from leagues.errors import StorageError
from leagues.storage.handle import Storage, open_storage
from leagues.storage.integrity import Damage
from leagues.storage.models.results import (
    BatchRow,
    EntrantRow,
    ExclusionRow,
    IncidentRow,
    MatchRow,
    ParticipantRow,
    SeatRow,
    TournamentRow,
)
from tests.leagues.storage.samples import begin, played, rated

pytestmark = pytest.mark.slow

VICTIM = 5


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store of three batches with three matches each, and a row of everything else."""
    path = tmp_path_factory.mktemp("sound") / "results.db"
    with open_storage(path) as storage:
        fill(storage)
        assert not list(storage.reader.results.damages())
    return path.read_bytes()


@pytest.fixture
def path(sound: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "results.db"
    path.write_bytes(sound)
    return path


def fill(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    for number in range(0, 9, 3):
        storage.results.add(tournament, [played(number + i, entrants) for i in range(3)])
    storage.results.exclude(VICTIM, "to be sure", "ref")
    storage.results.report_incident(tournament, 3, "worker died")


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        for statement in statements:
            assert base.execute(statement).rowcount > 0, statement


def found(path: Path) -> list[Damage]:
    with open_storage(path) as storage:
        return list(storage.reader.results.damages())


def other(value: object) -> str:
    """A value of the same kind that is off by a bit, as SQL."""
    if isinstance(value, int):
        return str(value ^ 64)
    if isinstance(value, str) and value:
        return "'" + chr(ord(value[0]) ^ 1) + value[1:].replace("'", "''") + "'"
    if isinstance(value, bytes) and value:
        return f"x'{bytes([value[0] ^ 16]).hex()}{value[1:].hex()}'"
    return "7"


def columns(table: type) -> list[str]:
    return list(table.model_fields)  # type: ignore[attr-defined]


def change(path: Path, table: str, column: str, where: str) -> None:
    with closing(sqlite3.connect(path)) as base:
        (value,) = base.execute(f"SELECT {column} FROM {table} WHERE {where}").fetchone()
    spoil(path, f"UPDATE {table} SET {column} = {other(value)} WHERE {where}")


@pytest.mark.parametrize("column", columns(MatchRow))
def test_a_changed_match_is_named(path: Path, column: str) -> None:
    change(path, "match", column, f"id = {VICTIM}")
    assert VICTIM in {damage.match for damage in found(path)}


@pytest.mark.parametrize("seat", [0, 3])
@pytest.mark.parametrize("column", columns(SeatRow))
def test_a_changed_seat_names_its_match(path: Path, column: str, seat: int) -> None:
    change(path, "seat", column, f"match = {VICTIM} AND seat = {seat}")
    damage = found(path)
    assert VICTIM in {each.match for each in damage}
    assert not any("batch" in str(each) for each in damage)


SMALL = [
    (table, column)
    for table in (EntrantRow, TournamentRow, ParticipantRow, BatchRow, ExclusionRow, IncidentRow)
    for column in columns(table)
    if column != "id" or table in (EntrantRow, TournamentRow, BatchRow)
]


@pytest.mark.parametrize(("table", "column"), SMALL)
def test_every_other_changed_row_is_found(path: Path, table: type, column: str) -> None:
    name = str(table.__tablename__)  # type: ignore[attr-defined]
    change(path, name, column, "rowid = (SELECT max(rowid) FROM " + name + ")")
    assert any(name in str(damage) for damage in found(path))


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("batch 2 (tournament 1): 3 matches were stored, 2 are there", ["match = 4", "id = 4"]),
        ("batch 3 (tournament 1): 3 matches were stored, 0 are there", ["match > 6", "id > 6"]),
        ("match 4 (tournament 1, number 3): its checksum is of other content", ["match = 4"]),
        ("match 9: its seats are there, but not the match", ["match < 0", "id = 9"]),
        ("match 2: its seats are there, but not the match", ["match < 0", "id = 2"]),
    ],
)
def test_what_is_gone_is_missed(path: Path, text: str, statements: list[str]) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        for table, where in zip(("seat", "match"), statements, strict=False):
            base.execute(f"DELETE FROM {table} WHERE {where}")
    assert text in map(str, found(path))


def test_a_whole_batch_that_is_gone_is_missed(path: Path) -> None:
    spoil(
        path,
        "DELETE FROM exclusion",
        "DELETE FROM seat WHERE match BETWEEN 4 AND 6",
        "DELETE FROM match WHERE id BETWEEN 4 AND 6",
        "DELETE FROM batch WHERE id = 2",
    )
    assert list(map(str, found(path))) == [
        "act 1: its exclusion 1 was taken away",
        "batch 3 (tournament 1): the batch before it is missing",
    ]


def test_a_match_put_in_with_a_good_checksum_is_found(path: Path) -> None:
    names = ", ".join(f'"{name}"' for name in columns(MatchRow) if name not in ("id", "number"))
    spoil(path, f"INSERT INTO match (id, number, {names}) SELECT 10, 9, {names} FROM match LIMIT 1")
    assert "match 10 (tournament 1, number 9): its checksum is of other content" in map(
        str, found(path)
    )


def test_a_text_that_is_none_any_more_is_named(path: Path) -> None:
    spoil(path, f"UPDATE match SET fixture = CAST(x'ff41' AS TEXT) WHERE id = {VICTIM}")
    assert VICTIM in {damage.match for damage in found(path)}


def everything(path: Path) -> tuple[list[MatchResult], list[object], list[object]]:
    with open_storage(path) as storage:
        matches = list(storage.reader.results.matches())
        return (
            [stored.result for stored in matches],
            [*matches],
            [
                rated(storage),
                storage.reader.results.entrants(),
                storage.reader.results.tournaments(),
                storage.reader.results.incidents(1),
            ],
        )


def attempt(what: Callable[[Path], object], path: Path) -> object:
    try:
        return what(path)
    except StorageError as problem:
        return problem


def test_a_schema_that_is_no_text_is_one_error(path: Path, sound: bytes) -> None:
    """Opening it fails, and so does closing what was opened."""
    assert sound.count(b"CREATE TABLE ") > 1
    path.write_bytes(sound.replace(b"CREATE TABLE ", b"CREATE \xe7ABLE "))
    with pytest.raises(StorageError, match="cannot use"), open_storage(path):
        pass


@pytest.mark.slow
def test_a_flipped_bit_of_the_file_is_found_or_does_no_harm(
    path: Path, sound: bytes, tmp_path: Path
) -> None:
    before = everything(path)
    random = Random(11)
    noticed = 0
    for _ in range(60):
        at = random.randrange(100, len(sound))
        spoilt = bytearray(sound)
        spoilt[at] ^= 1 << random.randrange(8)
        copy = tmp_path / "copy.db"
        copy.write_bytes(spoilt)
        damage = attempt(found, copy)
        if damage == []:
            assert everything(copy) == before, f"byte {at}"
        else:
            noticed += 1
        for left in tmp_path.glob("copy.db*"):
            left.unlink()
    assert noticed


def test_changes_are_found_in_any_database(storage: Storage) -> None:
    fill(storage)
    assert not list(storage.reader.results.damages())
    with storage.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE seat SET score = 99 WHERE match = 2 AND seat = 1")
        connection.exec_driver_sql("UPDATE match SET rated = false WHERE id = 8")
        connection.exec_driver_sql("UPDATE entrant SET label = 'me' WHERE id = 1")
    assert [(damage.match, str(damage)) for damage in storage.reader.results.damages()] == [
        (None, "entrant 1: its checksum is of other content"),
        (2, "match 2 (tournament 1, number 1): its checksum is of other content"),
        (8, "match 8 (tournament 1, number 7): its checksum is of other content"),
    ]
