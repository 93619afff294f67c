"""Logs made of results match by match: plain and slow, to hold reading by columns against."""

from array import array
from collections.abc import Iterable, Mapping

import numpy as np

from leagues.ratings.leaderboard import Leaderboard, LeaderboardFilter, build_leaderboard
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.result_log import ResultLog
from leagues.ratings.trueskill_fold import Rating


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


def build_leaderboards(
    placings: Iterable[PlacedMatch],
    roster: Iterable[int] = (),
    priors: Mapping[int, Rating] | None = None,
    part: LeaderboardFilter | None = None,
) -> dict[str, Leaderboard]:
    """The leaderboard of every game in the results; games are never mixed."""
    logs = logs_by_game(placings, roster)
    return {game: build_leaderboard(log, priors, part) for game, log in logs.items()}
