"""All results of a game in sums of whole numbers: equal to the last digit in any order.

Matches can be added and taken away again, so the sums can be stored and kept up to date. The skills
of a leaderboard, and all its counts, are made of them.
"""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from leagues.errors import StorageError
from leagues.ratings.result_log import Ints, ResultLog, SeatArrays
from leagues.ratings.statistics import GameTally, Sums
from leagues.ratings.thurstone import PairCounts
from leagues.ratings.trueskill_fold import draw_of, tied_pairs

SHARE: Final = 420  # a win is a whole number of these parts, shared by up to seven
FIGURES: Final = (
    *("games", "wins", "wins_squared", "above", "above_squared"),
    *("score", "score_squared", "faults"),
)


@dataclass
class CountTotals:
    """Sums of the matches of one number of players; rows and columns are entrants."""

    above: Ints  # half meetings in which the row finished above the column: 2, or 1 for a tie
    figures: Ints  # a row for each of FIGURES, a column an entrant


class Totals:
    """What all matches of a log add up to, by number of players."""

    def __init__(self, entrants: Iterable[int] = ()) -> None:
        self.entrants = tuple(sorted(entrants))
        self.by_players: dict[int, CountTotals] = {}
        self.matches = 0
        self.self_meetings = 0  # matches in which an entrant met itself, which are not rated
        self.tied = 0  # pairs of seats
        self.pairs = 0

    @property
    def draw(self) -> float:
        """How often two seats of a match tie."""
        return draw_of(self.tied, self.pairs)

    def counts(self) -> list[int]:
        """The numbers of players that occur."""
        found = self.by_players.items()
        return sorted(players for players, totals in found if totals.figures[0].any())

    def add(self, log: ResultLog, times: int = 1) -> None:
        """Count the matches of a log; with -1, take them away."""
        self.include(log.entrants)
        tied, pairs = tied_pairs(log)
        self.matches += times * len(log)
        self.self_meetings += times * log.unrated
        self.tied += times * int(tied.sum())
        self.pairs += times * int(pairs.sum())
        places = np.searchsorted(np.array(self.entrants, dtype=np.int64), log.entrants)
        for tables in log.each_tables():
            totals = self._of(tables.players)
            entrant = places[tables.entrant].astype(np.int64)
            totals.above += times * _count_above(tables, entrant, len(self.entrants))
            totals.figures += times * _count_figures(tables, entrant, len(self.entrants))

    def include(self, entrants: Iterable[int]) -> None:
        """List these entrants too, who need not have played."""
        everyone = tuple(sorted({*self.entrants, *entrants}))
        if everyone == self.entrants:
            return
        size = len(everyone)
        places = np.searchsorted(np.array(everyone, dtype=np.int64), self.entrants).astype(np.int64)
        for totals in self.by_players.values():
            above = np.zeros((size, size), dtype=np.int64)
            above[np.ix_(places, places)] = totals.above
            figures = np.zeros((len(FIGURES), size), dtype=np.int64)
            figures[:, places] = totals.figures
            totals.above, totals.figures = above, figures
        self.entrants = everyone

    def _of(self, players: int) -> CountTotals:
        if players not in self.by_players:
            size = len(self.entrants)
            self.by_players[players] = CountTotals(
                np.zeros((size, size), dtype=np.int64),
                np.zeros((len(FIGURES), size), dtype=np.int64),
            )
        return self.by_players[players]

    def pair_counts(self) -> PairCounts:
        """Who finished above whom, by number of players."""
        found = PairCounts(self.entrants)
        for players in self.counts():
            found.above[players] = self.by_players[players].above / 2.0
        return found

    def tally(self) -> GameTally:
        """Wins, ranks, scores and faults of every entrant."""
        sums = {name: np.zeros((3, len(self.entrants))) for name in GameTally.__dataclass_fields__}
        for players in self.counts():
            figures = self.by_players[players].figures.astype(np.float64)
            rows = dict(zip(FIGURES, figures, strict=True))
            games, above = rows["games"], rows["above"] / 2.0
            above_squared = rows["above_squared"] / 4.0
            others = max(players - 1, 1)
            wins, wins_squared = rows["wins"] / SHARE, rows["wins_squared"] / SHARE**2
            for name, total, squares in (
                ("wins", wins, wins_squared),
                ("fair", games / players, games / players**2),
                ("lift", wins * players, wins_squared * players**2),
                (
                    "rank",
                    players * games - above,
                    players**2 * games - 2 * players * above + above_squared,
                ),
                ("points", above / others, above_squared / others**2),
                ("score", rows["score"], rows["score_squared"]),
                ("faults", rows["faults"], rows["faults"]),
            ):
                sums[name] += np.stack([games, total, squares])
        return GameTally(**{name: Sums(*found) for name, found in sums.items()})

    def prune(self) -> None:
        """Forget who has no match left, and numbers of players that nobody plays."""
        self.by_players = {players: self.by_players[players] for players in self.counts()}
        games = np.zeros(len(self.entrants), dtype=np.int64)
        for totals in self.by_players.values():
            games += totals.figures[0]
        kept = np.flatnonzero(games)
        for totals in self.by_players.values():
            totals.above = totals.above[np.ix_(kept, kept)]
            totals.figures = totals.figures[:, kept]
        self.entrants = tuple(self.entrants[place] for place in kept.tolist())

    def encode(self) -> bytes:
        """The sums in a row of bytes."""
        header = json.dumps(
            {
                "entrants": self.entrants,
                "players": sorted(self.by_players),
                "counts": [self.matches, self.self_meetings, self.tied, self.pairs],
            }
        )
        arrays = [
            array.astype("<i8").tobytes()
            for _, totals in sorted(self.by_players.items())
            for array in (totals.above, totals.figures)
        ]
        return zlib.compress(b"\n".join([header.encode(), b"".join(arrays)]), 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self.encode() == other.encode()

    __hash__ = None  # type: ignore[assignment]


def decode_totals(content: bytes) -> Totals:
    """What `encode` wrote; StorageError for anything else."""
    try:
        header, _, body = zlib.decompress(content).partition(b"\n")
        facts = json.loads(header)
        totals = Totals(facts["entrants"])
        totals.matches, totals.self_meetings, totals.tied, totals.pairs = facts["counts"]
        size = len(totals.entrants)
        numbers = np.frombuffer(body, dtype="<i8").astype(np.int64)
        parts = numbers.reshape(len(facts["players"]), (size + len(FIGURES)) * size)
        for players, part in zip(facts["players"], parts, strict=True):
            totals.by_players[players] = CountTotals(
                part[: size * size].reshape(size, size).copy(),
                part[size * size :].reshape(len(FIGURES), size).copy(),
            )
    except (zlib.error, ValueError, KeyError, TypeError) as problem:
        raise StorageError(f"expected the sums of stored ratings, got: {problem}") from None
    return totals


def count_totals(log: ResultLog) -> Totals:
    """The sums of a log."""
    totals = Totals(log.entrants)
    totals.add(log)
    return totals


def _count_above(tables: SeatArrays, entrant: Ints, size: int) -> Ints:
    above = np.zeros(size * size, dtype=np.int64)
    for seat, other in permutations(range(tables.players), 2):
        lead = np.sign(tables.rank[:, other] - tables.rank[:, seat])
        pair = entrant[:, seat] * size + entrant[:, other]
        # Sums of small whole numbers are exact in floating point.
        above += np.bincount(pair, 1 + lead, size * size).astype(np.int64)
    return above.reshape(size, size)


def _count_figures(tables: SeatArrays, entrant: Ints, size: int) -> Ints:
    ahead = np.sign(tables.rank[:, None, :] - tables.rank[:, :, None])
    above = (1 + ahead).sum(axis=2) - 1  # twice those left behind; not itself
    first = tables.rank == tables.rank.min(axis=1, keepdims=True)
    wins = first * (SHARE // first.sum(axis=1, keepdims=True))
    values = (
        np.ones_like(above),
        wins,
        wins * wins,
        above,
        above * above,
        tables.score,
        tables.score * tables.score,
        tables.faulty.astype(np.int64),
    )
    found = np.zeros((len(FIGURES), size), dtype=np.int64)
    for row, value in zip(found, values, strict=True):
        np.add.at(row, entrant.ravel(), value.ravel())
    return found
