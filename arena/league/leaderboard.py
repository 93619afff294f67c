"""The leaderboard of a league: a new version begins with the skill of the one before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.league.planning.agenda import parents_of
from arena.league.rules import LeagueRules, parse_rules
from leagues.ratings.leaderboard import Leaderboard, LeaderboardFilter, Standing, build_leaderboard
from leagues.ratings.priors import version_priors
from leagues.ratings.result_log import ResultLog, empty_log
from leagues.ratings.seasons import rate_seasons
from leagues.ratings.trueskill_fold import Rating
from leagues.records import League, Reliability, StageKind, Submission
from leagues.storage.handle import StorageReader
from leagues.storage.queries import MatchFilter


@dataclass(frozen=True)
class LeagueLeaderboard:
    """A league's leaderboard, and whose rows those are."""

    rules: LeagueRules
    table: Leaderboard
    entries: dict[int, Submission]  # by entrant
    reliability: dict[int, Reliability]  # likewise
    live: dict[int, Rating]  # the fold with the league's drift, likewise
    log: ResultLog
    priors: dict[int, Rating]

    def rows(self, everyone: bool = False) -> list[Standing]:
        """Those that play, ranked by skill among themselves; or all that ever did."""
        return ranked(self.table, self.entries, everyone)


@dataclass(frozen=True)
class LeagueResults:
    """What the leaderboards of a league are made of."""

    rules: LeagueRules
    entries: dict[int, Submission]  # by entrant
    log: ResultLog
    priors: dict[int, Rating]


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
    superior = among.superior()
    return [
        replace(
            row,
            rank=at + 1,
            best_rank=ranks[row.entrant][0],
            worst_rank=ranks[row.entrant][1],
            superior=float(superior[at, at + 1]) if at + 1 < len(kept) else None,
        )
        for at, row in enumerate(kept)
    ]


def read_league_results(reader: StorageReader, league: League) -> LeagueResults:
    """Who is in a league, and all its results."""
    rules = parse_rules(league.rules, league.name)
    game = rules.settings.game
    entries = {entry.entrant: entry for entry in reader.leagues.submissions(league.id)}
    seen = [entrant for entrant in entries if entries[entrant].plays]
    log = reader.results.logs(MatchFilter(league=league.id), roster=seen).get(game)
    log = log or empty_log(game, seen)
    return LeagueResults(
        rules, entries, log, version_priors(log, parents_of(list(entries.values())))
    )


def live_ratings(
    reader: StorageReader, league: League, results: LeagueResults
) -> dict[int, Rating]:
    """TrueSkill ratings updated match by match, with the league's drift, by entrant."""
    starts = season_starts(reader, league, results.log)
    return rate_seasons(results.log, starts, results.rules.drift, results.priors)


def league_leaderboard(
    reader: StorageReader, league: League, part: LeaderboardFilter | None = None
) -> LeagueLeaderboard:
    """The leaderboard by all results of the league, or by a part of them."""
    results = read_league_results(reader, league)
    return LeagueLeaderboard(
        rules=results.rules,
        table=build_leaderboard(results.log, results.priors, part),
        entries=results.entries,
        reliability=reader.leagues.reliability(league.id),
        live=live_ratings(reader, league, results),
        log=results.log,
        priors=results.priors,
    )


def season_starts(reader: StorageReader, league: League, log: ResultLog) -> list[int]:
    """Places in the log where a stage of all against all begins: there bots may have changed."""
    begins = [
        tournament.id
        for stage, tournament in reader.stages.of_league(league.id)
        if stage.kind == StageKind.BALANCED
    ]
    of = reader.stages.tournaments_of(league.id)
    starts: list[int] = []
    seen: set[int] = set()
    for at, match in enumerate(log.match.tolist()):
        tournament = of[match]
        if tournament in begins and tournament not in seen:
            seen.add(tournament)
            starts.append(at)
    return starts
