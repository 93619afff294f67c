"""Results as ratings read them: a log for every game."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlmodel import col

from leagues.ratings.result_log import ResultLog
from leagues.storage.columns import Columns, numbered, read_seats
from leagues.storage.database import Database
from leagues.storage.match_filter import MatchFilter, conditions, excluded_matches
from leagues.storage.models.results import MatchRow


def read_logs(
    database: Database, which: MatchFilter, unrated: bool, roster: Iterable[int]
) -> dict[str, ResultLog]:
    """A log for every game, by its name; matches are in schedule order."""
    names = ("id", "game", "tournament", "number")
    columns: list[Any] = [col(getattr(MatchRow, name)) for name in names]
    query = sa.select(*columns).where(*conditions(which))
    if not unrated:
        query = query.where(col(MatchRow.rated))
    with database.reading() as connection:
        matches = Columns(connection, query)
        ids = matches.numbers("id")
        kept = ~np.isin(ids, list(excluded_matches(connection)))
        seats = read_seats(connection, np.sort(ids[kept]))
    order = np.lexsort((matches.numbers("number"), matches.numbers("tournament")))
    order = order[kept[order]]
    game, games = numbered(matches.texts("game"))
    roster = tuple(roster)
    return {
        games[place]: seats.log(games[place], ids[order[game[order] == place]], roster)
        for place in np.unique(game[order])
    }
