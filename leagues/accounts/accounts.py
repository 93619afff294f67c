"""Tokens that can be listed, revoked and expire, and sessions of the site, which end with them."""

import time
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, select

from leagues.accounts.owners import get_or_create_owner
from leagues.accounts.secrets_hash import hash_secret, new_secret, same_hash
from leagues.errors import NotFoundError, RefusedError
from leagues.moderation.acts import last_acts, last_facts, record_act
from leagues.moderation.moderate import find_owner
from leagues.moderation.signatures import owner_signature
from leagues.records import ActKind
from leagues.storage.codec import check_line
from leagues.storage.database import Database
from leagues.storage.models.accounts import AccessTokenRow, SessionRow
from leagues.storage.models.results import OwnerRow
from leagues.storage.models.rows import number_of

SESSION_SECONDS: Final = 30 * 24 * 3600
DAY: Final = 24 * 3600
MAX_TOKENS: Final = 50  # of an owner, that are valid
ORGANISER: Final = "organiser"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token of an owner, without its secret."""

    id: int
    name: str
    created: int
    expires: int | None
    revoked: int | None

    @property
    def is_valid(self) -> bool:
        """Whether it proves anything now."""
        return self.revoked is None and (self.expires is None or self.expires > time.time())


def _is_valid(token: AccessTokenRow) -> bool:
    return token.revoked is None and (token.expires is None or token.expires > time.time())


def owner_name(session: Session, owner: int) -> str | None:
    """The owner's name, unless it is banned."""
    if owner in last_acts(session, ActKind.BAN, ActKind.UNBAN, "owner"):
        return None
    return session.get_one(OwnerRow, owner).name


class AccountsReader:
    """Who somebody is, by a token or by a session."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def owner_of_token(self, token: str) -> str | None:
        """The owner a token belongs to; None if it is no one's, or no longer."""
        with self._database.reading() as connection, Session(connection) as session:
            row = find_token(session, token)
            return None if row is None else owner_name(session, row.owner)

    def owner_of_session(self, cookie: str) -> str | None:
        """Who came in with this session; None if it ended, or the token that it began with."""
        wanted = hash_secret(cookie)
        with self._database.reading() as connection, Session(connection) as session:
            row = session.exec(select(SessionRow).where(SessionRow.hash == wanted)).first()
            if row is None or not same_hash(row.hash, wanted) or row.expires <= time.time():
                return None
            if row.token is not None:
                token = session.get(AccessTokenRow, row.token)
                if token is None or not _is_valid(token):
                    return None
            return owner_name(session, row.owner)

    def signature(self, owner: str) -> str:
        """What the acts of an owner are signed with, whatever it is called later."""
        with self._database.reading() as connection, Session(connection) as session:
            return owner_signature(number_of(find_owner(session, owner)))

    def tokens(self, owner: str) -> list[AccessToken]:
        """The tokens of an owner, oldest first."""
        with self._database.reading() as connection, Session(connection) as session:
            id = number_of(find_owner(session, owner))
            query = select(AccessTokenRow).where(AccessTokenRow.owner == id)
            return [
                AccessToken(row.id or 0, row.name, row.created, row.expires, row.revoked)
                for row in session.exec(query.order_by(col(AccessTokenRow.id)))
            ]

    def organisers(self) -> set[str]:
        """The owners that may do what organisers do on the site."""
        with self._database.reading() as connection, Session(connection) as session:
            roles = last_facts(session, ActKind.ROLE, "owner")
            ids = [id for id, facts in roles.items() if facts.get("role") == ORGANISER]
            query = select(OwnerRow.name).where(col(OwnerRow.id).in_(ids))
            return set(session.exec(query))


def find_token(session: Session, token: str) -> AccessTokenRow | None:
    """The valid token with this secret."""
    wanted = hash_secret(token)
    row = session.exec(select(AccessTokenRow).where(AccessTokenRow.hash == wanted)).first()
    return row if row and same_hash(row.hash, wanted) and _is_valid(row) else None


class AccountsWriter:
    """Tokens made and revoked, sessions begun and ended, organisers named."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_token(self, owner: str, name: str = "", days: int | None = None) -> str:
        """Another token for an owner, who is entered if new; shown once."""
        with self._database.write_session() as session:
            return make_token(session, get_or_create_owner(session, owner), name, days)

    def replace_tokens(self, owner: str) -> str:
        """A new token for an owner, who is entered if new; those before no longer count."""
        with self._database.write_session() as session:
            id = get_or_create_owner(session, owner)
            for row in session.exec(select(AccessTokenRow).where(AccessTokenRow.owner == id)):
                _revoke(session, row)
            return make_token(session, id, "", None)

    def revoke_token(self, owner: str, token: int) -> None:
        """Let a token of this owner prove nothing any more; its sessions end."""
        with self._database.write_session() as session:
            row = session.get(AccessTokenRow, token)
            if row is None or row.owner != number_of(find_owner(session, owner)):
                raise NotFoundError("expected a token of {owner}, got {id}", owner=owner, id=token)
            _revoke(session, row)

    def open_session(self, token: str) -> str | None:
        """What a visitor's cookie holds who came in with this token; None if it is no one's."""
        with self._database.write_session() as session:
            row = find_token(session, token)
            if row is None or owner_name(session, row.owner) is None:
                return None
            return make_session(session, row.owner, row.id)

    def close_session(self, cookie: str) -> None:
        """End a session; and forget those that have expired."""
        wanted = hash_secret(cookie)
        with self._database.write_session() as session:
            query = select(SessionRow).where(
                (col(SessionRow.hash) == wanted) | (col(SessionRow.expires) < int(time.time()))
            )
            for row in session.exec(query):
                session.delete(row)

    def set_organiser(self, owner: str, is_organiser: bool, reason: str, by: str) -> None:
        """Let an owner act as an organiser on the site, or not any more."""
        with self._database.write_session() as session:
            id = get_or_create_owner(session, owner)
            facts = {"role": ORGANISER if is_organiser else ""}
            record_act(session, ActKind.ROLE, f"owner {id}", reason, by, facts=facts)


def make_token(session: Session, owner: int, name: str, days: int | None) -> str:
    """A token of an owner, stored by its hash."""
    token = new_secret("arena")
    now = int(time.time())
    rows = session.exec(select(AccessTokenRow).where(AccessTokenRow.owner == owner))
    if sum(map(_is_valid, rows)) >= MAX_TOKENS:
        raise RefusedError(
            "expected at most {limit} tokens of an owner, got another: revoke one first",
            limit=MAX_TOKENS,
        )
    row = AccessTokenRow(
        owner=owner,
        hash=hash_secret(token),
        name=check_line(name, "a name")[:40],
        created=now,
        expires=None if days is None else now + days * DAY,
    )
    session.add(row)
    session.flush()
    return token


def make_session(session: Session, owner: int, token: int | None) -> str:
    """The secret of a new session of the site."""
    cookie = new_secret("session")
    now = int(time.time())
    row = SessionRow(
        owner=owner,
        hash=hash_secret(cookie),
        token=token,
        created=now,
        expires=now + SESSION_SECONDS,
    )
    session.add(row)
    return cookie


def _revoke(session: Session, row: AccessTokenRow) -> None:
    if row.revoked is None:
        row.revoked = int(time.time())
        session.add(row)
