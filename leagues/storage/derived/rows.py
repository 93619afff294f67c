"""Boards as rows of the database: loaded, saved, dropped, compared."""

from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.ratings.totals import decode_totals
from leagues.ratings.trueskill_fold import Belief, FoldState
from leagues.storage.derived.boards import BoardKey, fold_rules
from leagues.storage.derived.forward import PointSource, RatedBoard, RatingPoint, point_places
from leagues.storage.models.ratings import RatingBoardRow, RatingPointRow, RatingRow

MODEL: Final = 1  # of fold and sums: raised when stored ones have to be made again


class StoredPoints(PointSource):
    """The points of a board that is stored."""

    def __init__(self, connection: sa.Connection, board: int) -> None:
        self._connection = connection
        self._board = board

    def last_before(self, place: tuple[int, int]) -> RatingPoint:
        tournament, number = place
        earlier = sa.or_(
            col(RatingPointRow.tournament) < tournament,
            sa.and_(
                col(RatingPointRow.tournament) == tournament, col(RatingPointRow.number) < number
            ),
        )
        return self._last(earlier) or RatingPoint()

    def last(self) -> RatingPoint | None:
        """How far the board has come."""
        return self._last(sa.true())

    def all(self) -> list[RatingPoint]:
        """The whole history, from its beginning."""
        query = (
            sa.select(RatingPointRow.__table__)  # type: ignore[attr-defined]
            .where(col(RatingPointRow.board) == self._board)
            .order_by(col(RatingPointRow.matches))
        )
        return [self._point(row) for row in self._connection.execute(query).all()]

    def _last(self, where: sa.ColumnElement[bool]) -> RatingPoint | None:
        query = (
            sa.select(RatingPointRow.__table__)  # type: ignore[attr-defined]
            .where(col(RatingPointRow.board) == self._board, where)
            .order_by(col(RatingPointRow.matches).desc())
            .limit(1)
        )
        row = self._connection.execute(query).first()
        return None if row is None else self._point(row)

    def _point(self, row: Any) -> RatingPoint:
        columns: list[Any] = [
            col(getattr(RatingRow, name)) for name in ("entrant", "precision", "pull", "games")
        ]
        query = sa.select(*columns).where(
            col(RatingRow.board) == self._board, col(RatingRow.matches) == row.matches
        )
        beliefs = {
            int(entrant): Belief(*belief) for entrant, *belief in self._connection.execute(query)
        }
        state = FoldState(row.matches, row.tied, row.pairs, row.draw_tied, row.draw_pairs, beliefs)
        return RatingPoint(state, row.match, row.tournament, row.number)


def find_board(connection: sa.Connection, key: BoardKey) -> Any | None:
    """The row of a board, if there is one."""
    query = sa.select(RatingBoardRow.__table__).where(  # type: ignore[attr-defined]
        *(col(getattr(RatingBoardRow, name)) == value for name, value in key.columns.items())
    )
    return connection.execute(query).first()


def load_board(
    connection: sa.Connection, key: BoardKey, row: Any | None
) -> tuple[RatedBoard, PointSource]:
    """The board as it is stored, and its older points; empty where it has to be made again."""
    rules = fold_rules(connection, key)
    if row is None or row.model != MODEL or row.drift != rules.drift:
        return RatedBoard(rules), PointSource()
    points = StoredPoints(connection, row.id)
    last = points.last()
    return (
        RatedBoard(
            rules,
            row.last_match,
            row.last_exclusion,
            decode_totals(row.totals),
            [] if last is None else [last],
            0 if last is None else last.state.matches,
        ),
        points,
    )


def save_board(
    connection: sa.Connection, key: BoardKey, row: Any | None, board: RatedBoard
) -> None:
    """Put the board in the place of what was stored of it."""
    values = {
        **key.columns,
        "model": MODEL,
        "drift": board.rules.drift,
        "last_match": board.last_match,
        "last_exclusion": board.last_exclusion,
        "matches": board.totals.matches,
        "totals": board.totals.encode(),
    }
    if row is None:
        made = connection.execute(
            sa.insert(RatingBoardRow).values(**values).returning(sa.column("id", sa.Integer))
        )
        id = int(made.scalar_one())
    else:
        id = row.id
        update = sa.update(RatingBoardRow).where(col(RatingBoardRow.id) == id)
        connection.execute(update.values(**values))
    kept = [place for place in point_places(board.state.matches) if place <= board.base]
    for table in (RatingRow, RatingPointRow):
        connection.execute(
            sa.delete(table).where(col(table.board) == id, col(table.matches).not_in(kept))
        )
    new = [point for point in board.points if point.state.matches not in kept]
    if new:
        connection.execute(sa.insert(RatingPointRow), [_point_values(id, each) for each in new])
    ratings = [each for point in new for each in _rating_values(id, point.state)]
    if ratings:
        connection.execute(sa.insert(RatingRow), ratings)


def _point_values(board: int, point: RatingPoint) -> dict[str, Any]:
    state = point.state
    return {
        "board": board,
        "matches": state.matches,
        "match": point.match,
        "tournament": point.tournament,
        "number": point.number,
        "tied": state.tied,
        "pairs": state.pairs,
        "draw_tied": state.draw_tied,
        "draw_pairs": state.draw_pairs,
    }


def _rating_values(board: int, state: FoldState) -> Iterator[dict[str, Any]]:
    for entrant, belief in state.beliefs.items():
        rating = belief.rating
        yield {
            "board": board,
            "matches": state.matches,
            "entrant": entrant,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "games": belief.games,
            "precision": belief.precision,
            "pull": belief.pull,
        }


def drop_boards(connection: sa.Connection) -> None:
    """Forget all stored ratings."""
    for table in (RatingRow, RatingPointRow, RatingBoardRow):
        connection.execute(sa.delete(table))


def differences(
    connection: sa.Connection, key: BoardKey, row: Any, made: RatedBoard
) -> Iterator[str]:
    """Where a stored board is not what was made from the results up to the same match."""
    name = f"ratings of {key}"
    if decode_totals(row.totals) != made.totals or row.matches != made.totals.matches:
        yield f"{name}: the stored sums are not those of the results"
    board = sa.select(RatingRow.__table__).where(  # type: ignore[attr-defined]
        col(RatingRow.board) == row.id
    )
    stored = {
        (each.matches, each.entrant): (each.mu, each.sigma, each.games, each.precision, each.pull)
        for each in connection.execute(board)
    }
    wanted = {
        (each["matches"], each["entrant"]): (
            *(each["mu"], each["sigma"], each["games"]),
            *(each["precision"], each["pull"]),
        )
        for point in made.points
        for each in _rating_values(row.id, point.state)
    }
    for place in sorted({*stored, *wanted}):
        if stored.get(place) != wanted.get(place):
            matches, entrant = place
            yield (
                f"{name}: expected {_shown(wanted.get(place))} for entrant {entrant} after "
                f"{matches} matches, got {_shown(stored.get(place))}"
            )
    points = {tuple(sorted(_point_values(row.id, each).items())) for each in made.points}
    for found in StoredPoints(connection, row.id).all():
        if tuple(sorted(_point_values(row.id, found).items())) not in points:
            after = f"{found.state.matches} matches"
            yield f"{name}: the point after {after} is not that of the results"


def _shown(values: tuple[float, ...] | None) -> str:
    return "no rating" if values is None else f"mu {values[0]!r}, sigma {values[1]!r}"
