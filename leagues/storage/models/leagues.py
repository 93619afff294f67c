"""Rows of what becomes of leagues: states, submissions, acts, webhooks, who is at work."""

from sqlalchemy import BigInteger, LargeBinary, Text
from sqlmodel import Field, SQLModel

from leagues.storage.models import results  # noqa: F401 - foreign keys lead there


class LeagueEventRow(SQLModel, table=True):
    """A league took a state; the last counts."""

    __tablename__ = "league_event"
    id: int | None = Field(default=None, primary_key=True)
    league: int = Field(foreign_key="league.id", index=True)
    state: str
    reason: str
    by: str
    at: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class ActRow(SQLModel, table=True):
    """What a moderator did, and why; its checksum continues that of the act before.

    What it is about is named by its number, for names may have to be forgotten.
    """

    __tablename__ = "act"
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})  # 1, 2, 3 ...
    league: int | None = Field(default=None, foreign_key="league.id", index=True)
    kind: str
    subject: str = Field(index=True)  # a table and a number: "owner 3"
    facts: str = Field(sa_type=Text)  # JSON
    effect: str  # the row that it wrote elsewhere and its checksum, or nothing
    reason: str
    by: str
    at: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class ActHeadRow(SQLModel, table=True):
    """The last act, so that it is missed if it is taken away."""

    __tablename__ = "act_head"
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})  # always 1
    acts: int
    checksum: bytes = Field(sa_type=LargeBinary)  # the last act's


class WebhookRow(SQLModel, table=True):
    """An address that is sent a league's news, and up to where it was."""

    __tablename__ = "webhook"
    id: int | None = Field(default=None, primary_key=True)
    league: int = Field(foreign_key="league.id", index=True)
    url: str
    secret: str
    created: int = Field(sa_type=BigInteger)
    league_event: int
    stage: int
    submission_event: int
    failures: int
    not_before: int | None = Field(sa_type=BigInteger)
    problem: str


class SnapshotRow(SQLModel, table=True):
    """The files of a bot as they were submitted."""

    __tablename__ = "snapshot"
    digest: str = Field(primary_key=True)
    content: bytes = Field(sa_type=LargeBinary)  # see `leagues.submissions.archive`
    files: int
    size: int = Field(sa_type=BigInteger)  # bytes, unpacked
    created: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class SubmissionRow(SQLModel, table=True):
    """A version of a bot in a league."""

    __tablename__ = "submission"
    id: int | None = Field(default=None, primary_key=True)
    league: int = Field(foreign_key="league.id", index=True)
    owner: int | None = Field(default=None, foreign_key="owner.id")
    name: str
    version: str
    digest: str = Field(foreign_key="snapshot.digest")
    facts: str = Field(sa_type=Text)  # JSON, what the bot says of itself
    parent: int | None = Field(default=None, foreign_key="submission.id")  # the version before
    entrant: int = Field(foreign_key="entrant.id")
    received: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class SubmissionEventRow(SQLModel, table=True):
    """A submission took a state; the last counts."""

    __tablename__ = "submission_event"
    id: int | None = Field(default=None, primary_key=True)
    submission: int = Field(foreign_key="submission.id", index=True)
    state: str
    reason: str
    detail: str = Field(sa_type=Text)  # such as what the bot said when it failed
    by: str
    at: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class WorkerRow(SQLModel, table=True):
    """A process that plays; it has died if it did not extend its lease."""

    __tablename__ = "worker"
    id: int | None = Field(default=None, primary_key=True)
    name: str
    until: int = Field(sa_type=BigInteger)  # milliseconds by the database's clock


class ClaimRow(SQLModel, table=True):
    """What a worker is about to do, and nobody else."""

    __tablename__ = "claim"
    task: str = Field(primary_key=True)
    worker: int = Field(foreign_key="worker.id", index=True)


class RunningMatchRow(SQLModel, table=True):
    """How far a match that is played may be shown; gone as soon as its claim is."""

    __tablename__ = "running_match"
    task: str = Field(primary_key=True, foreign_key="claim.task", ondelete="CASCADE")
    tournament: int = Field(foreign_key="tournament.id", index=True)
    number: int  # its place in the schedule
    spec: str = Field(sa_type=Text)  # JSON, what was dealt to whom
    decisions: bytes = Field(sa_type=LargeBinary)  # of whole rounds, see `leagues.storage.codec`
