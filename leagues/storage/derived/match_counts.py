"""How many matches there are of each kind: counted as they are stored, not when somebody asks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.errors import StorageError
from leagues.records import Origin
from leagues.storage.codec import decode_variant
from leagues.storage.match_filter import MatchFilter, conditions, kind_conditions
from leagues.storage.models.results import MatchCountRow, MatchRow

KIND: Final = (
    *("tournament", "stage", "game", "edition", "expansions", "expert"),
    *("players", "sandbox", "rated"),
)


def count_new(connection: sa.Connection, tournament: int, kinds: Iterable[tuple[Any, ...]]) -> None:
    """Add new matches of a tournament to their counts, each by the values of KIND."""
    columns = _kind_of(MatchCountRow)
    known = sa.select(col(MatchCountRow.id), *columns).where(
        col(MatchCountRow.tournament) == tournament
    )
    ids = {tuple(row[1:]): row[0] for row in connection.execute(known)}
    for kind, matches in Counter(kinds).items():
        if kind in ids:
            connection.execute(
                sa.update(MatchCountRow)
                .where(col(MatchCountRow.id) == ids[kind])
                .values(matches=col(MatchCountRow.matches) + matches)
            )
        else:
            values = dict(zip(KIND, kind, strict=True))
            connection.execute(sa.insert(MatchCountRow).values(**values, matches=matches))


def count_matches(connection: sa.Connection, which: MatchFilter) -> int:
    """How many matches are meant, rated or not."""
    if not which.by_kind:
        query = sa.select(sa.func.count()).select_from(MatchRow).where(*conditions(which))
        return int(connection.execute(query).scalar_one())
    total = sa.func.coalesce(sa.func.sum(col(MatchCountRow.matches)), 0)
    query = sa.select(total).where(*kind_conditions(which, MatchCountRow))
    return int(connection.execute(query).scalar_one())


def read_origins(connection: sa.Connection, which: MatchFilter) -> list[Origin]:
    """Where the matches that are meant come from."""
    if not which.by_kind:
        return [_origin(*row) for row in connection.execute(_counted(conditions(which)))]
    columns = _kind_of(MatchCountRow)
    query: sa.Select[Any] = (
        sa.select(*columns, col(MatchCountRow.matches))
        .where(*kind_conditions(which, MatchCountRow), col(MatchCountRow.matches) > 0)
        .order_by(*columns)
    )
    return [_origin(*row) for row in connection.execute(query)]


def miscounted(connection: sa.Connection) -> Iterator[str]:
    """Which counts are not what the matches say."""
    columns = _kind_of(MatchCountRow)
    stored = {
        tuple(row[:-1]): row[-1]
        for row in connection.execute(sa.select(*columns, col(MatchCountRow.matches)))
    }
    counted = {tuple(row[:-1]): row[-1] for row in connection.execute(_counted([]))}
    for kind in sorted({*stored, *counted}, key=str):
        if stored.get(kind, 0) != counted.get(kind, 0):
            yield (
                f"tournament {kind[0]}: expected a count of {counted.get(kind, 0)} matches of "
                f"{kind[2]} with {kind[6]} players, got {stored.get(kind, 0)}"
            )


def recount(connection: sa.Connection) -> None:
    """Make all counts again."""
    connection.execute(sa.delete(MatchCountRow))
    rows = connection.execute(_counted([])).all()
    if rows:
        names = (*KIND, "matches")
        connection.execute(
            sa.insert(MatchCountRow), [dict(zip(names, row, strict=True)) for row in rows]
        )


def _counted(where: Sequence[sa.ColumnElement[bool]]) -> "sa.Select[Any]":
    columns = _kind_of(MatchRow)
    return sa.select(*columns, sa.func.count()).where(*where).group_by(*columns).order_by(*columns)


def _kind_of(table: type[MatchRow] | type[MatchCountRow]) -> list[Any]:
    return [col(getattr(table, name)) for name in KIND]


def _origin(
    tournament: int,
    stage: str,
    game: str,
    edition: str | None,
    expansions: str,
    expert: bool,
    *rest: Any,
) -> Origin:
    try:
        variant = decode_variant(game, edition, expansions, expert)
    except (TypeError, ValueError):
        raise StorageError(
            "expected a list of expansions, got {expansions}", expansions=expansions
        ) from None
    return Origin(tournament, stage, variant, *rest)
