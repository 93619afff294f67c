"""The leaderboard of a league: a new version begins with the skill of the one before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.league.planning.agenda import parents_of
from arena.league.rules import LeagueRules, parse_rules
from leagues.ratings.leaderboard import Leaderboard, LeaderboardFilter, Standing, build_leaderboard
from leagues.ratings.result_log import ResultLog, empty_log
from leagues.ratings.trueskill_fold import Rating
from leagues.records import League, Reliability, Submission
from leagues.storage.derived.boards import BoardKey
from leagues.storage.derived.ratings import StoredRatings
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter


@dataclass(frozen=True)
class LeagueLeaderboard:
    """A league's leaderboard, and whose rows those are."""

    rules: LeagueRules
    table: Leaderboard
    entries: dict[int, Submission]  # by entrant
    reliability: dict[int, Reliability]  # likewise
    live: dict[int, Rating]  # the fold with the league's drift, likewise

    def rows(self, everyone: bool = False) -> list[Standing]:
        """Those that play, ranked by skill among themselves; or all that ever did."""
        return ranked(self.table, self.entries, everyone)


@dataclass(frozen=True)
class LeagueResults:
    """Who is in a league, and what its ratings are made of."""

    league: League
    rules: LeagueRules
    entries: dict[int, Submission]  # by entrant
    stored: StoredRatings

    @property
    def parents(self) -> dict[int, int]:
        """Of every new version the one before it."""
        return parents_of(list(self.entries.values()))

    def leaderboard(self) -> Leaderboard:
        """Of all matches of all who ever played."""
        return self.stored.leaderboard(self.rules.settings.game)

    def log(self, reader: StorageReader) -> ResultLog:
        """All matches, read one by one."""
        game = self.rules.settings.game
        seen = [entrant for entrant, entry in self.entries.items() if entry.plays]
        logs = reader.results.logs(MatchFilter(league=self.league.id), roster=seen)
        return logs.get(game) or empty_log(game, seen)


def ranked(
    made: Leaderboard, entries: dict[int, Submission], everyone: bool = False
) -> list[Standing]:
    """The rows of those that play, ranked by skill among themselves; or of all that ever did."""
    kept = [
        row
        for row in made.rows
        if row.entrant in entries and (everyone or entries[row.entrant].plays)
    ]
    kept.sort(key=lambda row: (-row.skill.value, row.entrant))
    among = made.fit.of([row.entrant for row in kept])
    ranks = among.rank_intervals()
    superior = [*among.superior(range(len(kept))), None]
    return [
        replace(
            row,
            rank=at + 1,
            best_rank=ranks[row.entrant][0],
            worst_rank=ranks[row.entrant][1],
            superior=superior[at],
        )
        for at, row in enumerate(kept)
    ]


def read_league_results(reader: StorageReader, league: League) -> LeagueResults:
    """Who is in a league, and its ratings as of now."""
    rules = parse_rules(league.rules, league.name)
    entries = {entry.entrant: entry for entry in reader.leagues.submissions(league.id)}
    seen = [entrant for entrant in entries if entries[entrant].plays]
    played = reader.results.origins(MatchFilter(league=league.id))
    variant = played[0].variant if played else rules.settings.variants[0]
    key = BoardKey(variant, league=league.id)
    return LeagueResults(league, rules, entries, reader.ratings.read(key, seen))


def league_leaderboard(
    reader: StorageReader, league: League, part: LeaderboardFilter | None = None
) -> LeagueLeaderboard:
    """The leaderboard by all results of the league, or by a part of them."""
    results = read_league_results(reader, league)
    if part is None or part == LeaderboardFilter():
        table = results.leaderboard()
    else:
        table = build_leaderboard(results.log(reader), part=part, parents=results.parents)
    return LeagueLeaderboard(
        rules=results.rules,
        table=table,
        entries=results.entries,
        reliability=reader.leagues.reliability(league.id),
        live=results.stored.ratings(),
    )
