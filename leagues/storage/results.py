"""The append-only writer of results: nothing that was stored is changed or taken away."""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, select

from leagues.errors import NotFoundError, RefusedError
from leagues.moderation.acts import record_act
from leagues.records import ActKind, Entrant, Tournament
from leagues.storage.codec import (
    ScheduledResult,
    chain_checksum,
    check_int,
    check_line,
    check_lines,
    match_checksum,
    match_row,
    seat_rows,
)
from leagues.storage.database import Database
from leagues.storage.derived.match_counts import KIND, count_new
from leagues.storage.models.results import (
    BatchRow,
    EntrantRow,
    ExclusionRow,
    IncidentRow,
    LeagueRow,
    MatchRow,
    ParticipantRow,
    RoundsTargetRow,
    SeatRow,
    StageRow,
    TournamentRow,
)
from leagues.storage.models.rows import record_of, with_checksum

RATED_TOGETHER: Final = 4000  # matches after which ratings are stored along with results
KIND_PLACES: Final = tuple([list(MatchRow.model_fields).index(name) for name in KIND])
MOST_FOLDED_AGAIN: Final = 20_000  # matches, while others wait to write
FOLDED_AGAIN_AT_ONCE: Final = 2000  # for a match that is excluded, of which there may be many
NOT_IDENTITY: Final = ("seed", "rounds", "jobs")  # settings that may differ between two runs


def identity(config: Mapping[str, object]) -> str:
    """What two runs share that play the same tournament, however long and with whatever seed."""
    kept = {key: config[key] for key in config if key not in NOT_IDENTITY}
    return blake2b(_json(kept).encode(), digest_size=16).hexdigest()


class ResultsWriter:
    """Results are appended; nothing is changed or taken away."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._not_rated: Counter[int] = (
            Counter()
        )  # by tournament, matches since ratings were stored

    def get_or_create_entrant(
        self,
        label: str,
        spec: str,
        digest: str,
        version: str = "",
        owner: str | None = None,
        parent: int | None = None,
    ) -> Entrant:
        """The entrant with this digest of code and parameters; entered now if it is new."""
        with self._database.write_session() as session:
            query = select(EntrantRow).where(EntrantRow.digest == digest)
            row = session.exec(query).first()
            if row is None:
                row = EntrantRow(
                    label=check_line(label, "a label"),
                    spec=check_line(spec, "a spec"),
                    digest=check_line(digest, "a digest"),
                    version=check_line(version, "a version"),
                    owner=None if owner is None else check_line(owner, "an owner"),
                    parent=parent,
                    created=int(time.time()),
                    checksum=b"",
                )
                session.add(with_checksum(row))
                session.flush()
            return record_of(Entrant, row)

    def get_or_create_tournament(
        self,
        name: str,
        seed: int,
        config: Mapping[str, object],
        entrants: Sequence[int],
        cycles: object = None,
        command: str = "",
    ) -> Tournament:
        """The tournament of this name, begun now if it is new; refused if it is another one."""
        with self._database.write_session() as session:
            query = select(TournamentRow).where(TournamentRow.name == name)
            row = session.exec(query).first()
            if row is not None:
                _check_same(session, row, seed, config, entrants)
                return record_of(Tournament, row)
            league = select(LeagueRow.name).where(LeagueRow.name == name)
            if session.exec(league).first() is not None:
                raise RefusedError(f"expected a new name, got {name}, which is a league already")
            return add_tournament(session, name, seed, config, entrants, cycles, command)

    def set_rounds_target(self, tournament: int, rounds: int | None, command: str) -> None:
        """Remember how many rounds are asked for from now on; none: as time allows."""
        with self._database.write_session() as session:
            query = (
                select(RoundsTargetRow)
                .where(RoundsTargetRow.tournament == tournament)
                .order_by(col(RoundsTargetRow.id).desc())
            )
            last = session.exec(query).first()
            if last is not None and last.rounds == rounds:
                return
            target = RoundsTargetRow(
                tournament=tournament,
                rounds=None if rounds is None else check_int(rounds, "a number of rounds"),
                command=check_line(command, "a command"),
                at=int(time.time()),
                checksum=b"",
            )
            session.add(with_checksum(target))

    def add(
        self,
        tournament: int,
        matches: Sequence[ScheduledResult],
        program: str = "",
        at: int | None = None,
    ) -> int:
        """Store the matches, all or none, and say how many; a number that has one keeps it."""
        check_line(program, "a version of the program")
        at = int(time.time()) if at is None else at
        wanted: dict[int, ScheduledResult] = {}
        for played in matches:
            wanted.setdefault(played.number, played)
        with self._database.writing() as connection:
            for number in _stored(connection, tournament, list(wanted)):
                del wanted[number]
            if not wanted:
                return 0
            batch, place, before = _next_batch(connection, tournament)
            match = _next_id(connection, MatchRow)
            match_rows: list[tuple[Any, ...]] = []
            all_seats: list[tuple[Any, ...]] = []
            seals: list[bytes] = []
            for id, number in enumerate(sorted(wanted), match):
                row = match_row(tournament, batch, wanted[number], program, at)
                seats = seat_rows(wanted[number])
                seal = match_checksum(row, seats)
                seals.append(seal)
                match_rows.append((id, *row, seal))
                all_seats.extend((id, *seat) for seat in seats)
            seal = chain_checksum(before, tournament, place, seals)
            _insert(connection, BatchRow, [(batch, tournament, place, len(wanted), seal)])
            _insert(connection, MatchRow, match_rows)
            _insert(connection, SeatRow, all_seats)
            count_new(connection, tournament, map(_kind_of, match_rows))
            self._not_rated[tournament] += len(wanted)
            if self._not_rated[tournament] >= RATED_TOGETHER:
                _store_ratings(connection, tournament, MOST_FOLDED_AGAIN)
                self._not_rated[tournament] = 0
        return len(wanted)

    def exclude(self, match: int, reason: str, by: str = "") -> None:
        """Leave a match out of the ratings; it stays where it is."""
        self._add_exclusion(match, True, reason, by)

    def restore(self, match: int, reason: str, by: str = "") -> None:
        """Rate a match again that was excluded."""
        self._add_exclusion(match, False, reason, by)

    def _add_exclusion(self, match: int, excluded: bool, reason: str, by: str) -> None:
        with self._database.write_session() as session:
            found = session.get(MatchRow, match)
            if found is None:
                raise NotFoundError(f"expected a match of this database, got {match}")
            event = ExclusionRow(
                match=match,
                excluded=excluded,
                reason=check_line(reason, "a reason"),
                by=check_line(by, "a name"),
                at=int(time.time()),
                checksum=b"",
            )
            kind = ActKind.EXCLUDE if excluded else ActKind.RESTORE
            record_act(
                session,
                kind,
                f"match {match}",
                reason,
                by,
                _league_of(session, match),
                effect=with_checksum(event),
            )
            session.flush()
            _store_ratings(session.connection(), found.tournament, FOLDED_AGAIN_AT_ONCE)

    def report_incident(self, tournament: int, number: int, detail: str) -> None:
        """Remember that a match failed because of the machine; it is played again."""
        incident = IncidentRow(
            tournament=tournament,
            number=check_int(number, "a place in the schedule"),
            detail=check_lines(detail, "a detail"),
            at=int(time.time()),
            checksum=b"",
        )
        with self._database.write_session() as session:
            session.add(with_checksum(incident))


def _store_ratings(connection: sa.Connection, tournament: int, most: int) -> None:
    """Bring ratings forward; what makes them loads slowly, and the first results need none."""
    from leagues.storage.derived.ratings import store_forward

    store_forward(connection, tournament, most)


def _league_of(session: Session, match: int) -> int | None:
    """The league that a match was played for, if it was for one."""
    query = select(StageRow.league).join(
        MatchRow, col(MatchRow.tournament) == col(StageRow.tournament)
    )
    return session.exec(query.where(MatchRow.id == match)).first()


def add_tournament(
    session: Session,
    name: str,
    seed: int,
    config: Mapping[str, object],
    entrants: Sequence[int],
    cycles: object = None,
    command: str = "",
) -> Tournament:
    """A new tournament with its participants."""
    row = TournamentRow(
        name=check_line(name, "a name"),
        seed=str(int(seed)),
        config=_json(config),
        identity=identity(config),
        cycles=_json(cycles),
        command=check_line(command, "a command"),
        created=int(time.time()),
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()
    tournament = record_of(Tournament, row)
    for position, entrant in enumerate(entrants):
        participant = ParticipantRow(
            tournament=tournament.id, position=position, entrant=entrant, checksum=b""
        )
        session.add(with_checksum(participant))
    session.flush()
    return tournament


def _check_same(
    session: Session,
    found: TournamentRow,
    seed: int,
    config: Mapping[str, object],
    entrants: Sequence[int],
) -> None:
    """RefusedError if a tournament of this name was started with something else."""
    query = (
        select(ParticipantRow.entrant)
        .where(ParticipantRow.tournament == found.id)
        .order_by(col(ParticipantRow.position))
    )
    if found.seed != str(int(seed)):
        raise _other(found.name, "seed", found.seed, str(seed))
    if found.identity != identity(config):
        raise _other(found.name, *_difference(json.loads(found.config), config))
    if list(session.exec(query)) != list(entrants):
        raise RefusedError(
            f"tournament {found.name} was started with other entrants; use another --name"
        )


def _difference(before: Mapping[str, object], now: Mapping[str, object]) -> tuple[str, str, str]:
    """The first setting that differs, and its two values."""
    for key in sorted({*before, *now}):
        one, other = before.get(key), now.get(key)
        if key not in NOT_IDENTITY and _json(one) != _json(other):
            return key, _plain(one), _plain(other)
    return "settings", "others", "these"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _other(name: str, key: str, before: str, now: str) -> RefusedError:
    return RefusedError(
        f"tournament {name} was started with {key}={before}, not {now}; use another --name"
    )


def _json(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise RefusedError(f"expected settings that JSON can say, got {problem}") from None


def _stored(connection: sa.Connection, tournament: int, numbers: list[int]) -> list[int]:
    """Those of the numbers that have a match; what is stored at once lies close together."""
    if not numbers:
        return []
    query = sa.select(col(MatchRow.number)).where(
        col(MatchRow.tournament) == tournament,
        col(MatchRow.number).between(min(numbers), max(numbers)),
    )
    wanted = set(numbers)
    return [number for number in connection.execute(query).scalars() if number in wanted]


def _next_batch(connection: sa.Connection, tournament: int) -> tuple[int, int, bytes]:
    """The id and the place of a new batch, and the checksum it goes on from."""
    query = (
        sa.select(col(BatchRow.number), col(BatchRow.checksum))
        .where(col(BatchRow.tournament) == tournament)
        .order_by(col(BatchRow.number).desc())
        .limit(1)
    )
    last = connection.execute(query).first()
    id = _next_id(connection, BatchRow)
    return (id, 0, b"") if last is None else (id, last[0] + 1, last[1])


def _next_id(connection: sa.Connection, table: type[BatchRow] | type[MatchRow]) -> int:
    # Writers take turns, so the next number is free.
    last = connection.execute(sa.select(sa.func.max(col(table.id)))).scalar()
    return 1 if last is None else int(last) + 1


def _kind_of(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The columns of a match by which it is counted."""
    return tuple([row[place] for place in KIND_PLACES])


def _insert(connection: sa.Connection, table: type[SQLModel], rows: list[tuple[Any, ...]]) -> None:
    """Rows straight to the driver, which is twice as fast as through statements."""
    names = ", ".join(connection.dialect.identifier_preparer.quote(n) for n in table.model_fields)
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {table.__tablename__} ({names}) FROM STDIN", rows)
        return
    marks = ", ".join(["?"] * len(table.model_fields))
    connection.exec_driver_sql(
        f"INSERT INTO {table.__tablename__} ({names}) VALUES ({marks})", rows
    )


def _copy(connection: sa.Connection, statement: str, rows: list[tuple[Any, ...]]) -> None:
    """Rows by PostgreSQL's COPY; its errors become those of SQLAlchemy, which has no COPY."""
    driver: Any = connection.connection.driver_connection
    errors: Any = connection.dialect.loaded_dbapi
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except errors.Error as problem:
        raise sa.exc.DBAPIError.instance(statement, None, problem, errors.Error) from None
