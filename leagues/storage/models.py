"""The rows of the database, known to `leagues` alone; records travel to the rest of the program.

Every row has a checksum over its content, a match over its seats too; but workers, claims and
webhooks, which come and go, the last act, and counts and ratings, which are made of other rows.
Times of day are whole seconds since 1970, spans are microseconds: integers mean the same in every
database.
"""

from dataclasses import fields
from typing import Any, TypeVar, cast

from sqlalchemy import BigInteger, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from leagues.errors import StorageError
from leagues.storage.codec import checksum

Record = TypeVar("Record")
Table = TypeVar("Table", bound=SQLModel)


class EntrantRow(SQLModel, table=True):
    """A bot as it competes: other code or other parameters are another entrant."""

    __tablename__ = "entrant"
    id: int | None = Field(default=None, primary_key=True)
    label: str
    spec: str  # what finds the bot again
    digest: str = Field(unique=True)  # of its code and its parameters
    version: str = ""
    owner: str | None = None
    parent: int | None = Field(default=None, foreign_key="entrant.id")
    created: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class TournamentRow(SQLModel, table=True):
    """Matches that belong to one schedule."""

    __tablename__ = "tournament"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    seed: str  # any integer, in decimal
    config: str = Field(sa_type=Text)  # JSON
    identity: str = Field(index=True)  # digest of what makes two runs the same tournament
    cycles: str = Field(sa_type=Text)  # JSON, the cycles of the design
    command: str = Field(sa_type=Text)
    created: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class ParticipantRow(SQLModel, table=True):
    """An entrant of a tournament, in the order the schedule knows."""

    __tablename__ = "participant"
    tournament: int = Field(primary_key=True, foreign_key="tournament.id")
    position: int = Field(primary_key=True)
    entrant: int = Field(foreign_key="entrant.id")
    checksum: bytes = Field(sa_type=LargeBinary)


class RoundsTargetRow(SQLModel, table=True):
    """A run asked for so many rounds of a tournament; the last counts."""

    __tablename__ = "wish"

    id: int | None = Field(default=None, primary_key=True)
    tournament: int = Field(foreign_key="tournament.id", index=True)
    rounds: int | None  # null: as many as there is time for
    command: str = Field(sa_type=Text)
    at: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class BatchRow(SQLModel, table=True):
    """Matches stored together; its checksum continues that of the batch before.

    A match that was taken away breaks its batch, a batch that was taken away the chain.
    """

    __tablename__ = "batch"
    __table_args__ = (UniqueConstraint("tournament", "number"),)
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    tournament: int = Field(foreign_key="tournament.id")
    number: int  # 0, 1, 2 ... in each tournament
    matches: int
    checksum: bytes = Field(sa_type=LargeBinary)


class MatchRow(SQLModel, table=True):
    """A match that was played."""

    __tablename__ = "match"
    __table_args__ = (UniqueConstraint("tournament", "number"),)
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    tournament: int = Field(foreign_key="tournament.id")
    number: int  # its place in the schedule
    batch: int = Field(foreign_key="batch.id")
    fixture: str
    stage: str
    round: int
    game: str
    players: int
    edition: str | None
    expansions: str  # JSON
    expert: bool
    seed: int = Field(sa_type=BigInteger)
    rules: int  # version of the game's rules
    decisions: bytes = Field(sa_type=LargeBinary)  # see `leagues.storage.codec`
    sandbox: str
    rated: bool
    program: str  # version of the arena
    played_at: int = Field(sa_type=BigInteger)
    duration: int = Field(sa_type=BigInteger)
    time_factor: int | None  # in millionths; null where time limits were not scaled
    checksum: bytes = Field(sa_type=LargeBinary)


class SeatRow(SQLModel, table=True):
    """What one seat of a match was and did; asked is null where no account was kept."""

    __tablename__ = "seat"
    # Seats of a match lie together, found without an index of their own.
    __table_args__ = ({"sqlite_with_rowid": False},)
    match: int = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    entrant: int = Field(foreign_key="entrant.id")
    wonder: str
    score: int
    rank: int
    asked: int | None
    computed: int | None = Field(sa_type=BigInteger)
    longest: int | None = Field(sa_type=BigInteger)
    printed: str | None = Field(sa_type=Text)
    fault: str | None  # its kind
    fault_decision: int | None
    fault_detail: str | None = Field(sa_type=Text)


class ExclusionRow(SQLModel, table=True):
    """Someone took a match out of the ratings, or back in; the last word counts."""

    __tablename__ = "exclusion"
    id: int | None = Field(default=None, primary_key=True)
    match: int = Field(foreign_key="match.id", index=True)
    excluded: bool
    reason: str
    by: str
    at: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class IncidentRow(SQLModel, table=True):
    """A match that the machine, not a bot, spoiled, and that was played again."""

    __tablename__ = "incident"
    id: int | None = Field(default=None, primary_key=True)
    tournament: int = Field(foreign_key="tournament.id", index=True)
    number: int
    detail: str = Field(sa_type=Text)
    at: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


class LeagueRow(SQLModel, table=True):
    """Where bots compete over time, under rules that do not change."""

    __tablename__ = "league"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    rules: str = Field(sa_type=Text)  # TOML
    seed: str  # any integer, in decimal
    created: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


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


class OwnerRow(SQLModel, table=True):
    """Someone whose bots compete."""

    __tablename__ = "owner"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    created: int = Field(sa_type=BigInteger)
    checksum: bytes = Field(sa_type=LargeBinary)


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


class RateCountRow(SQLModel, table=True):
    """Requests of a client in a window of time, as far as processes told each other."""

    __tablename__ = "rate_count"
    limiter: str = Field(primary_key=True)
    client: str = Field(primary_key=True)  # a keyed hash of the address
    window: int = Field(primary_key=True, sa_type=BigInteger)
    hits: int


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


class StageRow(SQLModel, table=True):
    """A tournament that a league plays; a new one when the field changes or the last is played."""

    __tablename__ = "stage"
    __table_args__ = (UniqueConstraint("league", "number"),)
    tournament: int = Field(
        primary_key=True,
        foreign_key="tournament.id",
        sa_column_kwargs={"autoincrement": False},
    )
    league: int = Field(foreign_key="league.id")
    number: int  # 1, 2, 3 ... in each league
    kind: str  # placement, balanced or adaptive
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


class MatchCountRow(SQLModel, table=True):
    """How many matches of one kind a tournament has."""

    __tablename__ = "match_count"
    id: int | None = Field(default=None, primary_key=True)
    tournament: int = Field(foreign_key="tournament.id", index=True)
    stage: str
    game: str
    edition: str | None
    expansions: str  # JSON
    expert: bool
    players: int
    sandbox: str
    rated: bool
    matches: int


class RatingBoardRow(SQLModel, table=True):
    """Ratings of one kind of game in a tournament, in a league, or in all of the database."""

    __tablename__ = "rating_board"
    __table_args__ = (UniqueConstraint("scope", "contest", "kind", "unrated"),)
    id: int | None = Field(default=None, primary_key=True)
    scope: str  # all, tournament or league
    contest: int  # the tournament or the league; 0 for all
    kind: str  # of game
    unrated: bool  # whether matches count that are not rated
    model: int  # version of what computes ratings
    drift: float
    last_match: int  # the last that was seen
    last_exclusion: int
    matches: int  # that count
    totals: bytes = Field(sa_type=LargeBinary)  # see `leagues.ratings.totals`


class RatingPointRow(SQLModel, table=True):
    """How far a board had come at one moment; the last is how far it has."""

    __tablename__ = "rating_point"
    board: int = Field(primary_key=True, foreign_key="rating_board.id")
    matches: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    match: int  # the last of them, and its place in the schedule
    tournament: int
    number: int
    tied: int = Field(sa_type=BigInteger)
    pairs: int = Field(sa_type=BigInteger)
    draw_tied: int = Field(sa_type=BigInteger)
    draw_pairs: int = Field(sa_type=BigInteger)


class RatingRow(SQLModel, table=True):
    """An entrant's TrueSkill rating at a point of a board."""

    __tablename__ = "rating"
    __table_args__ = ({"sqlite_with_rowid": False},)
    board: int = Field(primary_key=True, foreign_key="rating_board.id")
    matches: int = Field(primary_key=True)  # of the point
    entrant: int = Field(primary_key=True, foreign_key="entrant.id")
    mu: float
    sigma: float
    games: int
    precision: float  # what the next match is computed from, and
    pull: float  # precision times mu


def columns_of(record: Any, table: type[SQLModel]) -> list[Any]:
    """The columns of a table that a record has, in the record's order; all without a record."""
    names = table.model_fields if record is None else [field.name for field in fields(record)]
    return [getattr(table, name) for name in names]


def with_checksum(row: Table) -> Table:
    """The row with its checksum set; its own number is no part of it."""
    names = [name for name in type(row).model_fields if name not in ("id", "checksum")]
    row.checksum = checksum([getattr(row, name) for name in names])
    return row


def record_of(record: type[Record], row: SQLModel) -> Record:
    """The record of a row that was flushed, so that it has its number."""
    return record(**{field.name: getattr(row, field.name) for field in fields(cast(Any, record))})


def number_of(row: EntrantRow | OwnerRow | SubmissionRow | SubmissionEventRow) -> int:
    """The number that the database gave to a row that was flushed or read."""
    if row.id is None:
        raise StorageError(f"a {row.__tablename__} has no number yet: please report this")
    return row.id
