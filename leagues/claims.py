"""Who is at work, and at what: several workers on one database never do the same thing twice.

A worker has a lease that it extends while it lives. What it claimed is free again when the lease
has run out, by the database's clock, which is the same for all of them.
"""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.database import told, writing
from leagues.store import Store
from leagues.tables import Claim, Match, Worker

LEASE: Final = 30.0  # seconds
NOW: Final = {
    "sqlite": "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
}


def match_task(tournament: int, number: int) -> str:
    """The claim of a match."""
    return f"match/{tournament}/{number}"


def check_task(submission: int) -> str:
    """The claim of a check."""
    return f"check/{submission}"


def enrol(store: Store, name: str, lease: float = LEASE) -> int:
    """A new worker's id."""
    with told(store.engine), writing(store.engine) as connection:
        until = _now(connection) + round(1000 * lease)
        query = sa.insert(Worker).values(name=name, until=until).returning(col(Worker.id))
        return int(connection.execute(query).scalar_one() or 0)


def extend(store: Store, worker: int, lease: float = LEASE) -> None:
    """Say that the worker lives."""
    with told(store.engine), writing(store.engine) as connection:
        until = _now(connection) + round(1000 * lease)
        connection.execute(sa.update(Worker).where(col(Worker.id) == worker).values(until=until))


def claim_matches(
    store: Store, worker: int, tournament: int, numbers: Iterable[int], most: int
) -> list[int]:
    """The first so many of these matches that nobody has played or is at; they are the worker's."""
    with told(store.engine), writing(store.engine) as connection:
        done = set(
            connection.execute(
                sa.select(col(Match.number)).where(col(Match.tournament) == tournament)
            ).scalars()
        )
        free = _Free(connection)
        taken: list[int] = []
        for number in numbers:
            if len(taken) == most:
                break
            if number not in done and free.take(match_task(tournament, number), worker):
                taken.append(number)
        return taken


def claim(store: Store, worker: int, task: str) -> bool:
    """Whether the task is the worker's now."""
    with told(store.engine), writing(store.engine) as connection:
        return _Free(connection).take(task, worker)


def is_claimed(store: Store, task: str) -> bool:
    """Whether a worker that lives is at it."""
    with told(store.engine), store.engine.connect() as connection:
        query = (
            sa.select(col(Claim.task))
            .join(Worker, col(Worker.id) == col(Claim.worker))
            .where(col(Claim.task) == task, col(Worker.until) > _now(connection))
        )
        return connection.execute(query).first() is not None


def release(store: Store, worker: int, tasks: Iterable[str] | None = None) -> None:
    """Give up claims: those of tasks that are done, or all of them."""
    query = sa.delete(Claim).where(col(Claim.worker) == worker)
    if tasks is not None:
        query = query.where(col(Claim.task).in_(list(tasks)))
    with told(store.engine), writing(store.engine) as connection:
        connection.execute(query)


def leave(store: Store, worker: int) -> None:
    """Be no worker any more."""
    with told(store.engine), writing(store.engine) as connection:
        connection.execute(sa.delete(Claim).where(col(Claim.worker) == worker))
        connection.execute(sa.delete(Worker).where(col(Worker.id) == worker))


def at_work(store: Store) -> dict[str, int]:
    """The workers that live, and how much each has claimed."""
    with told(store.engine), store.engine.connect() as connection:
        query = (
            sa.select(col(Worker.name), sa.func.count(col(Claim.task)))
            .join(Claim, col(Claim.worker) == col(Worker.id), isouter=True)
            .where(col(Worker.until) > _now(connection))
            .group_by(col(Worker.id), col(Worker.name))
            .order_by(col(Worker.id))
        )
        return {str(name): int(count) for name, count in connection.execute(query)}


class _Free:
    """What may be claimed: all but what the living are at."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        now = _now(connection)
        dead = sa.select(col(Worker.id)).where(col(Worker.until) <= now)
        connection.execute(sa.delete(Claim).where(col(Claim.worker).in_(dead)))
        self._taken = set(connection.execute(sa.select(col(Claim.task))).scalars())

    def take(self, task: str, worker: int) -> bool:
        if task in self._taken:
            return False
        self._taken.add(task)
        self._connection.execute(sa.insert(Claim).values(task=task, worker=worker))
        return True


def _now(connection: sa.Connection) -> int:
    """Milliseconds since 1970, as the database counts them."""
    return int(connection.execute(sa.text(NOW[connection.dialect.name])).scalar_one())
