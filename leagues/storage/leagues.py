"""Leagues and who is in them: states and submissions as events, of which the last counts.

Nothing here runs or reads a bot's code; what a bot says of itself is given by the caller.
"""

import hashlib
import secrets
import time
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col, select

from leagues.errors import NotFoundError, RefusedError, StorageError
from leagues.records import (
    League,
    LeagueEvent,
    LeagueState,
    Owner,
    Reliability,
    Submission,
    SubmissionState,
)
from leagues.storage.codec import check_line, check_lines, parse_word
from leagues.storage.database import Database
from leagues.storage.models import (
    EntrantRow,
    LeagueEventRow,
    LeagueRow,
    OwnerRow,
    SnapshotRow,
    SubmissionEventRow,
    SubmissionRow,
    TokenRow,
    TournamentRow,
    columns_of,
    number_of,
    record_of,
    with_checksum,
)
from leagues.storage.reliability import FaultCounter, reliability
from leagues.storage.submissions import (
    NewSubmission,
    add_submission,
    read_submissions,
    submission_event,
)
from leagues.submissions.archive import BotArchive, unpack_archive
from leagues.submissions.lifecycle import (
    NAME,
    RECEIVING,
    check_league_state,
    check_names,
    check_owner,
    check_submission_state,
    look_alike,
)

TOKEN_BYTES: Final = 32


def hash_token(token: str) -> str:
    """What is stored of a token: it is random, so one pass is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class LeaguesReader:
    """Leagues, owners and submissions, read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[League]:
        """All leagues, oldest first."""
        query = sa.select(*columns_of(League, LeagueRow)).order_by(col(LeagueRow.id))
        return self._database.records(League, query)

    def by_name(self, name: str) -> League:
        """The league of this name; NotFoundError if there is none."""
        leagues = self.all()
        for league in leagues:
            if league.name == name:
                return league
        if not leagues:
            raise NotFoundError("no league {name} yet: arena league create {name}", name=name)
        names = ", ".join(league.name for league in leagues)
        raise NotFoundError("expected a league out of {names}, got {name}", names=names, name=name)

    def by_id(self, id: int) -> League:
        """The league with this number; NotFoundError if there is none."""
        query = sa.select(*columns_of(League, LeagueRow)).where(col(LeagueRow.id) == id)
        for found in self._database.records(League, query):
            return found
        raise NotFoundError("expected a league of this database, got {id}", id=id)

    def events(self, league: int) -> list[LeagueEvent]:
        """The states a league has had, oldest first."""
        query = (
            sa.select(*columns_of(LeagueEvent, LeagueEventRow))
            .where(col(LeagueEventRow.league) == league)
            .order_by(col(LeagueEventRow.id))
        )
        with self._database.reading() as connection:
            return [
                LeagueEvent(id, of, parse_word(LeagueState, state), *rest)
                for id, of, state, *rest in connection.execute(query)
            ]

    def state(self, league: int) -> LeagueState:
        """The state a league is in."""
        return self.events(league)[-1].state

    def owners(self) -> list[Owner]:
        """All owners, oldest first."""
        query = sa.select(*columns_of(Owner, OwnerRow)).order_by(col(OwnerRow.id))
        return self._database.records(Owner, query)

    def owner_of(self, token: str) -> str | None:
        """The owner a token belongs to; None if it is no one's, or no longer."""
        wanted = hash_token(token)
        last = sa.select(sa.func.max(col(TokenRow.id))).group_by(col(TokenRow.owner))
        query = (
            sa.select(col(OwnerRow.name), col(TokenRow.hash))
            .join(TokenRow, col(TokenRow.owner) == col(OwnerRow.id))
            .where(col(TokenRow.id).in_(last), col(TokenRow.hash) == wanted)
        )
        with self._database.reading() as connection:
            for name, stored in connection.execute(query):
                if secrets.compare_digest(stored, wanted):
                    return str(name)
        return None

    def submissions(self, league: int) -> list[Submission]:
        """All submissions of a league, oldest first."""
        with self._database.reading() as connection, Session(connection) as session:
            return read_submissions(session, league)

    def submission(self, id: int) -> Submission:
        """One submission by its number; NotFoundError if there is none."""
        with self._database.reading() as connection, Session(connection) as session:
            row = session.get(SubmissionRow, id)
            if row is None:
                raise NotFoundError("expected a submission of this database, got {id}", id=id)
            versions = read_submissions(session, row.league, row)
        return next(each for each in versions if each.id == id)

    def find_submission(self, league: int, text: str) -> Submission:
        """The one meant by NAME, OWNER/NAME or either with @VERSION; NotFoundError if none."""
        submissions = self.submissions(league)
        for each in submissions:
            if each.label == text:
                return each
        who, _, version = text.partition("@")
        found = [
            each
            for each in submissions
            if who in (each.name, f"{each.owner}/{each.name}") and version in ("", each.version)
        ]
        if len({(each.owner, each.name) for each in found}) > 1:
            labels = ", ".join(each.label for each in found)
            raise NotFoundError(
                "expected one bot out of {labels}, got {text}", labels=labels, text=text
            )
        if not found:
            labels = ", ".join(each.label for each in submissions) or "none"
            raise NotFoundError(
                "expected a bot of the league ({labels}), got {text}", labels=labels, text=text
            )
        return next((each for each in found if each.is_current), found[-1])

    def playing(self, league: int) -> list[Submission]:
        """The submissions that play, oldest first."""
        return [each for each in self.submissions(league) if each.plays]

    def archive(self, digest: str, alone: bool) -> BotArchive:
        """The files of a bot; StorageError if they are no longer what they were."""
        query = sa.select(col(SnapshotRow.content)).where(col(SnapshotRow.digest) == digest)
        with self._database.reading() as connection:
            content = connection.execute(query).scalar()
        if content is None:
            raise StorageError("expected a bot of this database, got {digest}", digest=digest)
        archive = unpack_archive(content, alone)
        if archive.digest != digest:
            raise StorageError("expected the files of {digest}, got others", digest=digest[:12])
        return archive

    def reliability(
        self, league: int, entrant: int | None = None, since: int = 0
    ) -> dict[int, Reliability]:
        """Faults and times of every entrant that has played, or of one; from a time of day on."""
        return reliability(self._database, league, entrant, since)

    def fault_counter(self, league: int) -> FaultCounter:
        """A counter of the faults of a league's entrants, which reads every match once."""
        return FaultCounter(self._database, league)


class LeaguesWriter:
    """Leagues created, their states set, bots submitted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, rules: str, seed: int) -> League:
        """A new league."""
        if not NAME.fullmatch(name):
            raise RefusedError(
                "expected a name of up to 40 letters, digits, - and _, got {name!r}", name=name
            )
        with self._database.write_session() as session:
            named = select(TournamentRow.name).where(TournamentRow.name == name)
            if session.exec(named).first() is not None:
                raise RefusedError(
                    "expected a new name, got {name}, which is a tournament already", name=name
                )
            for taken in session.exec(select(LeagueRow.name)):
                if taken == name:
                    raise RefusedError(
                        "expected a new name, got {name}, which is a league already", name=name
                    )
                if look_alike(taken, name):
                    raise RefusedError(
                        "expected a name unlike {taken}, got {name}", taken=taken, name=name
                    )
            row = LeagueRow(
                name=name,
                rules=check_lines(rules, "rules"),
                seed=str(int(seed)),
                created=int(time.time()),
                checksum=b"",
            )
            session.add(with_checksum(row))
            session.flush()
            league = record_of(League, row)
            session.add(_league_event(league.id, LeagueState.CREATED, "", ""))
            return league

    def set_league_state(
        self, league: int, state: LeagueState, reason: str = "", by: str = ""
    ) -> None:
        """Give a league another state; RefusedError if it may not have it."""
        with self._database.write_session() as session:
            now = _last_state(session, league)
            check_league_state(session.get_one(LeagueRow, league).name, now, state)
            session.add(_league_event(league, state, reason, by))

    def new_token(self, owner: str) -> str:
        """A new token for an owner, who is entered if new; the one before no longer counts."""
        token = f"arena_{secrets.token_urlsafe(TOKEN_BYTES)}"
        with self._database.write_session() as session:
            row = TokenRow(
                owner=_get_or_create_owner(session, owner),
                hash=hash_token(token),
                at=int(time.time()),
                checksum=b"",
            )
            session.add(with_checksum(row))
        return token

    def submit(self, new: NewSubmission, limit: int | None = None) -> tuple[Submission, bool]:
        """Store a bot, and say whether it is new; content that a league has already is what it was.

        An owner may submit so many in a day as the limit says.
        """
        check_names(new.name, new.version, new.owner)
        with self._database.write_session() as session:
            state = _last_state(session, new.league)
            if state not in RECEIVING:
                raise RefusedError(
                    "expected a league that takes submissions, got one that is {state}", state=state
                )
            owner = None if new.owner is None else _get_or_create_owner(session, new.owner)
            id, is_new = add_submission(session, new, owner, limit)
        return LeaguesReader(self._database).submission(id), is_new

    def set_submission_state(
        self,
        submission: int,
        state: SubmissionState,
        reason: str = "",
        detail: str = "",
        by: str = "",
    ) -> None:
        """Give a submission another state; RefusedError if it may not have it."""
        with self._database.write_session() as session:
            states = session.exec(
                select(SubmissionEventRow.state)
                .where(SubmissionEventRow.submission == submission)
                .order_by(col(SubmissionEventRow.id))
            ).all()
            if not states:
                raise NotFoundError(
                    "expected a submission of this database, got {id}", id=submission
                )
            had = [parse_word(SubmissionState, each) for each in states]
            check_submission_state(_label(session, submission), had, state)
            session.add(submission_event(submission, state, reason, detail, by))


def _get_or_create_owner(session: Session, name: str) -> int:
    """The owner's number; entered now if new."""
    check_owner(name)
    owner = session.exec(select(OwnerRow).where(OwnerRow.name == name)).first()
    if owner is None:
        for taken in session.exec(select(OwnerRow.name)):
            if look_alike(taken, name):
                raise RefusedError(
                    "expected an owner's name unlike {taken}, got {name}", taken=taken, name=name
                )
        owner = OwnerRow(name=name, created=int(time.time()), checksum=b"")
        session.add(with_checksum(owner))
        session.flush()
    return number_of(owner)


def _label(session: Session, submission: int) -> str:
    entrant = session.get_one(SubmissionRow, submission).entrant
    return session.get_one(EntrantRow, entrant).label


def _last_state(session: Session, league: int) -> LeagueState:
    query = select(LeagueEventRow.state).where(LeagueEventRow.league == league)
    last = session.exec(query.order_by(col(LeagueEventRow.id).desc()).limit(1)).one()
    return parse_word(LeagueState, last)


def _league_event(league: int, state: LeagueState, reason: str, by: str) -> LeagueEventRow:
    row = LeagueEventRow(
        league=league,
        state=state.value,
        reason=check_line(reason, "a reason"),
        by=check_line(by, "a name"),
        at=int(time.time()),
        checksum=b"",
    )
    return with_checksum(row)
