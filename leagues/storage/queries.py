"""Results, read: lists for people, a stream for ratings."""

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.errors import NotFoundError, StorageError
from leagues.moderation.signatures import signer_names
from leagues.records import (
    Entrant,
    ExclusionEvent,
    FaultCount,
    Incident,
    Origin,
    RoundProgress,
    RoundsTarget,
    StoredMatch,
    StoredSeat,
    Tournament,
    TournamentSummary,
)
from leagues.storage.codec import decode_result
from leagues.storage.database import Database
from leagues.storage.derived.match_counts import count_matches, read_origins
from leagues.storage.derived.summaries import own_tournaments, summaries
from leagues.storage.match_filter import ALL, MatchFilter, conditions, excluded_matches
from leagues.storage.models.results import (
    EntrantRow,
    ExclusionRow,
    IncidentRow,
    MatchRow,
    ParticipantRow,
    RoundsTargetRow,
    SeatRow,
    TournamentRow,
)
from leagues.storage.models.rows import columns_of

if TYPE_CHECKING:
    from leagues.ratings.result_log import ResultLog
    from leagues.storage.integrity import Damage

ROWS_AT_ONCE: Final = 5000  # read in one go
MATCHES_AT_ONCE: Final = 500  # in one question
LOOKED_BACK: Final = 2000  # matches, at first, for the last of every entrant


class Numbers:
    """Places in a schedule, in eight bytes each."""

    def __init__(self, ascending: "array[int]") -> None:
        self._ascending = ascending

    def __contains__(self, number: int) -> bool:
        at = bisect_left(self._ascending, number)
        return at < len(self._ascending) and self._ascending[at] == number

    def __len__(self) -> int:
        return len(self._ascending)

    def __iter__(self) -> Iterator[int]:
        return iter(self._ascending)


class ResultsReader:
    """Entrants, tournaments and matches of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entrants(self, tournament: int | None = None) -> list[Entrant]:
        """Everyone, or the participants of a tournament in their order."""
        query = sa.select(*columns_of(Entrant, EntrantRow)).order_by(col(EntrantRow.id))
        if tournament is not None:
            query = (
                sa.select(*columns_of(Entrant, EntrantRow))
                .join(ParticipantRow, col(ParticipantRow.entrant) == col(EntrantRow.id))
                .where(col(ParticipantRow.tournament) == tournament)
                .order_by(col(ParticipantRow.position))
            )
        return self._database.records(Entrant, query)

    def tournament(self, name: str) -> Tournament | None:
        query = _tournaments().where(col(TournamentRow.name) == name)
        return next(iter(self._database.records(Tournament, query)), None)

    def tournament_by_id(self, id: int) -> Tournament:
        """The tournament with this number; NotFoundError if there is none."""
        query = _tournaments().where(col(TournamentRow.id) == id)
        for found in self._database.records(Tournament, query):
            return found
        raise NotFoundError("expected a tournament of this database, got {id}", id=id)

    def tournaments(self, identity: str | None = None, seed: int | None = None) -> list[Tournament]:
        """The tournaments, oldest first: all, or those of this identity and seed."""
        query = _tournaments()
        if identity is not None:
            query = query.where(col(TournamentRow.identity) == identity)
        if seed is not None:
            query = query.where(col(TournamentRow.seed) == str(seed))
        return self._database.records(Tournament, query)

    def own_tournaments(self, limit: int, offset: int = 0) -> list[TournamentSummary]:
        """Those that are no part of a league, the latest first."""
        query = (
            sa.select(*columns_of(Tournament, TournamentRow))
            .where(own_tournaments())
            .order_by(col(TournamentRow.id).desc())
            .limit(limit)
            .offset(offset)
        )
        return self.summaries(self._database.records(Tournament, query))

    def count_own_tournaments(self) -> int:
        """How many tournaments are no part of a league."""
        query = sa.select(sa.func.count()).select_from(TournamentRow).where(own_tournaments())
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def summaries(self, tournaments: Sequence[Tournament]) -> list[TournamentSummary]:
        """These tournaments in a few numbers, in two queries however many they are."""
        return summaries(self._database, tournaments)

    def rounds_target(self, tournament: int) -> RoundsTarget | None:
        """How much of a tournament was asked for last; older programs did not keep it."""
        query = (
            sa.select(*columns_of(RoundsTarget, RoundsTargetRow))
            .where(col(RoundsTargetRow.tournament) == tournament)
            .order_by(col(RoundsTargetRow.id).desc())
            .limit(1)
        )
        return next(iter(self._database.records(RoundsTarget, query)), None)

    def played(self, tournament: int) -> Numbers:
        """The places in the schedule that have their match."""
        query = (
            sa.select(col(MatchRow.number))
            .where(col(MatchRow.tournament) == tournament)
            .order_by(col(MatchRow.number))
        )
        numbers = array("q")
        with self._database.reading() as connection:
            for part in connection.execute(query).partitions(ROWS_AT_ONCE):
                numbers.extend([row[0] for row in part])
        return Numbers(numbers)

    def ranks(self, tournament: int) -> dict[int, tuple[int, ...]]:
        """The ranks of every match by seat, from 0, by its place in the schedule."""
        query = (
            sa.select(col(MatchRow.number), col(SeatRow.rank))
            .join(SeatRow, col(SeatRow.match) == col(MatchRow.id))
            .where(col(MatchRow.tournament) == tournament)
            .order_by(col(MatchRow.number), col(SeatRow.seat))
        )
        found: dict[int, tuple[int, ...]] = {}
        with self._database.reading() as connection:
            for number, rank in connection.execute(query):
                found[number] = (*found.get(number, ()), rank)
        return found

    def logs(
        self, which: MatchFilter = ALL, unrated: bool = False, roster: Iterable[int] = ()
    ) -> "dict[str, ResultLog]":
        """A log for every game, by its name, without the matches excluded or not to be rated.

        Matches are in schedule order; the roster is listed even where it has not played.
        """
        from leagues.storage.result_logs import read_logs  # loads numpy, which lists do not need

        return read_logs(self._database, which, unrated, roster)

    def count(self, which: MatchFilter = ALL) -> int:
        """How many matches there are, rated or not."""
        with self._database.reading() as connection:
            return count_matches(connection, which)

    def origins(self, which: MatchFilter = ALL) -> list[Origin]:
        """Where the matches come from, rated or not."""
        with self._database.reading() as connection:
            return read_origins(connection, which)

    def rounds(self, tournament: int) -> list[RoundProgress]:
        """The rounds of a tournament that have begun."""
        columns: list[Any] = [
            col(MatchRow.stage),
            col(MatchRow.game),
            col(MatchRow.players),
            col(MatchRow.round),
        ]
        query: sa.Select[Any] = (
            sa.select(*columns, sa.func.count())
            .where(col(MatchRow.tournament) == tournament)
            .group_by(*columns)
            .order_by(*columns)
        )
        with self._database.reading() as connection:
            return [RoundProgress(*row) for row in connection.execute(query)]

    def fault_counts(self, which: MatchFilter = ALL) -> list[FaultCount]:
        """Which bots failed, how, and how often; the most frequent first."""
        columns: list[Any] = [col(SeatRow.entrant), col(SeatRow.fault)]
        often = sa.func.count()
        query: sa.Select[Any] = (
            sa.select(*columns, often, sa.func.max(col(MatchRow.id)))
            .join(SeatRow, col(SeatRow.match) == col(MatchRow.id))
            .where(*conditions(which), col(SeatRow.fault).is_not(None))
            .group_by(*columns)
            .order_by(often.desc(), *columns)
        )
        with self._database.reading() as connection:
            return [FaultCount(*row) for row in connection.execute(query)]

    def matches(
        self,
        which: MatchFilter = ALL,
        limit: int | None = None,
        latest_first: bool = True,
        offset: int = 0,
    ) -> Iterator[StoredMatch]:
        """The matches with all that is known of them, the latest first or in schedule order."""
        ids = self.ids(which, limit, latest_first, offset)
        for at in range(0, len(ids), MATCHES_AT_ONCE):
            yield from self.load(ids[at : at + MATCHES_AT_ONCE].tolist())

    def ids(
        self,
        which: MatchFilter = ALL,
        limit: int | None = None,
        latest_first: bool = True,
        offset: int = 0,
    ) -> "array[int]":
        """The numbers of the matches, the latest first or in schedule order."""
        schedule = (col(MatchRow.tournament), col(MatchRow.number))
        query = (
            sa.select(col(MatchRow.id))
            .where(*conditions(which))
            .order_by(*((col(MatchRow.id).desc(),) if latest_first else schedule))
            .limit(limit)
            .offset(offset)
        )
        with self._database.reading() as connection:
            return array("q", connection.execute(query).scalars())

    def match(self, id: int) -> StoredMatch:
        for stored in self.load([id]):
            return stored
        raise NotFoundError("expected a match of this database, got {id}", id=id)

    def any_excluded(self, which: MatchFilter) -> bool:
        """Whether one of these matches is excluded."""
        with self._database.reading() as connection:
            excluded = col(MatchRow.id).in_(excluded_matches(connection))
            query = sa.select(col(MatchRow.id)).where(*conditions(which), excluded).limit(1)
            return connection.execute(query).first() is not None

    def last_matches(
        self, which: MatchFilter, unrated: bool, entrants: Collection[int]
    ) -> dict[int, int]:
        """The match of each of these entrants that was stored last, of those that count.

        All may have played lately: it looks back from the end, each time further.
        """
        found: dict[int, int] = {}
        meant = [*conditions(which), *(() if unrated else (col(MatchRow.rated),))]
        newest = sa.select(sa.func.max(col(MatchRow.id))).where(*meant)
        with self._database.reading() as connection:
            excluded = excluded_matches(connection)
            end = 1 + (connection.execute(newest).scalar() or 0)
            span = LOOKED_BACK
            while end > 0 and not found.keys() >= set(entrants):
                start = max(0, end - span)
                taken_out = [id for id in excluded if start <= id < end]
                query = (
                    sa.select(col(SeatRow.entrant), sa.func.max(col(SeatRow.match)))
                    .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
                    .where(*meant, col(MatchRow.id) >= start, col(MatchRow.id) < end)
                    .where(col(SeatRow.match).not_in(taken_out))
                    .group_by(col(SeatRow.entrant))
                )
                for entrant, match in connection.execute(query):
                    found.setdefault(entrant, match)
                end, span = start, 4 * span
        return found

    def played_at(self, ids: Collection[int]) -> dict[int, int]:
        """When these matches were played."""
        query = sa.select(col(MatchRow.id), col(MatchRow.played_at))
        with self._database.reading() as connection:
            rows = connection.execute(query.where(col(MatchRow.id).in_(ids)))
            return {row.id: row.played_at for row in rows}

    def load(self, ids: list[int]) -> list[StoredMatch]:
        """These matches, in this order, as far as they are there."""
        queries = (
            sa.select(*columns_of(None, MatchRow)).where(col(MatchRow.id).in_(ids)),
            sa.select(*columns_of(None, SeatRow))
            .where(col(SeatRow.match).in_(ids))
            .order_by(col(SeatRow.match), col(SeatRow.seat)),
            sa.select(*columns_of(ExclusionEvent, ExclusionRow))
            .where(col(ExclusionRow.match).in_(ids))
            .order_by(col(ExclusionRow.id)),
        )
        with self._database.reading() as connection:
            matches, seat_rows, event_rows = (connection.execute(q).all() for q in queries)
            signers = signer_names(connection, {row.by for row in event_rows})
        entrants = self._entrants({seat.entrant for seat in seat_rows})
        known = {match.id: match for match in matches}
        seats: dict[int, list[Any]] = {id: [] for id in known}
        events: dict[int, list[ExclusionEvent]] = {id: [] for id in known}
        for seat in seat_rows:
            if seat.entrant in entrants and seat.match in known:
                seats[seat.match].append(seat)
        for row in event_rows:
            event = replace(ExclusionEvent(*row), by=signers[row.by])
            if event.match in known:
                events[event.match].append(event)
        return [_stored(known[id], seats[id], entrants, events[id]) for id in ids if id in known]

    def _entrants(self, ids: Iterable[int]) -> dict[int, Entrant]:
        query = sa.select(*columns_of(Entrant, EntrantRow)).where(col(EntrantRow.id).in_(ids))
        return {each.id: each for each in self._database.records(Entrant, query)}

    def incidents(self, tournament: int) -> list[Incident]:
        query = (
            sa.select(*columns_of(Incident, IncidentRow))
            .where(col(IncidentRow.tournament) == tournament)
            .order_by(col(IncidentRow.id))
        )
        return self._database.records(Incident, query)

    def damages(self) -> "Iterator[Damage]":
        """What is wrong with the database; reads all of it."""
        from leagues.storage.integrity import damages  # loads what leagues store too

        return damages(self._database.engine)


def _tournaments() -> "sa.Select[Any]":
    return sa.select(*columns_of(Tournament, TournamentRow)).order_by(col(TournamentRow.id))


def _stored(
    match: Any, seats: list[Any], entrants: dict[int, Entrant], events: list[ExclusionEvent]
) -> StoredMatch:
    """A match from its row, and from the rows of its seats."""
    if len(seats) != match.players:
        raise StorageError(
            "expected {players} seats in match {id}, got {count}",
            players=match.players,
            id=match.id,
            count=len(seats),
        )
    seated = tuple([entrants[seat.entrant] for seat in seats])
    try:
        result = decode_result(match, seats, tuple([entrant.label for entrant in seated]))
    except (TypeError, ValueError, StorageError) as problem:
        raise StorageError(
            "expected match {id} as it was stored, got: {problem}", id=match.id, problem=problem
        ) from None
    return StoredMatch(
        id=match.id,
        tournament=match.tournament,
        number=match.number,
        fixture=match.fixture,
        stage=match.stage,
        round=match.round,
        rated=match.rated,
        program=match.program,
        played_at=match.played_at,
        checksum=match.checksum,
        seats=tuple(
            [
                StoredSeat(seat, entrant, wonder, score, rank, fault, decision)
                for _, seat, entrant, wonder, score, rank, *_, fault, decision, _ in seats
            ]
        ),
        entrants=seated,
        result=result,
        excluded=bool(events) and events[-1].excluded,
        events=tuple(events),
    )
