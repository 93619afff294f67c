"""Who is at work, and at what: several workers on one database never do the same thing twice.

A worker has a lease that it extends while it lives. What it claimed is free again when the lease
has run out, by the database's clock, which is the same for all of them.
"""

from collections.abc import Container, Iterable
from typing import Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.storage.database import translate_db_errors, writing
from leagues.storage.models import Claim, Match, Worker
from leagues.storage.results import Store

LEASE: Final = 30.0  # seconds
BURIED: Final = 24 * 3600  # seconds after which a dead worker is forgotten
LOOKED_UP: Final = 40  # matches in one question
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


def enrol(store: Store, name: str, lease: float = LEASE) -> int:
    """A new worker's id; those that died long ago are forgotten."""
    with translate_db_errors(store.engine), writing(store.engine) as connection:
        now = _now(connection)
        _free_what_the_dead_had(connection)
        connection.execute(sa.delete(Worker).where(col(Worker.until) < now - 1000 * BURIED))
        until = now + round(1000 * lease)
        query = sa.insert(Worker).values(name=name, until=until).returning(col(Worker.id))
        return int(connection.execute(query).scalar_one() or 0)


def extend(store: Store, worker: int, lease: float = LEASE) -> None:
    """Say that the worker lives."""
    with translate_db_errors(store.engine), writing(store.engine) as connection:
        until = _now(connection) + round(1000 * lease)
        connection.execute(sa.update(Worker).where(col(Worker.id) == worker).values(until=until))


def claim(store: Store, worker: int, task: str) -> bool:
    """Whether the task is the worker's now."""
    with translate_db_errors(store.engine), writing(store.engine) as connection:
        _free_what_the_dead_had(connection)
        if _claimed(connection, [task]):
            return False
        connection.execute(sa.insert(Claim).values(task=task, worker=worker))
        return True


class Unplayed:
    """The matches of a tournament that are not known to be played, for one worker to claim from.

    What was seen to be played is not looked at again, so that a claim costs the same at any time.
    """

    def __init__(self, store: Store, tournament: int, size: int) -> None:
        self._store = store
        self._tournament = tournament
        played = store.played(tournament)
        self._left = [number for number in range(size) if number not in played]

    def claim(self, worker: int, most: int, without: Container[str] = ()) -> list[int]:
        """The first so many that nobody has played or is at; they are the worker's now."""
        taken: list[int] = []
        at = 0
        with translate_db_errors(self._store.engine), writing(self._store.engine) as connection:
            _free_what_the_dead_had(connection)
            while len(taken) < most and at < len(self._left):
                part = self._left[at : at + LOOKED_UP]
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
                connection.execute(sa.insert(Claim).values(rows))
        return taken

    def _without_played(self, connection: sa.Connection, numbers: list[int]) -> list[int]:
        query = sa.select(col(Match.number)).where(
            col(Match.tournament) == self._tournament, col(Match.number).in_(numbers)
        )
        played = set(connection.execute(query).scalars())
        return [number for number in numbers if number not in played]


def is_claimed(store: Store, task: str) -> bool:
    """Whether a worker that lives is at it."""
    with translate_db_errors(store.engine), store.engine.connect() as connection:
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
    with translate_db_errors(store.engine), writing(store.engine) as connection:
        connection.execute(query)


def leave(store: Store, worker: int) -> None:
    """Be no worker any more."""
    with translate_db_errors(store.engine), writing(store.engine) as connection:
        connection.execute(sa.delete(Claim).where(col(Claim.worker) == worker))
        connection.execute(sa.delete(Worker).where(col(Worker.id) == worker))


def at_work(store: Store) -> dict[str, int]:
    """The workers that live, and how much each has claimed."""
    with translate_db_errors(store.engine), store.engine.connect() as connection:
        query = (
            sa.select(col(Worker.name), sa.func.count(col(Claim.task)))
            .join(Claim, col(Claim.worker) == col(Worker.id), isouter=True)
            .where(col(Worker.until) > _now(connection))
            .group_by(col(Worker.id), col(Worker.name))
            .order_by(col(Worker.id))
        )
        return {str(name): int(count) for name, count in connection.execute(query)}


def _claimed(connection: sa.Connection, tasks: Iterable[str]) -> set[str]:
    """Those of the tasks that somebody is at."""
    query = sa.select(col(Claim.task)).where(col(Claim.task).in_(list(tasks)))
    return set(connection.execute(query).scalars())


def _free_what_the_dead_had(connection: sa.Connection) -> None:
    dead = sa.select(col(Worker.id)).where(col(Worker.until) <= _now(connection))
    connection.execute(sa.delete(Claim).where(col(Claim.worker).in_(dead)))


def _now(connection: sa.Connection) -> int:
    """Milliseconds since 1970, as the database counts them."""
    return int(connection.execute(sa.text(NOW[connection.dialect.name])).scalar_one())
