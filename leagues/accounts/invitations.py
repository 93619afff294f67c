"""How people come in without a mail server: by a link that is invited to, or asked for."""

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col, select

from leagues.accounts.accounts import DAY, make_token
from leagues.accounts.owners import get_or_create_owner
from leagues.accounts.secrets_hash import hash_secret, new_secret, same_hash
from leagues.errors import NotFoundError, RefusedError
from leagues.moderation.acts import record_act
from leagues.records import ActKind
from leagues.storage.codec import check_line
from leagues.storage.database import Database
from leagues.storage.models.accounts import AccessTokenRow, InvitationRow
from leagues.storage.models.results import OwnerRow
from leagues.submissions.lifecycle import check_owner, look_alike

MAX_ASKED: Final = 500  # requests that wait for an organiser
MAX_NOTE: Final = 300
DAYS: Final = 30  # that an invitation holds


class InvitationState(StrEnum):
    """What became of an invitation."""

    ASKED = "ASKED"
    READY = "READY"
    USED = "USED"
    REVOKED = "REVOKED"


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link by which one person comes in, without its secret."""

    id: int
    name: str  # that was suggested or asked for
    note: str
    state: InvitationState
    created: int
    expires: int

    @property
    def is_open(self) -> bool:
        """Whether nobody has used it or called it back."""
        return self.state in (InvitationState.ASKED, InvitationState.READY)

    def is_expired(self, now: float) -> bool:
        """Whether it was not used in time."""
        return self.is_open and self.expires <= now


class InvitationsReader:
    """Invitations, read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Invitation]:
        """All of them, oldest first."""
        with self._database.reading() as connection, Session(connection) as session:
            query = select(InvitationRow).order_by(col(InvitationRow.id))
            return [_record(row) for row in session.exec(query)]

    def find(self, secret: str) -> Invitation | None:
        """The one with this link, if it can still be used or is waiting."""
        with self._database.reading() as connection, Session(connection) as session:
            row = _find(session, secret)
            return None if row is None else _record(row)


class InvitationsWriter:
    """Invitations made, asked for, approved and used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def invite(self, name: str, by: str, days: int = DAYS) -> str:
        """The secret of a link by which one person comes in; a name may be suggested."""
        if name:
            check_owner(name)
        with self._database.write_session() as session:
            return _make(session, name, "", InvitationState.READY, by, days)

    def ask(self, name: str, note: str) -> str:
        """The secret of a link that an organiser may approve; nothing is said of who is there."""
        check_owner(name)
        with self._database.write_session() as session:
            waiting = select(sa.func.count()).select_from(InvitationRow)
            asked = session.exec(waiting.where(_is(InvitationState.ASKED))).one()
            if asked >= MAX_ASKED:
                raise RefusedError("too many requests wait for an organiser, try again later")
            return _make(session, name, note[:MAX_NOTE], InvitationState.ASKED, "", DAYS)

    def decide(self, id: int, approved: bool, reason: str, by: str) -> None:
        """Let somebody in who asked, or not."""
        with self._database.write_session() as session:
            row = session.get(InvitationRow, id)
            if row is None or row.state not in (InvitationState.ASKED, InvitationState.READY):
                raise NotFoundError("expected an invitation that is open, got {id}", id=id)
            row.state = (InvitationState.READY if approved else InvitationState.REVOKED).value
            row.expires = int(time.time()) + DAYS * DAY
            session.add(row)
            kind = ActKind.ADMIT if approved else ActKind.REFUSE
            record_act(session, kind, f"invitation {id}", reason, by)

    def join(self, secret: str, name: str) -> str:
        """Use up an invitation: a new owner of this name, and its first token."""
        check_owner(name)
        with self._database.write_session() as session:
            row = _find(session, secret)
            if row is None or row.state != InvitationState.READY:
                raise NotFoundError("expected an invitation that holds, got none")
            if not _is_meant(session, row, name):
                for taken in session.exec(select(OwnerRow.name)):
                    if look_alike(taken, name):
                        raise RefusedError("expected a name that is free, got {name}", name=name)
            owner = get_or_create_owner(session, name)
            row.state, row.owner = InvitationState.USED.value, owner
            session.add(row)
            return make_token(session, owner, "", None)


def _is_meant(session: Session, row: InvitationRow, name: str) -> bool:
    """Whether an organiser invited somebody to be an owner that nobody has come in as yet."""
    if not row.by or row.name != name:
        return False
    owner = session.exec(select(OwnerRow.id).where(OwnerRow.name == name)).first()
    used = select(AccessTokenRow.id).where(AccessTokenRow.owner == owner)
    return owner is not None and session.exec(used).first() is None


def _is(state: InvitationState) -> sa.ColumnElement[bool]:
    return col(InvitationRow.state) == state.value


def _find(session: Session, secret: str) -> InvitationRow | None:
    wanted = hash_secret(secret)
    row = session.exec(select(InvitationRow).where(InvitationRow.hash == wanted)).first()
    if row is None or not same_hash(row.hash, wanted) or row.expires <= time.time():
        return None
    return row if row.state in (InvitationState.ASKED, InvitationState.READY) else None


def _make(
    session: Session, name: str, note: str, state: InvitationState, by: str, days: int
) -> str:
    secret = new_secret("join")
    now = int(time.time())
    row = InvitationRow(
        hash=hash_secret(secret),
        name=name,
        note=check_line(note, "a note"),
        state=state.value,
        by=check_line(by, "a name"),
        created=now,
        expires=now + days * DAY,
    )
    session.add(row)
    return secret


def _record(row: InvitationRow) -> Invitation:
    state = InvitationState(row.state)
    return Invitation(row.id or 0, row.name, row.note, state, row.created, row.expires)
