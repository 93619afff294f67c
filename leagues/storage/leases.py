"""Leases of workers, and what each has claimed: two workers never do the same thing twice.

A worker has a lease that it renews while it lives. What it claimed is free again when the lease
has expired, by the database's clock, which is the same for all of them.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.storage.database import Database
from leagues.storage.models.leagues import ClaimRow, WorkerRow
from leagues.storage.models.results import MatchRow
from leagues.storage.queries import ResultsReader

DEFAULT_LEASE: Final = 30.0  # seconds
FORGET_AFTER: Final = 24 * 3600  # seconds after which a dead worker is forgotten
MATCHES_AT_ONCE: Final = 40  # matches in one question
NOW: Final = {
    "sqlite": "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
}


def match_task(tournament: int, number: int) -> str:
    """The claim of a match."""
    return f"{match_tasks(tournament)}{number}"


def match_tasks(tournament: int) -> str:
    """What the claims of a tournament's matches begin with."""
    return f"match/{tournament}/"


def check_task(submission: int) -> str:
    """The claim of a check."""
    return f"check/{submission}"


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """A worker that was heard of, dead or alive."""

    name: str
    lease_left: float  # seconds; below 0 it has expired
    claims: int


class LeasesReader:
    """Who is at work, and at what."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def is_claimed(self, task: str) -> bool:
        """Whether a worker that lives is at it."""
        with self._database.reading() as connection:
            query = (
                sa.select(col(ClaimRow.task))
                .join(WorkerRow, col(WorkerRow.id) == col(ClaimRow.worker))
                .where(col(ClaimRow.task) == task, col(WorkerRow.until) > now_ms(connection))
            )
            return connection.execute(query).first() is not None

    def under_way(self, tournament: int) -> int:
        """How many matches of a tournament are claimed by workers that live."""
        with self._database.reading() as connection:
            query = (
                sa.select(sa.func.count(col(ClaimRow.task)))
                .join(WorkerRow, col(WorkerRow.id) == col(ClaimRow.worker))
                .where(
                    col(ClaimRow.task).startswith(match_tasks(tournament), autoescape=True),
                    col(WorkerRow.until) > now_ms(connection),
                )
            )
            return int(connection.execute(query).scalar_one())

    def active_workers(self) -> dict[str, int]:
        """The workers that live, and how much each has claimed."""
        return {worker.name: worker.claims for worker in self.workers() if worker.lease_left > 0}

    def workers(self) -> list[WorkerStatus]:
        """The workers that are remembered, also those whose lease has expired."""
        with self._database.reading() as connection:
            now = now_ms(connection)
            claims = sa.func.count(col(ClaimRow.task))
            query = (
                sa.select(col(WorkerRow.name), col(WorkerRow.until), claims)
                .join(ClaimRow, col(ClaimRow.worker) == col(WorkerRow.id), isouter=True)
                .group_by(col(WorkerRow.id), col(WorkerRow.name), col(WorkerRow.until))
                .order_by(col(WorkerRow.id))
            )
            return [
                WorkerStatus(str(name), (until - now) / 1000, int(count))
                for name, until, count in connection.execute(query)
            ]


class LeasesWriter:
    """Leases given and renewed, tasks claimed and released."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def register(self, name: str, lease: float = DEFAULT_LEASE) -> int:
        """A new worker's id; those that died long ago are forgotten."""
        with self._database.writing() as connection:
            now = now_ms(connection)
            _free_expired(connection)
            connection.execute(
                sa.delete(WorkerRow).where(col(WorkerRow.until) < now - 1000 * FORGET_AFTER)
            )
            until = now + round(1000 * lease)
            query = sa.insert(WorkerRow).values(name=name, until=until).returning(col(WorkerRow.id))
            return int(connection.execute(query).scalar_one() or 0)

    def renew(self, worker: int, lease: float = DEFAULT_LEASE) -> None:
        """Let the worker's lease last so long from now on."""
        with self._database.writing() as connection:
            until = now_ms(connection) + round(1000 * lease)
            connection.execute(
                sa.update(WorkerRow).where(col(WorkerRow.id) == worker).values(until=until)
            )

    def claim(self, worker: int, task: str) -> bool:
        """Whether the task is the worker's now."""
        with self._database.writing() as connection:
            _free_expired(connection)
            if _claimed(connection, [task]):
                return False
            connection.execute(sa.insert(ClaimRow).values(task=task, worker=worker))
            return True

    def release(self, worker: int, tasks: Iterable[str] | None = None) -> None:
        """Give up claims: those of tasks that are done, or all of them."""
        query = sa.delete(ClaimRow).where(col(ClaimRow.worker) == worker)
        if tasks is not None:
            query = query.where(col(ClaimRow.task).in_(list(tasks)))
        with self._database.writing() as connection:
            connection.execute(query)

    def unregister(self, worker: int) -> None:
        """Give up the lease and all claims."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(ClaimRow).where(col(ClaimRow.worker) == worker))
            connection.execute(sa.delete(WorkerRow).where(col(WorkerRow.id) == worker))

    def unplayed(self, tournament: int, size: int) -> "UnplayedMatches":
        """The matches of a schedule of this size that are not played, to claim from."""
        return UnplayedMatches(self._database, tournament, size)


class UnplayedMatches:
    """The matches of a tournament that are not known to be played, for one worker to claim from.

    What was seen to be played is not looked at again, so that a claim costs the same at any time.
    """

    def __init__(self, database: Database, tournament: int, size: int) -> None:
        self._database = database
        self._tournament = tournament
        played = ResultsReader(database).played(tournament)
        self._left = [number for number in range(size) if number not in played]

    def claim(self, worker: int, most: int, without: Container[str] = ()) -> list[int]:
        """The first so many that nobody has played or is at; they are the worker's now."""
        taken: list[int] = []
        at = 0
        with self._database.writing() as connection:
            _free_expired(connection)
            while len(taken) < most and at < len(self._left):
                part = self._left[at : at + MATCHES_AT_ONCE]
                unplayed = self._without_played(connection, part)
                tasks = {match_task(self._tournament, number): number for number in unplayed}
                busy = _claimed(connection, tasks)
                free = [tasks[task] for task in tasks if task not in busy and task not in without]
                taken += free[: most - len(taken)]
                self._left[at : at + len(part)] = unplayed
                at += len(unplayed)
            if taken:
                rows = [
                    {"task": match_task(self._tournament, number), "worker": worker}
                    for number in taken
                ]
                connection.execute(sa.insert(ClaimRow).values(rows))
        return taken

    def _without_played(self, connection: sa.Connection, numbers: list[int]) -> list[int]:
        query = sa.select(col(MatchRow.number)).where(
            col(MatchRow.tournament) == self._tournament, col(MatchRow.number).in_(numbers)
        )
        played = set(connection.execute(query).scalars())
        return [number for number in numbers if number not in played]


def _claimed(connection: sa.Connection, tasks: Iterable[str]) -> set[str]:
    """Those of the tasks that somebody is at."""
    query = sa.select(col(ClaimRow.task)).where(col(ClaimRow.task).in_(list(tasks)))
    return set(connection.execute(query).scalars())


def _free_expired(connection: sa.Connection) -> None:
    dead = sa.select(col(WorkerRow.id)).where(col(WorkerRow.until) <= now_ms(connection))
    connection.execute(sa.delete(ClaimRow).where(col(ClaimRow.worker).in_(dead)))


def now_ms(connection: sa.Connection) -> int:
    """Milliseconds since 1970, as the database counts them."""
    return int(connection.execute(sa.text(NOW[connection.dialect.name])).scalar_one())
