"""Rows of people and of the site: tokens, sessions, invitations, games of visitors."""

from sqlalchemy import BigInteger, LargeBinary, Text
from sqlmodel import Field, SQLModel

from leagues.storage.models import results  # noqa: F401 - foreign keys lead there


class AccessTokenRow(SQLModel, table=True):
    """What an owner proves itself with, until it expires or is revoked."""

    __tablename__ = "access_token"
    id: int | None = Field(default=None, primary_key=True)
    owner: int = Field(foreign_key="owner.id", index=True)
    hash: str = Field(unique=True)
    name: str  # what the owner calls it
    created: int = Field(sa_type=BigInteger)
    expires: int | None = Field(default=None, sa_type=BigInteger)
    revoked: int | None = Field(default=None, sa_type=BigInteger)


class SessionRow(SQLModel, table=True):
    """A visitor of the site that came in; it ends with the token it began with."""

    __tablename__ = "session"
    id: int | None = Field(default=None, primary_key=True)
    hash: str = Field(unique=True)
    owner: int = Field(foreign_key="owner.id")
    token: int | None = Field(default=None, foreign_key="access_token.id")
    created: int = Field(sa_type=BigInteger)
    expires: int = Field(sa_type=BigInteger)


class InvitationRow(SQLModel, table=True):
    """A link by which one person comes in."""

    __tablename__ = "invitation"
    id: int | None = Field(default=None, primary_key=True)
    hash: str = Field(unique=True)
    name: str
    note: str
    state: str
    by: str
    created: int = Field(sa_type=BigInteger)
    expires: int = Field(sa_type=BigInteger)
    owner: int | None = Field(default=None, foreign_key="owner.id")


class IdentityRow(SQLModel, table=True):
    """Who an OpenID Connect provider says somebody is, and which owner that is here."""

    __tablename__ = "identity"
    issuer: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    owner: int = Field(foreign_key="owner.id", index=True)
    created: int = Field(sa_type=BigInteger)


class SiteKeyRow(SQLModel, table=True):
    """A key that all processes of the site sign with."""

    __tablename__ = "site_key"
    name: str = Field(primary_key=True)
    value: bytes = Field(sa_type=LargeBinary)


class LiveGameRow(SQLModel, table=True):
    """A game of a visitor of the site, as far as it was played; forgotten when it is left."""

    __tablename__ = "live_game"
    id: str = Field(primary_key=True)
    visitor: str = Field(index=True)  # the hash of the cookie
    address: str
    holder: str  # the process that plays it
    game: str = Field(sa_type=Text)  # JSON, what was dealt to whom
    decisions: str = Field(sa_type=Text)  # JSON, of whole rounds
    choice: str = Field(sa_type=Text)  # JSON, what the visitor chose last and in which turn
    over: bool
    used: int = Field(sa_type=BigInteger)


class FinishedGameRow(SQLModel, table=True):
    """A game that a visitor of the site played to its end, kept for its link."""

    __tablename__ = "finished_game"
    id: str = Field(primary_key=True)  # as the link has it
    game: str = Field(sa_type=Text)  # JSON, what was dealt to whom, decided and reached
    created: int = Field(sa_type=BigInteger)


class RateCountRow(SQLModel, table=True):
    """Requests of a client in a window of time, as far as processes told each other."""

    __tablename__ = "rate_count"
    limiter: str = Field(primary_key=True)
    client: str = Field(primary_key=True)  # a keyed hash of the address
    window: int = Field(primary_key=True, sa_type=BigInteger)
    hits: int
