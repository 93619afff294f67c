"""Leagues and who is in them: states and submissions as events, of which the last counts.

Nothing here runs or reads a bot's code; what a bot says of itself is handed over by the caller.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col, select

from leagues.storage.codec import line, lines
from leagues.storage.database import (
    RefusedError,
    StoreError,
    UnknownError,
    open_database,
    open_to_read,
)
from leagues.storage.models import (
    Entrant,
    League,
    LeagueEvent,
    Owner,
    Snapshot,
    Submission,
    SubmissionEvent,
    Token,
)
from leagues.storage.results import sealed
from leagues.storage.stages import Staged
from leagues.submissions.archive import BotArchive, pack, unpack
from leagues.submissions.lifecycle import (
    NAME,
    RECEIVING,
    AnothersError,
    Entry,
    check_fate,
    check_life,
    check_names,
    check_owner,
    check_welcome,
    look_alike,
    read_entries,
)

TOKEN_BYTES: Final = 32


def open_roster(place: str | Path, create: bool = True) -> "Roster":
    """The leagues in a file or at a URL of SQLAlchemy, the schema brought up to date."""
    return Roster(open_database(place, create))


def read_roster(place: str | Path) -> "Roster":
    """The leagues in a file or at a URL as they are, for those who write nothing."""
    return Roster(open_to_read(place))


def hash_token(token: str) -> str:
    """What is kept of a token: it is random, so one pass is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Roster(Staged):
    """A store of results that also keeps leagues."""

    def __enter__(self) -> "Roster":
        return self

    # Leagues

    def create(self, name: str, rules: str, seed: int) -> League:
        """A new league."""
        if not NAME.fullmatch(name):
            raise RefusedError(
                f"expected a name of up to 40 letters, digits, - and _, got {name!r}"
            )
        with self._writes() as session:
            for taken in session.exec(select(League.name)):
                if taken == name:
                    raise RefusedError(
                        f"expected a new name, got {name}, which is a league already"
                    )
                if look_alike(taken, name):
                    raise RefusedError(f"expected a name unlike {taken}, got {name}")
            league = League(
                name=name,
                rules=lines(rules, "rules"),
                seed=str(int(seed)),
                created=int(time.time()),
                checksum=b"",
            )
            session.add(sealed(league))
            session.flush()
            assert league.id is not None
            session.add(_league_event(league.id, "CREATED", "", ""))
            return league

    def leagues(self) -> list[League]:
        """All leagues, oldest first."""
        with self._reads() as session:
            return list(session.exec(select(League).order_by(col(League.id))))

    def league(self, name: str) -> League:
        """The league of this name; UnknownError if there is none."""
        with self._reads() as session:
            found = session.exec(select(League).where(League.name == name)).first()
        if found is not None:
            return found
        names = ", ".join(league.name for league in self.leagues())
        if not names:
            raise UnknownError(
                f"expected the league {name}, got none yet: arena league create {name}"
            )
        raise UnknownError(f"expected a league out of {names}, got {name}")

    def league_of(self, entry: Entry) -> League:
        """The league a submission was handed in to."""
        with self._reads() as session:
            return session.get_one(League, entry.league)

    def league_events(self, league: int) -> list[LeagueEvent]:
        """The states a league has had, oldest first."""
        query = select(LeagueEvent).where(LeagueEvent.league == league)
        with self._reads() as session:
            return list(session.exec(query.order_by(col(LeagueEvent.id))))

    def state(self, league: int) -> str:
        """The state a league is in."""
        return self.league_events(league)[-1].state

    def turn(self, league: int, state: str, reason: str = "", by: str = "") -> None:
        """Give a league another state; RefusedError if it may not have it."""
        with self._writes() as session:
            now = _last_state(session, league)
            check_life(session.get_one(League, league).name, now, state)
            session.add(_league_event(league, state, reason, by))

    # Owners

    def owners(self) -> list[Owner]:
        with self._reads() as session:
            return list(session.exec(select(Owner).order_by(col(Owner.id))))

    def new_token(self, owner: str) -> str:
        """A new token for an owner, who is entered if new; what was before proves nothing now."""
        token = f"arena_{secrets.token_urlsafe(TOKEN_BYTES)}"
        with self._writes() as session:
            row = Token(
                owner=_owner(session, owner),
                hash=hash_token(token),
                at=int(time.time()),
                checksum=b"",
            )
            session.add(sealed(row))
        return token

    def owner_of(self, token: str) -> str | None:
        """The owner a token belongs to; None if it is no one's, or no longer."""
        wanted = hash_token(token)
        with self._reads() as session:
            last = sa.select(sa.func.max(col(Token.id))).group_by(col(Token.owner))
            query = (
                select(Owner.name, Token.hash)
                .join(Token, col(Token.owner) == col(Owner.id))
                .where(col(Token.id).in_(last), Token.hash == wanted)
            )
            for name, kept in session.exec(query):
                if secrets.compare_digest(kept, wanted):
                    return name
        return None

    # Submissions

    def submit(
        self,
        league: int,
        parcel: BotArchive,
        name: str,
        version: str,
        facts: Mapping[str, object],
        owner: str | None = None,
        by: str = "",
        most: int | None = None,
    ) -> tuple[Entry, bool]:
        """Keep a bot, and whether it is new; content that a league has already is what it was.

        An owner may hand in so many in a day.
        """
        check_names(name, version, owner)
        digest = parcel.digest
        content = pack(parcel)
        with self._writes() as session:
            row, new = self._submit(session, league, digest, name, version, facts, owner, most)
            if new:
                if session.get(Snapshot, digest) is None:
                    kept = Snapshot(
                        digest=digest,
                        content=content,
                        files=len(parcel.items),
                        size=parcel.size,
                        created=int(time.time()),
                        checksum=b"",
                    )
                    session.add(sealed(kept))
                    session.flush()
                session.add(sealed(row))
                session.flush()
                assert row.id is not None
                session.add(_submission_event(row.id, "RECEIVED", "", "", by))
        return self.entry_of(row.id or 0), new

    def _submit(
        self,
        session: Session,
        league: int,
        digest: str,
        name: str,
        version: str,
        facts: Mapping[str, object],
        owner: str | None,
        most: int | None,
    ) -> tuple[Submission, bool]:
        """The submission of this content, not added yet if it is new."""
        state = _last_state(session, league)
        if state not in RECEIVING:
            raise RefusedError(f"expected a league that takes submissions, got one that is {state}")
        mine = None if owner is None else _owner(session, owner)
        rows = list(
            session.exec(
                select(Submission).where(Submission.league == league).order_by(col(Submission.id))
            )
        )
        for row in rows:
            if row.digest == digest:
                if row.owner != mine:
                    raise AnothersError(session.get_one(Entrant, row.entrant).label)
                return row, False
        entries = [entry for entry in read_entries(session, league) if entry.owner == owner]
        check_welcome(entries, name, most if owner else None, int(time.time()))
        before = [row for row in rows if row.name == name and row.owner == mine]
        who = name if owner is None else f"{owner}/{name}"
        label = f"{who}@{version}"
        if any(row.version == version for row in before):
            label = f"{label}+{digest[:6]}"  # another content under the same number
        parent = before[-1] if before else None
        entrant = Entrant(
            label=label,
            spec=f"league:{digest}",
            digest=f"{digest}@{league}",
            version=version,
            owner=owner,
            parent=parent.entrant if parent else None,
            created=int(time.time()),
            checksum=b"",
        )
        session.add(sealed(entrant))
        session.flush()
        assert entrant.id is not None
        row = Submission(
            league=league,
            owner=mine,
            name=name,
            version=version,
            digest=digest,
            facts=json.dumps(facts, sort_keys=True),
            parent=parent.id if parent else None,
            entrant=entrant.id,
            received=int(time.time()),
            checksum=b"",
        )
        return row, True

    def say(
        self, submission: int, state: str, reason: str = "", detail: str = "", by: str = ""
    ) -> None:
        """Let a submission become something else; RefusedError if it may not."""
        with self._writes() as session:
            states = session.exec(
                select(SubmissionEvent.state)
                .where(SubmissionEvent.submission == submission)
                .order_by(col(SubmissionEvent.id))
            ).all()
            if not states:
                raise UnknownError(f"expected a submission of this database, got {submission}")
            check_fate(_label(session, submission), states, state)
            session.add(_submission_event(submission, state, reason, detail, by))

    def entries(self, league: int) -> list[Entry]:
        """All submissions of a league, oldest first."""
        with self._reads() as session:
            return read_entries(session, league)

    def entry_of(self, submission: int) -> Entry:
        """One submission by its id; UnknownError if there is none."""
        with self._reads() as session:
            row = session.get(Submission, submission)
            if row is None:
                raise UnknownError(f"expected a submission of this database, got {submission}")
            versions = read_entries(session, row.league, row)
        return next(entry for entry in versions if entry.id == submission)

    def entry(self, league: int, text: str) -> Entry:
        """The one meant by NAME, OWNER/NAME or either with @VERSION; UnknownError if none."""
        entries = self.entries(league)
        for entry in entries:
            if entry.label == text:
                return entry
        who, _, version = text.partition("@")
        found = [
            entry
            for entry in entries
            if who in (entry.name, f"{entry.owner}/{entry.name}") and version in ("", entry.version)
        ]
        if len({(entry.owner, entry.name) for entry in found}) > 1:
            labels = ", ".join(entry.label for entry in found)
            raise UnknownError(f"expected one bot out of {labels}, got {text}")
        if not found:
            labels = ", ".join(entry.label for entry in entries) or "none"
            raise UnknownError(f"expected a bot of the league ({labels}), got {text}")
        return next((entry for entry in found if entry.is_current), found[-1])

    def field(self, league: int) -> list[Entry]:
        """Those that play, oldest first."""
        return [entry for entry in self.entries(league) if entry.plays]

    def parcel(self, digest: str, alone: bool) -> BotArchive:
        """The files of a bot; StoreError if they are no longer what they were."""
        with self._reads() as session:
            kept = session.get(Snapshot, digest)
        if kept is None:
            raise StoreError(f"expected a bot of this database, got {digest}")
        parcel = unpack(kept.content, alone)
        if parcel.digest != digest:
            raise StoreError(f"expected the files of {digest[:12]}, got others")
        return parcel


def _owner(session: Session, name: str) -> int:
    """The owner's id; entered now if new."""
    check_owner(name)
    owner = session.exec(select(Owner).where(Owner.name == name)).first()
    if owner is None:
        for taken in session.exec(select(Owner.name)):
            if look_alike(taken, name):
                raise RefusedError(f"expected an owner's name unlike {taken}, got {name}")
        owner = Owner(name=name, created=int(time.time()), checksum=b"")
        session.add(sealed(owner))
        session.flush()
    assert owner.id is not None
    return owner.id


def _label(session: Session, submission: int) -> str:
    entrant = session.get_one(Submission, submission).entrant
    return session.get_one(Entrant, entrant).label


def _last_state(session: Session, league: int) -> str:
    query = select(LeagueEvent.state).where(LeagueEvent.league == league)
    return session.exec(query.order_by(col(LeagueEvent.id).desc()).limit(1)).one()


def _league_event(league: int, state: str, reason: str, by: str) -> LeagueEvent:
    event = LeagueEvent(
        league=league,
        state=state,
        reason=line(reason, "a reason"),
        by=line(by, "a name"),
        at=int(time.time()),
        checksum=b"",
    )
    sealed(event)
    return event


def _submission_event(
    submission: int, state: str, reason: str, detail: str, by: str
) -> SubmissionEvent:
    event = SubmissionEvent(
        submission=submission,
        state=state,
        reason=line(reason, "a reason"),
        detail=lines(detail, "a detail"),
        by=line(by, "a name"),
        at=int(time.time()),
        checksum=b"",
    )
    sealed(event)
    return event
