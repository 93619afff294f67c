"""Where the results and ratings of a tournament or a league come from."""

from dataclasses import dataclass, field, replace
from typing import Protocol

from arena.league.leaderboard import LeagueResults, ranked, read_league_results
from arena.site.cache import Cache
from leagues.ratings.leaderboard import Leaderboard, LeaderboardFilter, build_leaderboard
from leagues.ratings.result_log import ResultLog
from leagues.ratings.trueskill_fold import Rating
from leagues.records import League
from leagues.storage.derived.boards import BoardKey
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter


@dataclass(frozen=True)
class ContestResults:
    """Matches by game, and which versions follow which."""

    logs: dict[str, ResultLog]
    parents: dict[int, int] = field(default_factory=dict)  # of new versions


class ContestSource(Protocol):
    """Where the results and ratings of a contest come from."""

    @property
    def reader(self) -> StorageReader:
        """Of the database that holds it."""

    def results(self) -> ContestResults:
        """All matches that count."""

    def leaderboard(self, game: str) -> Leaderboard:
        """The leaderboard of all matches of a game, from stored ratings."""

    def leaderboard_of(self, log: ResultLog, players: int) -> Leaderboard:
        """The leaderboard of the matches of so many players."""

    def live_ratings(self) -> dict[int, Rating]:
        """The ratings from match to match, by entrant; a league has them."""


@dataclass(frozen=True)
class TournamentSource:
    """Results of a tournament."""

    reader: StorageReader
    which: MatchFilter
    rated: bool
    entrants: tuple[int, ...]

    def results(self) -> ContestResults:
        return ContestResults(self.reader.results.logs(self.which, not self.rated, self.entrants))

    def leaderboard(self, game: str) -> Leaderboard:
        played = self.reader.results.origins(self.which)
        kinds = {each.variant for each in played if each.rated or not self.rated}
        variants = [each for each in kinds if each.game == game]
        if len(variants) != 1:  # a rating is of one kind of game
            return build_leaderboard(self.results().logs[game])
        key = BoardKey(variants[0], tournament=self.which.tournament, unrated=not self.rated)
        return self.reader.ratings.read(key, self.entrants).leaderboard(game)

    def leaderboard_of(self, log: ResultLog, players: int) -> Leaderboard:
        return build_leaderboard(log, part=LeaderboardFilter(players))

    def live_ratings(self) -> dict[int, Rating]:
        return {}


@dataclass(frozen=True)
class LeagueSource:
    """Results of a league: new versions begin with the rating of the old one."""

    reader: StorageReader
    row: League
    cache: Cache

    @property
    def _league_results(self) -> LeagueResults:
        return self.cache.get_or_create(
            "league results", lambda: read_league_results(self.reader, self.row)
        )

    def results(self) -> ContestResults:
        found = self._league_results
        log = found.log(self.reader)
        return ContestResults({log.game: log}, found.parents)

    def leaderboard(self, game: str) -> Leaderboard:
        return self._ranked(self._league_results.leaderboard())

    def leaderboard_of(self, log: ResultLog, players: int) -> Leaderboard:
        part = LeaderboardFilter(players)
        return self._ranked(build_leaderboard(log, part=part, parents=self._league_results.parents))

    def _ranked(self, made: Leaderboard) -> Leaderboard:
        return replace(made, rows=tuple(ranked(made, self._league_results.entries)))

    def live_ratings(self) -> dict[int, Rating]:
        return self._league_results.stored.ratings()
