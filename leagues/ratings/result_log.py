"""Results of one game in columns: a million matches in some fifty megabytes, read once."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from leagues.ratings.placed_match import PlacedMatch

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class SeatArrays:
    """All matches of one player count: a row each, a column a seat."""

    players: int
    where: Ints  # place of each match in its log
    seats: Ints  # place of each seat in the log's row of seats
    entrant: Ints  # places in the log's entrants
    wonder: Ints
    score: Ints
    rank: Ints
    faulty: Bools

    def above(self) -> Floats:
        """How many each seat left behind; a tie is half a one."""
        mine = self.rank[:, :, None]
        theirs = self.rank[:, None, :]
        behind: Floats = (mine < theirs).sum(axis=2, dtype=np.float64)
        level: Floats = (mine == theirs).sum(axis=2, dtype=np.float64)
        return behind + (level - 1.0) / 2.0

    def wins(self) -> Floats:
        """One for the winner, shared by those who share the victory."""
        first = self.rank == self.rank.min(axis=1, keepdims=True)
        return np.asarray(first / first.sum(axis=1, keepdims=True), dtype=np.float64)


@dataclass(frozen=True)
class ResultLog:
    """Matches in the order they were scheduled; seats of all of them in one row."""

    game: str  # or the kind of game, by its name
    entrants: tuple[int, ...]  # ascending; seats name them by their place here
    wonders: tuple[str, ...]
    match: Ints
    size: Ints
    start: Ints  # of each match in the row of seats
    entrant: NDArray[np.int32]
    wonder: NDArray[np.int16]
    score: NDArray[np.int32]
    rank: NDArray[np.int8]
    faulty: Bools
    unrated: int = 0  # matches in which an entrant met itself

    def __len__(self) -> int:
        return len(self.match)

    def counts(self) -> list[int]:
        """The player counts that occur."""
        return [int(size) for size in np.unique(self.size)]

    def tables(self, players: int) -> SeatArrays:
        return self._tables(players, np.flatnonzero(self.size == players))

    def each_tables(self, most: int = 100_000) -> Iterator[SeatArrays]:
        """The matches of every count, at most so many at a time."""
        for players in self.counts():
            where = np.flatnonzero(self.size == players)
            for first in range(0, len(where), most):
                yield self._tables(players, where[first : first + most])

    def _tables(self, players: int, where: Ints) -> SeatArrays:
        seats = self.start[where][:, None] + np.arange(players)
        return SeatArrays(
            players=players,
            where=where,
            seats=seats,
            entrant=self.entrant[seats].astype(np.int64),
            wonder=self.wonder[seats].astype(np.int64),
            score=self.score[seats].astype(np.int64),
            rank=self.rank[seats].astype(np.int64),
            faulty=self.faulty[seats],
        )

    def only(self, kept: Bools) -> "ResultLog":
        """The matches marked, in the same order, with the same entrants."""
        size = self.size[kept]
        seats = np.repeat(kept, self.size)
        return replace(
            self,
            match=self.match[kept],
            size=size,
            start=np.cumsum(size) - size,
            entrant=self.entrant[seats],
            wonder=self.wonder[seats],
            score=self.score[seats],
            rank=self.rank[seats],
            faulty=self.faulty[seats],
        )

    def first(self, matches: int) -> "ResultLog":
        """The log as it was after so many matches."""
        return self.only(np.arange(len(self)) < matches)

    def where(self, seats: Bools) -> Bools:
        """The matches with a marked seat."""
        found = np.zeros(len(self), dtype=np.bool_)
        found[np.repeat(np.arange(len(self)), self.size)[seats]] = True
        return found

    def games(self) -> Ints:
        """Matches of every entrant."""
        return np.bincount(self.entrant, minlength=len(self.entrants)).astype(np.int64)


class _LogDraft:
    """The columns of one game while they grow."""

    def __init__(self) -> None:
        self.match = array("q")
        self.size = array("q")
        self.entrant = array("q")
        self.wonder = array("h")
        self.score = array("i")
        self.rank = array("b")
        self.faulty = array("b")
        self.wonders: dict[str, int] = {}
        self.unrated = 0

    def add(self, placing: PlacedMatch) -> None:
        entrants = placing.entrants
        if len(set(entrants)) < len(entrants):
            self.unrated += 1  # it would be rated against its own rating
            return
        wonders = self.wonders
        self.match.append(placing.match)
        self.size.append(len(entrants))
        self.entrant.extend(entrants)
        self.wonder.extend([wonders.setdefault(name, len(wonders)) for name in placing.wonders])
        self.score.extend(placing.scores)
        self.rank.extend(placing.ranks)
        self.faulty.extend(placing.faulty)

    def log(self, game: str, roster: Iterable[int]) -> ResultLog:
        seated = np.array(self.entrant, dtype=np.int64)
        entrants = np.union1d(seated, np.array(sorted(roster), dtype=np.int64))
        names = sorted(self.wonders)
        by_name = np.zeros(len(names), dtype=np.int16)
        for place, name in enumerate(names):
            by_name[self.wonders[name]] = place
        size = np.array(self.size, dtype=np.int64)
        return ResultLog(
            game=game,
            entrants=tuple(int(entrant) for entrant in entrants),
            wonders=tuple(names),
            match=np.array(self.match, dtype=np.int64),
            size=size,
            start=np.cumsum(size) - size,
            entrant=np.searchsorted(entrants, seated).astype(np.int32),
            wonder=by_name[np.array(self.wonder, dtype=np.int16)],
            score=np.array(self.score, dtype=np.int32),
            rank=np.array(self.rank, dtype=np.int8),
            faulty=np.array(self.faulty, dtype=np.bool_),
            unrated=self.unrated,
        )


def logs_by_game(
    placings: Iterable[PlacedMatch], roster: Iterable[int] = ()
) -> dict[str, ResultLog]:
    """A log for every game, by its name; the roster is listed even where it has not played."""
    drafts: dict[str, _LogDraft] = {}
    for placing in placings:
        draft = drafts.get(placing.game)
        if draft is None:
            draft = drafts[placing.game] = _LogDraft()
        draft.add(placing)
    roster = tuple(roster)
    return {game: drafts[game].log(game, roster) for game in sorted(drafts)}


def empty_log(game: str, roster: Iterable[int] = ()) -> ResultLog:
    """A game of which nothing has been played."""
    return _LogDraft().log(game, roster)
