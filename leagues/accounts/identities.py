"""Who an OpenID Connect provider says somebody is, and which owner that is here."""

import time

from sqlmodel import Session, col, select

from leagues.accounts.accounts import make_session, owner_name
from leagues.errors import RefusedError
from leagues.moderation.moderate import find_owner
from leagues.storage.database import Database
from leagues.storage.models.accounts import IdentityRow, SessionRow
from leagues.storage.models.rows import number_of


class Identities:
    """Log-ins of providers, linked to owners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def link(self, owner: str, issuer: str, subject: str) -> None:
        """Let a log-in be this owner's; RefusedError if it is another's."""
        with self._database.write_session() as session:
            id = number_of(find_owner(session, owner))
            row = session.get(IdentityRow, (issuer, subject))
            if row is not None and row.owner != id:
                raise RefusedError("this log-in is already linked to another owner")
            if row is None:
                now = int(time.time())
                session.add(IdentityRow(issuer=issuer, subject=subject, owner=id, created=now))

    def unlink(self, owner: str) -> None:
        """Let no log-in be this owner's any more; sessions that began with one end."""
        with self._database.write_session() as session:
            forget_identities(session, number_of(find_owner(session, owner)))

    def is_linked(self, owner: str) -> bool:
        """Whether an owner may come in by a log-in."""
        with self._database.reading() as connection, Session(connection) as session:
            id = number_of(find_owner(session, owner))
            query = select(IdentityRow.owner).where(IdentityRow.owner == id)
            return session.exec(query).first() is not None

    def open_session(self, issuer: str, subject: str) -> str | None:
        """What a visitor's cookie holds who came in by a log-in; None if it is no one's."""
        with self._database.write_session() as session:
            row = session.get(IdentityRow, (issuer, subject))
            if row is None or owner_name(session, row.owner) is None:
                return None
            return make_session(session, row.owner, None)


def forget_identities(session: Session, owner: int) -> None:
    """Forget the log-ins of an owner, and end the sessions that began with one."""
    for row in session.exec(select(IdentityRow).where(IdentityRow.owner == owner)).all():
        session.delete(row)
    begun = (SessionRow.owner == owner, col(SessionRow.token).is_(None))
    for each in session.exec(select(SessionRow).where(*begun)).all():
        session.delete(each)
