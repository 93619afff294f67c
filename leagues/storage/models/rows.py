"""Rows turned into records, and checksums over them."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlmodel import SQLModel

from leagues.errors import StorageError
from leagues.storage.codec import checksum

if TYPE_CHECKING:
    from leagues.storage.models.leagues import SubmissionEventRow, SubmissionRow
    from leagues.storage.models.results import EntrantRow, OwnerRow

Record = TypeVar("Record")
Table = TypeVar("Table", bound=SQLModel)


def columns_of(record: Any, table: type[SQLModel]) -> list[Any]:
    """The columns of a table that a record has, in the record's order; all without a record."""
    names = table.model_fields if record is None else [field.name for field in fields(record)]
    return [getattr(table, name) for name in names]


def with_checksum(row: Table) -> Table:
    """The row with its checksum set; its own number is no part of it."""
    names = [name for name in type(row).model_fields if name not in ("id", "checksum")]
    row.checksum = checksum([getattr(row, name) for name in names])
    return row


def record_of(record: type[Record], row: SQLModel) -> Record:
    """The record of a row that was flushed, so that it has its number."""
    return record(**{field.name: getattr(row, field.name) for field in fields(cast(Any, record))})


def number_of(row: "EntrantRow | OwnerRow | SubmissionRow | SubmissionEventRow") -> int:
    """The number that the database gave to a row that was flushed or read."""
    if row.id is None:
        raise StorageError(f"a {row.__tablename__} has no number yet: please report this")
    return row.id
