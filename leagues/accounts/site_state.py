"""What the processes of a site share, and find again after a restart: keys, games, counts."""

import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.storage.database import Database
from leagues.storage.models.accounts import (
    FinishedGameRow,
    LiveGameRow,
    RateCountRow,
    SiteKeyRow,
)
from leagues.storage.models.leagues import ActHeadRow, ActRow, LeagueEventRow, SubmissionEventRow
from leagues.storage.models.results import (
    BatchRow,
    ExclusionRow,
    IncidentRow,
    LeagueRow,
    TournamentRow,
)

KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game of a visitor as it is stored; texts are JSON."""

    id: str
    visitor: str
    address: str
    holder: str
    game: str
    decisions: str
    choice: str
    over: bool
    used: int


@dataclass(frozen=True, slots=True)
class Versions:
    """Numbers of which one changes whenever a page might."""

    matches: int  # the last batch that was stored
    others: tuple[int, ...]  # the last event, act, exclusion ...


_LAST: Final = tuple(
    sa.select(sa.func.max(column)).scalar_subquery()
    for column in (
        *(col(BatchRow.id), col(ActRow.id), col(LeagueEventRow.id), col(SubmissionEventRow.id)),
        *(col(ExclusionRow.id), col(TournamentRow.id), col(IncidentRow.id)),
    )
)
FIELDS: Final[tuple[Any, ...]] = tuple(
    col(getattr(LiveGameRow, name)) for name in LiveGame.__dataclass_fields__
)


class VersionsReader:
    """Whether anything was written."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def last(self) -> Versions:
        """What was written last."""
        with self._database.reading() as connection:
            matches, *others = connection.execute(sa.select(*_LAST)).one()
        return Versions(matches or 0, tuple(each or 0 for each in others))

    def digest(self) -> str:
        """A word for this database, as long as nothing is written to it."""
        seals = (
            sa.select(sa.func.max(col(LeagueRow.checksum))).scalar_subquery(),
            sa.select(col(ActHeadRow.checksum)).scalar_subquery(),
        )
        with self._database.reading() as connection:
            chains = [bytes(each or b"") for each in connection.execute(sa.select(*seals)).one()]
        place = self._database.engine.url.render_as_string(hide_password=True)
        return sha256(repr((place, self.last(), chains)).encode()).hexdigest()


class SiteState:
    """Keys, games of visitors, and counts of requests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def key(self, name: str) -> bytes:
        """The key of this name; drawn by whoever asks first."""
        query = sa.select(col(SiteKeyRow.value)).where(col(SiteKeyRow.name) == name)
        with self._database.reading() as connection:
            found = connection.execute(query).scalar()
        if found is not None:
            return bytes(found)
        with self._database.writing() as connection:
            found = connection.execute(query).scalar()  # another process may have been faster
            if found is None:
                found = secrets.token_bytes(KEY_BYTES)
                connection.execute(sa.insert(SiteKeyRow).values(name=name, value=found))
        return bytes(found)

    def add_game(self, game: LiveGame) -> None:
        """Store a game that begins."""
        values = {name: getattr(game, name) for name in LiveGame.__dataclass_fields__}
        with self._database.writing() as connection:
            connection.execute(sa.insert(LiveGameRow).values(values | {"used": int(time.time())}))

    def forget_games(self, visitor: str) -> None:
        """Forget the games of a visitor."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(LiveGameRow).where(col(LiveGameRow.visitor) == visitor))

    def game(self, id: str) -> LiveGame | None:
        """The game of this number."""
        query = sa.select(*FIELDS).where(col(LiveGameRow.id) == id)
        return next(iter(self._database.records(LiveGame, query)), None)

    def running_game(self, visitor: str) -> str | None:
        """The number of a visitor's latest game that is not over."""
        mine = (col(LiveGameRow.visitor) == visitor, ~col(LiveGameRow.over))
        query = sa.select(col(LiveGameRow.id)).where(*mine).order_by(col(LiveGameRow.used).desc())
        with self._database.reading() as connection:
            return connection.execute(query).scalars().first()

    def take_over(self, id: str, holder: str) -> LiveGame | None:
        """Play a game from now on, whoever played it before; None if it is forgotten."""
        self._change(id, None, {"holder": holder})
        return self.game(id)

    def save(self, id: str, holder: str, **values: str | bool) -> bool:
        """Store how far a game came; whether it is still this holder's."""
        return self._change(id, holder, values)

    def _change(self, id: str, holder: str | None, values: Mapping[str, object]) -> bool:
        changed = {**values, "used": int(time.time())}
        query = sa.update(LiveGameRow).where(col(LiveGameRow.id) == id).values(changed)
        if holder is not None:
            query = query.where(col(LiveGameRow.holder) == holder)
        with self._database.writing() as connection:
            return connection.execute(query).rowcount == 1

    def playing(self) -> list[str]:
        """The addresses of those who play, one a game."""
        query = sa.select(col(LiveGameRow.address)).where(~col(LiveGameRow.over))
        with self._database.reading() as connection:
            return list(connection.execute(query).scalars())

    def sweep_games(self, used: Collection[str], idle: float) -> None:
        """Games that were looked at are kept; those forgotten that nobody did for so long."""
        now = int(time.time())
        with self._database.writing() as connection:
            if used:
                mine = sa.update(LiveGameRow).where(col(LiveGameRow.id).in_(used))
                connection.execute(mine.values(used=now))
            connection.execute(sa.delete(LiveGameRow).where(col(LiveGameRow.used) < now - idle))

    def add_finished_game(self, id: str, game: str) -> None:
        """Keep a game that has ended, for good; one that is kept already stays as it is."""
        values = {"id": id, "game": game, "created": int(time.time())}
        with self._database.writing() as connection:
            insert = _dialect(connection).insert(FinishedGameRow).values(values)
            connection.execute(insert.on_conflict_do_nothing())

    def finished_game(self, id: str) -> str | None:
        """A game that is kept."""
        query = sa.select(col(FinishedGameRow.game)).where(col(FinishedGameRow.id) == id)
        with self._database.reading() as connection:
            return connection.execute(query).scalar()

    def count_requests(
        self, limiter: str, new: Mapping[tuple[str, int], int], since: int
    ) -> dict[tuple[str, int], int]:
        """Add requests by client and window; all that are known, from a window on."""
        where = (col(RateCountRow.limiter) == limiter, col(RateCountRow.window) >= since)
        known = sa.select(
            col(RateCountRow.client), col(RateCountRow.window), col(RateCountRow.hits)
        ).where(*where)
        if new:
            with self._database.writing() as connection:
                rows = [
                    {"limiter": limiter, "client": client, "window": window, "hits": hits}
                    for (client, window), hits in new.items()
                ]
                insert = _dialect(connection).insert(RateCountRow)
                connection.execute(
                    insert.on_conflict_do_update(
                        index_elements=["limiter", "client", "window"],
                        set_={"hits": col(RateCountRow.hits) + insert.excluded.hits},
                    ),
                    rows,
                )
                old = sa.delete(RateCountRow).where(where[0], col(RateCountRow.window) < since)
                connection.execute(old)
        with self._database.reading() as connection:
            return {(client, window): hits for client, window, hits in connection.execute(known)}


def _dialect(connection: sa.Connection) -> Any:
    """The statements of the database in use: loaded already, and the other one is not needed."""
    return import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
