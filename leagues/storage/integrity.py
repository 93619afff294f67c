"""What is wrong with a database: every checksum computed again, every hash chain followed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import SQLModel

from leagues.moderation.acts import broken_acts
from leagues.storage.codec import Row, chain_checksum, checksum, match_checksum
from leagues.storage.database import UNREADABLE
from leagues.storage.models.leagues import (
    ActRow,
    LeagueEventRow,
    SnapshotRow,
    SubmissionEventRow,
    SubmissionRow,
)
from leagues.storage.models.results import (
    BatchRow,
    EntrantRow,
    ExclusionRow,
    IncidentRow,
    LeagueRow,
    MatchRow,
    OwnerRow,
    ParticipantRow,
    RoundsTargetRow,
    SeatRow,
    StageRow,
    TournamentRow,
)

ROWS_AT_ONCE: Final = 2000  # rows read in one go
WITH_OWN_CHECKSUM: Final = (
    *(
        EntrantRow,
        TournamentRow,
        ParticipantRow,
        ExclusionRow,
        IncidentRow,
        StageRow,
        RoundsTargetRow,
    ),
    *(
        LeagueRow,
        LeagueEventRow,
        OwnerRow,
        SnapshotRow,
        SubmissionRow,
        SubmissionEventRow,
    ),
)


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that was stored and is no longer what it was."""

    text: str
    match: int | None = None

    def __str__(self) -> str:
        return self.text


def damages(engine: sa.Engine) -> Iterator[Damage]:
    """Everything that is wrong, as of one moment; nothing if the database is sound."""
    try:
        with _moment(engine) as connection:
            yield from _broken_pages(connection)
            for table in WITH_OWN_CHECKSUM:
                yield from _broken_rows(connection, table)
            for text in broken_acts(connection, _rows(connection, ActRow, ["id"])):
                yield Damage(text)
            yield from _broken_matches(connection)
    except UNREADABLE as problem:
        cause = getattr(problem, "orig", None) or problem
        yield Damage(f"the database cannot be read to its end: {cause}")


@contextmanager
def _moment(engine: sa.Engine) -> Iterator[sa.Connection]:
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            yield connection.execution_options(isolation_level="REPEATABLE READ")
            return
        driver: Any = connection.connection.dbapi_connection
        usual = driver.text_factory
        # A text that is none any more has to be read to be named.
        driver.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        try:
            yield connection
        finally:
            driver.text_factory = usual


def _broken_pages(connection: sa.Connection) -> Iterator[Damage]:
    if connection.dialect.name != "sqlite":
        return
    for (text,) in connection.exec_driver_sql("PRAGMA integrity_check").all():
        if text != "ok":
            yield Damage(f"the file is damaged: {' '.join(text.split())}")
    for table, row, other, _ in connection.exec_driver_sql("PRAGMA foreign_key_check").all():
        which = "" if row is None else f" {row}"
        yield Damage(f"{table}{which} points to a {other} that is not there")


def _broken_rows(connection: sa.Connection, table: type[SQLModel]) -> Iterator[Damage]:
    names = list(table.model_fields)
    keys = [column.name for column in sa.inspect(table).primary_key]
    for row in _rows(connection, table, keys):
        content = [
            value for name, value in zip(names, row, strict=True) if name not in ("id", "checksum")
        ]
        if row[-1] != checksum(content):
            key = " ".join(str(row[names.index(name)]) for name in keys)
            yield Damage(f"{table.__tablename__} {key}: its checksum is of other content")


def _broken_matches(connection: sa.Connection) -> Iterator[Damage]:
    batches = _Batches(_rows(connection, BatchRow, ["id"]))
    by_match = groupby(_rows(connection, SeatRow, ["match", "seat"]), itemgetter(0))
    id, seats = next(by_match, (None, iter(())))
    for match in _rows(connection, MatchRow, ["id"]):
        while id is not None and id < match[0]:
            yield Damage(f"match {id}: its seats are there, but not the match", id)
            id, seats = next(by_match, (None, iter(())))
        own: tuple[Row, ...] = ()
        if id == match[0]:
            own = tuple([seat[1:] for seat in seats])
            id, seats = next(by_match, (None, iter(())))
        sound = match[-1] == match_checksum(match[1:-1], own)
        if not sound:
            name = f"match {match[0]} (tournament {match[1]}, number {match[2]})"
            yield Damage(f"{name}: its checksum is of other content", match[0])
        yield from batches.count(match, sound)
    while id is not None:
        yield Damage(f"match {id}: its seats are there, but not the match", id)
        id, seats = next(by_match, (None, iter(())))
    yield from batches.finish()


class _Batches:
    """Batches and matches side by side, both in the order they were written."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._chains: dict[int, tuple[int, bytes]] = {}  # by tournament: last number, checksum
        self._now: Row | None = None
        self._next: Row | None = next(rows, None)
        self._seals: list[bytes] = []

    def count(self, match: Row, sound: bool) -> Iterator[Damage]:
        """Put a match to its batch; one that is not sound need not know which that is."""
        wanted = match[3]
        known = {row[0] for row in (self._now, self._next) if row is not None}
        if not sound and wanted not in known and self._now is not None:
            wanted = self._now[0]
        while self._next is not None and (self._now is None or self._now[0] < wanted):
            yield from self._close()
        self._seals.append(match[-1])

    def finish(self) -> Iterator[Damage]:
        while self._now is not None or self._next is not None:
            yield from self._close()

    def _close(self) -> Iterator[Damage]:
        batch, seals = self._now, self._seals
        self._now, self._next, self._seals = self._next, next(self._rows, None), []
        if batch is None:
            return
        id, tournament, number, matches, seal = batch
        last, before = self._chains.get(tournament, (-1, b""))
        self._chains[tournament] = number, seal
        name = f"batch {id} (tournament {tournament})"
        if number != last + 1:
            yield Damage(f"{name}: the batch before it is missing")
        elif matches != len(seals):
            yield Damage(f"{name}: {matches} matches were stored, {len(seals)} are there")
        elif seal != chain_checksum(before, tournament, number, seals):
            yield Damage(f"{name}: its checksum is of other matches")


def _rows(connection: sa.Connection, table: type[SQLModel], order: Sequence[str]) -> Iterator[Row]:
    """The rows as the driver gives them: a type would smooth over what is odd."""
    quote = connection.dialect.identifier_preparer.quote
    names, keys = (", ".join(map(quote, each)) for each in (table.model_fields, order))
    query = sa.text(f"SELECT {names} FROM {table.__tablename__} ORDER BY {keys}")
    with connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query) as stream:
        for row in stream:
            yield tuple(row)
