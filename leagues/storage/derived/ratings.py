"""Stored ratings: read as of now, brought forward, made again, held against the results."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from leagues.ratings.field_prior import fit_field
from leagues.ratings.leaderboard import Leaderboard, leaderboard_of
from leagues.ratings.result_log import empty_log
from leagues.ratings.totals import Totals
from leagues.ratings.trueskill_fold import Fold, FoldRules, FoldState, Rating
from leagues.storage.database import Database
from leagues.storage.derived.boards import BoardKey, all_boards, boards_with
from leagues.storage.derived.forward import (
    Horizon,
    PointSource,
    RatedBoard,
    RatingPoint,
    bring_forward,
    forward,
    newest,
)
from leagues.storage.derived.match_counts import miscounted, recount
from leagues.storage.derived.rows import (
    StoredPoints,
    differences,
    drop_boards,
    find_board,
    load_board,
    save_board,
)


@dataclass(frozen=True)
class StoredRatings:
    """All that a leaderboard is made of, as of now."""

    totals: Totals
    rules: FoldRules
    state: FoldState

    def ratings(self) -> dict[int, Rating]:
        """Of all entrants listed; who has not played has what the version before tells."""
        ended = Fold(empty_log("", self.totals.entrants), self.rules, self.state)
        return {each: ended.belief(place) for place, each in enumerate(self.totals.entrants)}

    def leaderboard(self, game: str) -> Leaderboard:
        """The leaderboard of all results."""
        fitted = fit_field(self.totals.pair_counts(), self.rules.priors, self.rules.parents)
        return leaderboard_of(game, self.totals, self.ratings(), fitted)


class RatingsReader:
    """Ratings as of now: what is stored, and what is new folded on top of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, key: BoardKey, roster: Iterable[int] = ()) -> StoredRatings:
        """Of all matches of a board; the roster is listed even where it has not played."""
        with _moment(self._database) as connection:
            board, points = load_board(connection, key, find_board(connection, key))
            board = forward(connection, key, board, points, newest(connection))
        board.totals.include([*roster, *board.totals.entrants])
        return StoredRatings(board.totals, board.rules, board.state)

    def history(self, key: BoardKey) -> list[RatingPoint]:
        """Ratings after so many matches, from the beginning, as far as they are stored."""
        with _moment(self._database) as connection:
            row = find_board(connection, key)
            return [] if row is None else StoredPoints(connection, row.id).all()

    def problems(self, tournaments: Iterable[int]) -> Iterator[str]:
        """Where stored ratings and counts of some tournaments are not what the results say."""
        with _moment(self._database) as connection:
            yield from miscounted(connection)
            keys = {key for each in tournaments for key in boards_with(connection, each)}
            for key in sorted(keys, key=str):
                row = find_board(connection, key)
                if row is not None:
                    made = _make(connection, key, Horizon(row.last_match, row.last_exclusion))
                    yield from differences(connection, key, row, made)


class RatingsWriter:
    """Stored ratings, kept up to date."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def bring_forward(self, tournament: int) -> None:
        """Store the ratings of all boards that a tournament belongs to, as of now."""
        with self._database.writing() as connection:
            store_forward(connection, tournament)

    def complete(self) -> None:
        """Store the ratings of every board as of now, as after an upgrade or many exclusions."""
        with self._database.writing() as connection:
            _store(connection, all_boards(connection), None)

    def drop(self) -> None:
        """Forget all that is stored; readers compute it until it is stored again."""
        with self._database.writing() as connection:
            drop_boards(connection)

    def rebuild(self) -> dict[str, int]:
        """Drop all that is stored and make it again; how many matches each board has."""
        found = {}
        with self._database.writing() as connection:
            drop_boards(connection)
            recount(connection)
            for key in all_boards(connection):
                board = _make(connection, key, newest(connection))
                save_board(connection, key, None, board)
                found[str(key)] = board.totals.matches
        return found


def store_forward(connection: sa.Connection, tournament: int, most: int | None = None) -> None:
    """Bring the boards of a tournament forward in a transaction that writes.

    Those that would have to fold more than so many matches again are left as they are.
    """
    _store(connection, boards_with(connection, tournament), most)


def _store(connection: sa.Connection, keys: Iterable[BoardKey], most: int | None) -> None:
    horizon = newest(connection)
    for key in keys:
        row = find_board(connection, key)
        board, points = load_board(connection, key, row)
        before = board.last_match, board.last_exclusion
        found = bring_forward(connection, key, board, points, horizon, most)
        if found is None:
            continue
        if row is None or before != (horizon.match, horizon.exclusion):
            save_board(connection, key, row, found)


def _make(connection: sa.Connection, key: BoardKey, horizon: Horizon) -> RatedBoard:
    """A board from the results alone."""
    board, _ = load_board(connection, key, None)
    return forward(connection, key, board, PointSource(), horizon)


@contextmanager
def _moment(database: Database) -> Iterator[sa.Connection]:
    """A connection that sees the database as of one moment."""
    with database.reading() as connection:
        if connection.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection
