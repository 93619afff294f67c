"""The games two entrants shared, and the games one entrant lost worst, out of a log of results."""

from dataclasses import dataclass

import numpy as np

from leagues.ratings.result_log import Bools, Floats, Ints, ResultLog
from leagues.ratings.statistics import Estimate, wilson


@dataclass(frozen=True)
class PairShare:
    """How often one finishes above the other in some of their games."""

    name: str
    games: int
    share: Estimate  # a tie is half of one


@dataclass(frozen=True)
class PairGames:
    """Games of two entrants at one table, a row each; columns of two are the one and the other."""

    match: Ints
    players: Ints
    above: Floats  # 1 where the one finished above the other, a half for a tie
    lead: Ints  # points of the one more than the other

    def __len__(self) -> int:
        return len(self.match)

    def share(self, name: str, rows: Bools) -> PairShare:
        """Of the games marked."""
        games = int(rows.sum())
        mean = float(self.above[rows].mean()) if games else 0.0
        return PairShare(name, games, wilson(mean, games))

    def by_players(self) -> list[PairShare]:
        """For each number of players they met at."""
        return [self.share(str(n), self.players == n) for n in np.unique(self.players).tolist()]

    def clearest(self, most: int) -> list[int]:
        """The matches the one won most clearly over the other."""
        order = np.argsort(-self.lead, kind="stable")
        return [int(self.match[at]) for at in order[:most] if self.above[at] == 1.0]

    def closest(self, most: int) -> list[int]:
        """The matches they ended closest in, the latest first where equal."""
        order = np.lexsort((-self.match, np.abs(self.lead)))
        return [int(self.match[at]) for at in order[:most]]

    def leads(self) -> dict[int, int]:
        """By match, how many points more the one had."""
        return dict(zip(self.match.tolist(), self.lead.tolist(), strict=True))

    def turned(self) -> "PairGames":
        """The same games from the other's side."""
        return PairGames(self.match, self.players, 1.0 - self.above, -self.lead)


def pair_games(log: ResultLog, one: int, other: int) -> PairGames:
    """All games in which both sat at the table, in the order of the log."""
    places = [log.entrants.index(id) for id in (one, other)]
    seats = [np.flatnonzero(log.entrant == place) for place in places]
    one_at, other_at = (np.searchsorted(log.start, at, side="right") - 1 for at in seats)
    shared, first, second = np.intersect1d(
        one_at, other_at, assume_unique=True, return_indices=True
    )
    mine, theirs = seats[0][first], seats[1][second]
    ranks = log.rank[mine].astype(np.int64) - log.rank[theirs]
    return PairGames(
        match=log.match[shared],
        players=log.size[shared],
        above=(1.0 - np.sign(ranks)) / 2.0,
        lead=log.score[mine].astype(np.int64) - log.score[theirs],
    )


def worst_losses(log: ResultLog, entrant: int, most: int) -> list[tuple[int, int]]:
    """Matches in which the entrant ended furthest behind the best, with how many points behind.

    Those its bot failed in are left out: there is nothing to learn of how it played.
    """
    if entrant not in log.entrants or not len(log):
        return []
    best = np.repeat(np.maximum.reduceat(log.score, log.start), log.size)
    own = (log.entrant == log.entrants.index(entrant)) & ~log.faulty
    seats = np.flatnonzero(own)
    behind = best[seats].astype(np.int64) - log.score[seats]
    order = np.argsort(-behind, kind="stable")[:most]
    tables = np.searchsorted(log.start, seats, side="right") - 1
    return [
        (int(log.match[tables[at]]), int(behind[at])) for at in order.tolist() if behind[at] > 0
    ]
