"""The store of results: the only writer, and append-only; nothing is changed or taken away."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, select

from leagues.ratings.placed_match import Variant
from leagues.storage.codec import (
    ScheduledResult,
    chain,
    checksum,
    line,
    lines,
    match_row,
    seat_rows,
    whole,
)
from leagues.storage.database import (
    AbsentError,
    RefusedError,
    StoreError,
    UnknownError,
    open_database,
    open_to_read,
    shown,
    translate_db_errors,
    try_lock,
    writing,
)
from leagues.storage.models import (
    Batch,
    Entrant,
    Exclusion,
    Incident,
    Match,
    Participant,
    RoundsTarget,
    Seat,
    Tournament,
)
from leagues.storage.queries import Failing, MatchFilter, Numbers, Origin, Reader, Round, Stored

__all__ = [
    "AbsentError",
    "Failing",
    "MatchFilter",
    "Numbers",
    "Origin",
    "RefusedError",
    "Round",
    "ScheduledResult",
    "Store",
    "StoreError",
    "Stored",
    "UnknownError",
    "Variant",
    "identity",
    "open_store",
    "read_store",
    "shown",
]

LOOKED_UP: Final = 500  # numbers in one question


def open_store(place: str | Path, create: bool = True) -> "Store":
    """The store in a file or at a URL of SQLAlchemy, its schema brought up to date."""
    return Store(open_database(place, create))


def read_store(place: str | Path) -> "Store":
    """The store in a file or at a URL as it is, for those who write nothing."""
    return Store(open_to_read(place))


def identity(config: Mapping[str, object]) -> str:
    """What two runs share that play the same tournament, however long and with whatever seed."""
    kept = {key: config[key] for key in config if key not in ("seed", "rounds", "jobs")}
    return blake2b(_json(kept).encode(), digest_size=16).hexdigest()


class Store(Reader):
    """A reader that also writes; to be closed, or used in a `with`."""

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def enter(
        self,
        label: str,
        spec: str,
        digest: str,
        version: str = "",
        owner: str | None = None,
        parent: int | None = None,
    ) -> Entrant:
        """The entrant with this digest of code and parameters; entered now if it is new."""
        with self._writes() as session:
            found = session.exec(select(Entrant).where(Entrant.digest == digest)).first()
            if found is not None:
                return found
            entrant = Entrant(
                label=line(label, "a label"),
                spec=line(spec, "a spec"),
                digest=line(digest, "a digest"),
                version=line(version, "a version"),
                owner=None if owner is None else line(owner, "an owner"),
                parent=parent,
                created=int(time.time()),
                checksum=b"",
            )
            session.add(sealed(entrant))
            session.flush()
            return entrant

    def begin(
        self,
        name: str,
        seed: int,
        config: Mapping[str, object],
        entrants: Sequence[int],
        cycles: object = None,
        command: str = "",
    ) -> Tournament:
        """The tournament of this name, begun now if it is new; refused if it is another one."""
        with self._writes() as session:
            found = session.exec(select(Tournament).where(Tournament.name == name)).first()
            if found is not None:
                self._check_same(session, found, seed, config, entrants)
                return found
            tournament = Tournament(
                name=line(name, "a name"),
                seed=str(int(seed)),
                config=_json(config),
                identity=identity(config),
                cycles=_json(cycles),
                command=line(command, "a command"),
                created=int(time.time()),
                checksum=b"",
            )
            session.add(sealed(tournament))
            session.flush()
            assert tournament.id is not None
            for position, entrant in enumerate(entrants):
                row = Participant(
                    tournament=tournament.id, position=position, entrant=entrant, checksum=b""
                )
                session.add(sealed(row))
            session.flush()
            return tournament

    def _check_same(
        self,
        session: Session,
        found: Tournament,
        seed: int,
        config: Mapping[str, object],
        entrants: Sequence[int],
    ) -> None:
        query = (
            select(Participant.entrant)
            .where(Participant.tournament == found.id)
            .order_by(col(Participant.position))
        )
        if found.seed != str(int(seed)):
            raise RefusedError(f"expected seed {found.seed} of tournament {found.name}, got {seed}")
        if found.identity != identity(config):
            raise RefusedError(f"expected the settings of tournament {found.name}, got others")
        if list(session.exec(query)) != list(entrants):
            raise RefusedError(f"expected the entrants of tournament {found.name}, got others")

    def ask(self, tournament: int, rounds: int | None, command: str) -> None:
        """Remember how many rounds are asked for from now on; none: as time allows."""
        last = self.wish(tournament)
        if last is not None and last.rounds == rounds:
            return
        wish = RoundsTarget(
            tournament=tournament,
            rounds=None if rounds is None else whole(rounds, "a number of rounds"),
            command=line(command, "a command"),
            at=int(time.time()),
            checksum=b"",
        )
        with self._writes() as session:
            session.add(sealed(wish))

    def add(
        self,
        tournament: int,
        matches: Sequence[ScheduledResult],
        program: str = "",
        at: int | None = None,
    ) -> int:
        """Store the matches, all or none, and say how many; a number that has one keeps it."""
        line(program, "a version of the program")
        at = int(time.time()) if at is None else at
        wanted: dict[int, ScheduledResult] = {}
        for played in matches:
            wanted.setdefault(played.number, played)
        with translate_db_errors(self.engine), writing(self.engine) as connection:
            for number in _stored(connection, tournament, list(wanted)):
                del wanted[number]
            if not wanted:
                return 0
            batch, place, before = _next_batch(connection, tournament)
            match = _next_id(connection, Match)
            match_rows: list[tuple[Any, ...]] = []
            all_seats: list[tuple[Any, ...]] = []
            seals: list[bytes] = []
            for id, number in enumerate(sorted(wanted), match):
                row = match_row(tournament, batch, wanted[number], program, at)
                seats = seat_rows(wanted[number])
                seal = checksum(row, seats)
                seals.append(seal)
                match_rows.append((id, *row, seal))
                all_seats.extend((id, *seat) for seat in seats)
            seal = chain(before, tournament, place, seals)
            _insert(connection, Batch, [(batch, tournament, place, len(wanted), seal)])
            _insert(connection, Match, match_rows)
            _insert(connection, Seat, all_seats)
        return len(wanted)

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Hold something only one process may do at a time; RefusedError if another does it."""
        number = int.from_bytes(blake2b(key.encode(), digest_size=7).digest(), "big")
        with try_lock(self.engine, number) as held:
            if not held:
                raise RefusedError("expected to run this once at a time, got a run under way")
            yield

    def exclude(self, match: int, reason: str, by: str = "") -> None:
        """Leave a match out of the ratings; it stays where it is."""
        self._judge(match, True, reason, by)

    def restore(self, match: int, reason: str, by: str = "") -> None:
        """Rate a match again that was excluded."""
        self._judge(match, False, reason, by)

    def _judge(self, match: int, excluded: bool, reason: str, by: str) -> None:
        with self._writes() as session:
            if session.get(Match, match) is None:
                raise UnknownError(f"expected a match of this database, got {match}")
            event = Exclusion(
                match=match,
                excluded=excluded,
                reason=line(reason, "a reason"),
                by=line(by, "a name"),
                at=int(time.time()),
                checksum=b"",
            )
            session.add(sealed(event))

    def report(self, tournament: int, number: int, detail: str) -> None:
        """Remember that the machine spoiled a match, which is played again."""
        incident = Incident(
            tournament=tournament,
            number=whole(number, "a place in the schedule"),
            detail=lines(detail, "a detail"),
            at=int(time.time()),
            checksum=b"",
        )
        with self._writes() as session:
            session.add(sealed(incident))

    @contextmanager
    def _writes(self) -> Iterator[Session]:
        with (
            translate_db_errors(self.engine),
            writing(self.engine) as connection,
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session
            session.flush()
            session.expunge_all()


def sealed(row: SQLModel) -> SQLModel:
    """The row with its checksum."""
    row.checksum = seal_of(row)
    return row


def seal_of(row: Any) -> bytes:
    """The checksum a row should have; its own number is no part of it."""
    names = [name for name in type(row).model_fields if name not in ("id", "checksum")]
    return checksum([getattr(row, name) for name in names])


def _json(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise RefusedError(f"expected settings that JSON can say, got {problem}") from None


def _stored(connection: sa.Connection, tournament: int, numbers: list[int]) -> list[int]:
    found: list[int] = []
    for at in range(0, len(numbers), LOOKED_UP):
        query = sa.select(col(Match.number)).where(
            col(Match.tournament) == tournament,
            col(Match.number).in_(numbers[at : at + LOOKED_UP]),
        )
        found.extend(connection.execute(query).scalars())
    return found


def _next_batch(connection: sa.Connection, tournament: int) -> tuple[int, int, bytes]:
    """The id and the place of a new batch, and the checksum it goes on from."""
    query = (
        sa.select(col(Batch.number), col(Batch.checksum))
        .where(col(Batch.tournament) == tournament)
        .order_by(col(Batch.number).desc())
        .limit(1)
    )
    last = connection.execute(query).first()
    id = _next_id(connection, Batch)
    return (id, 0, b"") if last is None else (id, last[0] + 1, last[1])


def _next_id(connection: sa.Connection, table: type[Batch] | type[Match]) -> int:
    # Writers take turns, so the next number is free.
    last = connection.execute(sa.select(sa.func.max(col(table.id)))).scalar()
    return 1 if last is None else int(last) + 1


def _insert(connection: sa.Connection, table: type[SQLModel], rows: list[tuple[Any, ...]]) -> None:
    """Rows straight to the driver, which is twice as fast as through statements."""
    names = ", ".join(connection.dialect.identifier_preparer.quote(n) for n in table.model_fields)
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    marks = ", ".join([mark] * len(table.model_fields))
    connection.exec_driver_sql(
        f"INSERT INTO {table.__tablename__} ({names}) VALUES ({marks})", rows
    )
