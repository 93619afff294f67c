"""What was stored, read: lists for people, a stream for ratings."""

import json
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from engine.match import MatchResult
from leagues.ratings.placed_match import PlacedMatch, Variant
from leagues.storage.codec import result_of
from leagues.storage.database import StoreError, UnknownError, translate_db_errors
from leagues.storage.integrity import Damage, damages
from leagues.storage.models import (
    Entrant,
    Exclusion,
    Incident,
    League,
    Match,
    Participant,
    RoundsTarget,
    Seat,
    Stage,
    Tournament,
)

AT_ONCE: Final = 5000  # rows read in one go
LOOKED_UP: Final = 500  # matches in one question


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are meant: those that agree with all that is given."""

    tournament: int | None = None
    game: str | None = None
    players: int | None = None
    edition: str | None = None
    stage: str | None = None
    entrant: int | None = None  # at any seat
    faulty: bool = False  # only those in which a bot failed
    since: int | None = None  # from this place in the schedule on
    before: int | None = None  # up to the one before this place
    league: int | None = None  # in any of its stages
    variant: Variant | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A match with all that is known of it."""

    match: Match
    seats: tuple[Seat, ...]
    entrants: tuple[Entrant, ...]  # one a seat
    result: MatchResult
    excluded: bool
    events: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Matches that have the same origin, and how many they are."""

    tournament: int
    stage: str
    variant: Variant
    players: int
    sandbox: str
    rated: bool
    matches: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a tournament as far as it is played."""

    stage: str
    game: str
    players: int
    round: int
    matches: int


@dataclass(frozen=True, slots=True)
class Failing:
    """How often a bot failed in one way."""

    entrant: int
    kind: str
    matches: int
    last: int  # the match in which it did so last


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


ALL: Final = MatchFilter()


class Reader:
    """Entrants, tournaments and matches of one database."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def close(self) -> None:
        self.engine.dispose()

    def entrants(self, tournament: int | None = None) -> list[Entrant]:
        """Everyone, or the participants of a tournament in their order."""
        query = select(Entrant).order_by(col(Entrant.id))
        if tournament is not None:
            query = (
                select(Entrant)
                .join(Participant, col(Participant.entrant) == col(Entrant.id))
                .where(Participant.tournament == tournament)
                .order_by(col(Participant.position))
            )
        with self._reads() as session:
            return list(session.exec(query))

    def tournament(self, name: str) -> Tournament | None:
        with self._reads() as session:
            return session.exec(select(Tournament).where(Tournament.name == name)).first()

    def numbered(self, id: int) -> Tournament:
        """The tournament with this number; UnknownError if there is none."""
        with self._reads() as session:
            if (found := session.get(Tournament, id)) is not None:
                return found
        raise UnknownError(f"expected a tournament of this database, got {id}")

    def tournaments(self, identity: str | None = None, seed: int | None = None) -> list[Tournament]:
        """The tournaments, oldest first: all, or those of this identity and seed."""
        query = select(Tournament).order_by(col(Tournament.id))
        if identity is not None:
            query = query.where(Tournament.identity == identity)
        if seed is not None:
            query = query.where(Tournament.seed == str(seed))
        with self._reads() as session:
            return list(session.exec(query))

    def wish(self, tournament: int) -> RoundsTarget | None:
        """How much of a tournament was asked for last; older programs did not keep it."""
        query = (
            select(RoundsTarget)
            .where(RoundsTarget.tournament == tournament)
            .order_by(col(RoundsTarget.id).desc())
        )
        with self._reads() as session:
            return session.exec(query).first()

    def stage_of(self, tournament: int) -> tuple[Stage, League] | None:
        """Which league a tournament belongs to, if it is a stage of one."""
        query = select(Stage, League).join(League, col(League.id) == col(Stage.league))
        with self._reads() as session:
            found = session.exec(query.where(Stage.tournament == tournament)).first()
            return None if found is None else (found[0], found[1])

    def played(self, tournament: int) -> Numbers:
        """The places in the schedule that have their match."""
        query = (
            sa.select(col(Match.number))
            .where(col(Match.tournament) == tournament)
            .order_by(col(Match.number))
        )
        numbers = array("q")
        with self._connection() as connection:
            for part in connection.execute(query).partitions(AT_ONCE):
                numbers.extend([row[0] for row in part])
        return Numbers(numbers)

    def placings(self, which: MatchFilter = ALL, unrated: bool = False) -> Iterator[PlacedMatch]:
        """The results in schedule order, without those excluded, and those not to be rated."""
        query = (
            sa.select(
                col(Match.id),
                col(Match.game),
                col(Seat.entrant),
                col(Seat.wonder),
                col(Seat.score),
                col(Seat.rank),
                col(Seat.fault),
            )
            .join(Seat, col(Seat.match) == col(Match.id))
            .where(*_conditions(which))
            .order_by(col(Match.tournament), col(Match.number), col(Seat.seat))
        )
        if not unrated:
            query = query.where(col(Match.rated))
        with self._connection() as connection:
            excluded = _excluded(connection)
            with connection.execution_options(yield_per=AT_ONCE).execute(query) as stream:
                for (id, game), rows in groupby(stream, itemgetter(0, 1)):
                    if id in excluded:
                        continue
                    _, _, entrants, wonders, scores, ranks, faults = zip(*rows, strict=True)
                    faulty = tuple([fault is not None for fault in faults])
                    yield PlacedMatch(id, game, entrants, wonders, scores, ranks, faulty)

    def count(self, which: MatchFilter = ALL) -> int:
        """How many matches there are, rated or not."""
        query = sa.select(sa.func.count()).select_from(Match).where(*_conditions(which))
        with self._connection() as connection:
            return connection.execute(query).scalar_one()

    def origins(self, which: MatchFilter = ALL) -> list[Origin]:
        """Where the matches come from, rated or not."""
        columns: list[Any] = [
            col(Match.tournament),
            col(Match.stage),
            col(Match.game),
            col(Match.edition),
            col(Match.expansions),
            col(Match.expert),
            col(Match.players),
            col(Match.sandbox),
            col(Match.rated),
        ]
        query: sa.Select[Any] = (
            sa.select(*columns, sa.func.count())
            .where(*_conditions(which))
            .group_by(*columns)
            .order_by(*columns)
        )
        with self._connection() as connection:
            return [_origin(*row) for row in connection.execute(query)]

    def rounds(self, tournament: int) -> list[Round]:
        """The rounds of a tournament that have begun."""
        columns: list[Any] = [
            col(Match.stage),
            col(Match.game),
            col(Match.players),
            col(Match.round),
        ]
        query: sa.Select[Any] = (
            sa.select(*columns, sa.func.count())
            .where(col(Match.tournament) == tournament)
            .group_by(*columns)
            .order_by(*columns)
        )
        with self._connection() as connection:
            return [Round(*row) for row in connection.execute(query)]

    def failings(self, which: MatchFilter = ALL) -> list[Failing]:
        """Which bots failed, how, and how often; the most frequent first."""
        columns: list[Any] = [col(Seat.entrant), col(Seat.fault)]
        often = sa.func.count()
        query: sa.Select[Any] = (
            sa.select(*columns, often, sa.func.max(col(Match.id)))
            .join(Seat, col(Seat.match) == col(Match.id))
            .where(*_conditions(which), col(Seat.fault).is_not(None))
            .group_by(*columns)
            .order_by(often.desc(), *columns)
        )
        with self._connection() as connection:
            return [Failing(*row) for row in connection.execute(query)]

    def matches(
        self,
        which: MatchFilter = ALL,
        limit: int | None = None,
        latest_first: bool = True,
        offset: int = 0,
    ) -> Iterator[Stored]:
        """The matches with all that is known of them, the latest first or in schedule order."""
        ids = self.ids(which, limit, latest_first, offset)
        for at in range(0, len(ids), LOOKED_UP):
            yield from self.load(ids[at : at + LOOKED_UP].tolist())

    def ids(
        self,
        which: MatchFilter = ALL,
        limit: int | None = None,
        latest_first: bool = True,
        offset: int = 0,
    ) -> "array[int]":
        """The numbers of the matches, the latest first or in schedule order."""
        schedule = (col(Match.tournament), col(Match.number))
        query = (
            sa.select(col(Match.id))
            .where(*_conditions(which))
            .order_by(*((col(Match.id).desc(),) if latest_first else schedule))
            .limit(limit)
            .offset(offset)
        )
        with self._connection() as connection:
            return array("q", connection.execute(query).scalars())

    def match(self, id: int) -> Stored:
        for stored in self.load([id]):
            return stored
        raise UnknownError(f"expected a match of this database, got {id}")

    def load(self, ids: list[int]) -> list[Stored]:
        """These matches, in this order, as far as they are there."""
        with self._reads() as session:
            matches = session.exec(select(Match).where(col(Match.id).in_(ids))).all()
            pairs = session.exec(
                select(Seat, Entrant)
                .join(Entrant, col(Entrant.id) == col(Seat.entrant))
                .where(col(Seat.match).in_(ids))
                .order_by(col(Seat.match), col(Seat.seat))
            ).all()
            events = session.exec(
                select(Exclusion).where(col(Exclusion.match).in_(ids)).order_by(col(Exclusion.id))
            ).all()
        seats: dict[int, list[tuple[Seat, Entrant]]] = {match.id: [] for match in matches}
        said: dict[int, list[Exclusion]] = {match.id: [] for match in matches}
        for seat, entrant in pairs:
            seats[seat.match].append((seat, entrant))
        for event in events:
            said[event.match].append(event)
        known = {match.id: match for match in matches}
        return [_stored(known[id], seats[id], said[id]) for id in ids if id in known]

    def incidents(self, tournament: int) -> list[Incident]:
        query = select(Incident).where(Incident.tournament == tournament).order_by(col(Incident.id))
        with self._reads() as session:
            return list(session.exec(query))

    def check(self) -> Iterator[Damage]:
        """What is wrong with the database; reads all of it."""
        return damages(self.engine)

    @contextmanager
    def _connection(self) -> Iterator[sa.Connection]:
        with translate_db_errors(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _reads(self) -> Iterator[Session]:
        with self._connection() as connection, Session(connection) as session:
            yield session


def _stored(match: Match, pairs: list[tuple[Seat, Entrant]], events: list[Exclusion]) -> Stored:
    seats = tuple(seat for seat, _ in pairs)
    entrants = tuple(entrant for _, entrant in pairs)
    labels = tuple(entrant.label for entrant in entrants)
    if len(seats) != match.players:
        raise StoreError(f"expected {match.players} seats in match {match.id}, got {len(seats)}")
    try:
        result = result_of(match, seats, labels)
    except (TypeError, ValueError, StoreError) as problem:
        raise StoreError(f"expected match {match.id} as it was stored, got: {problem}") from None
    excluded = bool(events) and events[-1].excluded
    return Stored(match, seats, entrants, result, excluded, tuple(events))


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
        names = tuple(json.loads(expansions))
    except (TypeError, ValueError):
        raise StoreError(f"expected a list of expansions, got {expansions}") from None
    return Origin(tournament, stage, Variant(game, edition, names, expert), *rest)


def _conditions(which: MatchFilter) -> list[sa.ColumnElement[bool]]:
    found = [
        column == value
        for column, value in (
            (col(Match.tournament), which.tournament),
            (col(Match.game), which.game),
            (col(Match.players), which.players),
            (col(Match.edition), which.edition),
            (col(Match.stage), which.stage),
        )
        if value is not None
    ]
    if which.variant is not None:
        variant = which.variant
        found += [col(Match.game) == variant.game, col(Match.expert) == variant.expert]
        found.append(col(Match.edition).is_not_distinct_from(variant.edition))
        found.append(col(Match.expansions) == json.dumps(list(variant.expansions)))
    if which.league is not None:
        stages = sa.select(col(Stage.tournament)).where(col(Stage.league) == which.league)
        found.append(col(Match.tournament).in_(stages))
    if which.since is not None:
        found.append(col(Match.number) >= which.since)
    if which.before is not None:
        found.append(col(Match.number) < which.before)
    other = aliased(Seat)
    here = sa.exists().where(col(other.match) == col(Match.id))
    if which.entrant is not None:
        found.append(here.where(col(other.entrant) == which.entrant))
    if which.faulty:
        found.append(here.where(col(other.fault).is_not(None)))
    return found


def _excluded(connection: sa.Connection) -> set[int]:
    """The matches whose last event took them out."""
    query = sa.select(col(Exclusion.match), col(Exclusion.excluded)).order_by(col(Exclusion.id))
    found: set[int] = set()
    for match, excluded in connection.execute(query):
        if excluded:
            found.add(match)
        else:
            found.discard(match)
    return found
