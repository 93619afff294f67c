"""Rows of ratings, which are made of results."""

from sqlalchemy import BigInteger, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel

from leagues.storage.models import results  # noqa: F401 - foreign keys lead there


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
