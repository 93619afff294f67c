"""Results of one game in columns: a million matches in some fifty megabytes, read once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

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
        found: list[int] = np.flatnonzero(np.bincount(self.size)).tolist()
        return found

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

    def placings(self) -> Iterator[PlacedMatch]:
        """The matches one by one, for those who compare them."""
        wonders = [self.wonders[place] for place in self.wonder.tolist()]
        entrants = [self.entrants[place] for place in self.entrant.tolist()]
        scores, ranks, faulty = self.score.tolist(), self.rank.tolist(), self.faulty.tolist()
        rows = zip(self.match.tolist(), self.start.tolist(), self.size.tolist(), strict=True)
        for match, start, size in rows:
            seats = slice(start, start + size)
            yield PlacedMatch(
                match,
                self.game,
                tuple(entrants[seats]),
                tuple(wonders[seats]),
                tuple(scores[seats]),
                tuple(ranks[seats]),
                tuple(faulty[seats]),
            )

    def games(self) -> Ints:
        """Matches of every entrant."""
        return np.bincount(self.entrant, minlength=len(self.entrants)).astype(np.int64)

    def last_matches(self) -> dict[int, int]:
        """The match of every entrant that was stored last; entrants without one are left out."""
        last = np.zeros(len(self.entrants), dtype=np.int64)
        np.maximum.at(last, self.entrant, np.repeat(self.match, self.size))
        found = zip(self.entrants, last.tolist(), strict=True)
        return {entrant: match for entrant, match in found if match}


@dataclass(frozen=True)
class SeatRows:
    """Seats as they are stored, one after the other: by match, and in a match by seat."""

    match: Ints
    entrant: Ints
    wonder: NDArray[np.int16]  # places in the wonders
    wonders: tuple[str, ...]  # sorted
    score: NDArray[np.int32]
    rank: NDArray[np.int8]
    faulty: Bools

    def log(self, game: str, matches: Ints, roster: Iterable[int] = ()) -> ResultLog:
        """The log of these matches in this order; the roster is listed even if it did not play."""
        start = np.searchsorted(self.match, matches)
        size = np.searchsorted(self.match, matches, side="right") - start
        known = (size > 0) & ~self._self_meetings(start, size)
        unrated = np.count_nonzero(size) - np.count_nonzero(known)
        match, start, size = matches[known], start[known], size[known]
        first = np.cumsum(size) - size
        seats = np.arange(size.sum()) + np.repeat(start - first, size)
        entrant, wonder = self.entrant[seats], self.wonder[seats]
        entrants = np.union1d(entrant, np.array(sorted(roster), dtype=np.int64))
        played = np.unique(wonder)
        return ResultLog(
            game=game,
            entrants=tuple(entrants.tolist()),
            wonders=tuple(self.wonders[place] for place in played),
            match=match,
            size=size,
            start=first,
            entrant=np.searchsorted(entrants, entrant).astype(np.int32),
            wonder=np.searchsorted(played, wonder).astype(np.int16),
            score=self.score[seats],
            rank=self.rank[seats],
            faulty=self.faulty[seats],
            unrated=int(unrated),
        )

    def _self_meetings(self, start: Ints, size: Ints) -> Bools:
        """The matches in which an entrant met itself: it would be rated against its own rating."""
        found = np.zeros(len(size), dtype=np.bool_)
        for players in np.unique(size[size > 0]):
            where = np.flatnonzero(size == players)
            table = np.sort(self.entrant[start[where][:, None] + np.arange(players)], axis=1)
            found[where] = (table[:, 1:] == table[:, :-1]).any(axis=1)
        return found


NO_SEATS: Final = SeatRows(
    match=np.zeros(0, dtype=np.int64),
    entrant=np.zeros(0, dtype=np.int64),
    wonder=np.zeros(0, dtype=np.int16),
    wonders=(),
    score=np.zeros(0, dtype=np.int32),
    rank=np.zeros(0, dtype=np.int8),
    faulty=np.zeros(0, dtype=np.bool_),
)


def drawn_log(
    game: str,
    sizes: Sequence[int],
    entrants: Sequence[int],
    ranks: Sequence[int],
    roster: Iterable[int] = (),
) -> ResultLog:
    """Matches of which only the ranks are known, such as simulated ones, seat after seat."""
    matches = np.arange(len(sizes), dtype=np.int64)
    rows = SeatRows(
        match=np.repeat(matches, sizes),
        entrant=np.array(entrants, dtype=np.int64),
        wonder=np.zeros(len(ranks), dtype=np.int16),
        wonders=("",),
        score=np.zeros(len(ranks), dtype=np.int32),
        rank=np.array(ranks, dtype=np.int8),
        faulty=np.zeros(len(ranks), dtype=np.bool_),
    )
    return rows.log(game, matches, roster)


def empty_log(game: str, roster: Iterable[int] = ()) -> ResultLog:
    """A game of which nothing has been played."""
    return ResultLog(
        game=game,
        entrants=tuple(sorted(set(roster))),
        wonders=(),
        match=NO_SEATS.match,
        size=np.zeros(0, dtype=np.int64),
        start=np.zeros(0, dtype=np.int64),
        entrant=np.zeros(0, dtype=np.int32),
        wonder=NO_SEATS.wonder,
        score=NO_SEATS.score,
        rank=NO_SEATS.rank,
        faulty=NO_SEATS.faulty,
        unrated=0,
    )
