"""Rows of what was played: entrants, tournaments and the stages of leagues, matches, seats."""

from sqlalchemy import BigInteger, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel


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


class OwnerRow(SQLModel, table=True):
    """Someone whose bots compete."""

    __tablename__ = "owner"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    created: int = Field(sa_type=BigInteger)
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
