"""Many rows read column by column: the database joins each column, and no row becomes an object."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlmodel import col

from leagues.errors import StorageError
from leagues.ratings.result_log import Ints, SeatRows
from leagues.storage.models.results import SeatRow

SEPARATOR: Final = "\x1f"  # no text that is stored in a line has it
MATCHES_AT_ONCE: Final = 5000  # whose seats are read in one go
MAX_GAP: Final = 100  # reading the seats of so many matches takes as long as one more question


class Columns:
    """The rows of a query, as a column each; the order of rows is whatever the database likes."""

    def __init__(self, connection: sa.Connection, query: "sa.Select[Any]") -> None:
        rows = query.subquery()
        sqlite = connection.dialect.name == "sqlite"
        joined = sa.func.group_concat if sqlite else sa.func.string_agg
        texts = [
            joined(column if sqlite else sa.cast(column, sa.Text), self._separator(column.type))
            for column in rows.columns
        ]
        self._size, *found = connection.execute(sa.select(sa.func.count(), *texts)).one()
        self._joined = dict(zip(rows.columns.keys(), found, strict=True))

    @staticmethod
    def _separator(kind: "sa.types.TypeEngine[Any]") -> str:
        return "," if isinstance(kind, sa.Integer) else SEPARATOR

    def __len__(self) -> int:
        return int(self._size)

    def numbers(self, name: str, kind: type[np.signedinteger[Any]] = np.int64) -> NDArray[Any]:
        """A column of whole numbers, in this type; StorageError if one does not fit."""
        try:
            found = np.fromstring(str(self._joined[name] or ""), dtype=np.int64, sep=",")
        except (ValueError, DeprecationWarning):  # as another release of numpy calls it
            found = np.zeros(0, dtype=np.int64)
        if len(found) == len(self):
            narrow = found.astype(kind)
            if np.array_equal(narrow, found):
                return narrow
        raise StorageError(f"expected whole numbers as {name} in the database, got something else")

    def texts(self, name: str) -> list[str]:
        """A column of texts in one line each."""
        joined = self._joined[name]
        found = [] if joined is None else str(joined).split(SEPARATOR)
        if len(found) != len(self):
            raise StorageError(f"expected lines as {name} in the database, got something else")
        return found


def read_seats(connection: sa.Connection, matches: Ints) -> SeatRows:
    """The seats of these matches, whose numbers ascend, and maybe of others between them."""
    wanted: list[Any] = [
        col(SeatRow.match),
        col(SeatRow.seat),
        col(SeatRow.entrant),
        col(SeatRow.wonder),
        col(SeatRow.score),
        col(SeatRow.rank),
        sa.case((col(SeatRow.fault).is_(None), 0), else_=1).label("faulty"),
    ]
    parts = [
        Columns(connection, sa.select(*wanted).where(col(SeatRow.match).between(first, last)))
        for first, last in _ranges(matches)
    ]
    wonder, wonders = numbered([name for part in parts for name in part.texts("wonder")])
    match, seat = _joined(parts, "match", np.int64), _joined(parts, "seat", np.int32)
    order = np.lexsort((seat, match))
    return SeatRows(
        match=match[order],
        entrant=_joined(parts, "entrant", np.int64)[order],
        wonder=wonder[order],
        wonders=wonders,
        score=_joined(parts, "score", np.int32)[order],
        rank=_joined(parts, "rank", np.int8)[order],
        faulty=_joined(parts, "faulty", np.int8)[order] != 0,
    )


def _ranges(matches: Ints) -> Iterator[tuple[int, int]]:
    """The first and the last match of every question."""
    for run in np.split(matches, np.flatnonzero(np.diff(matches) > MAX_GAP) + 1):
        for at in range(0, len(run), MATCHES_AT_ONCE):
            part = run[at : at + MATCHES_AT_ONCE]
            yield int(part[0]), int(part[-1])


def _joined(parts: Sequence[Columns], name: str, kind: type[np.signedinteger[Any]]) -> NDArray[Any]:
    empty = np.zeros(0, dtype=kind)
    return np.concatenate([empty, *(part.numbers(name, kind) for part in parts)])


def numbered(texts: Sequence[str]) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    """Texts by their places among those that occur, which are sorted."""
    names = tuple(sorted(set(texts)))
    places = {name: place for place, name in enumerate(names)}
    return np.fromiter(map(places.__getitem__, texts), np.int16, len(texts)), names
