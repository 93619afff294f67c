"""Leaderboards of a database: which results are meant, the tables, and what stands below them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from arena.reports.lookup import (
    describe_sandboxes,
)
from arena.reports.output import OutputFormat
from arena.reports.ranked_results import (
    NONE_COUNTS,
    Query,
    RankedResults,
    check_entrants,
    gather,
    outline,
)
from arena.reports.table import Column, Report, write_all
from arena.reports.wording import (
    db_option,
    format_count,
    join_words,
    uncontained_line,
)
from engine.errors import ArenaError
from leagues.ratings.leaderboard import (
    PROVISIONAL,
    Leaderboard,
    LeaderboardFilter,
    Standing,
    build_leaderboard,
)
from leagues.ratings.result_log import ResultLog
from leagues.ratings.statistics import Estimate
from leagues.records import Origin
from leagues.storage.derived.boards import BoardKey
from leagues.storage.handle import StorageReader, read_storage

SIDES: Final = ("players", "wonder", "seat")
FAR: Final = 0.5  # deviations between the fold and the fit from which it is a disagreement
NAMED: Final = 5  # tournaments in a caption

KIND: Final = (
    Column("game", "game", shown=False),
    Column("edition", "edition", shown=False),
    Column("expansions", "expansions", shown=False),
    Column("expert", "expert", shown=False),
)
# The same heads wherever bots are ranked.
RANK_COLUMNS: Final = (
    Column("rank", "#"),
    Column("rank_range", "rank range", data=False),
    Column("rank_low", "best rank", shown=False),
    Column("rank_high", "worst rank", shown=False),
)
SKILL_COLUMNS: Final = (
    Column("skill", "skill", ".1f"),
    Column("reach", "±", ".1f", data=False),
    Column("skill_low", "skill low", ".1f", shown=False),
    Column("skill_high", "skill high", ".1f", shown=False),
    Column("rating", "rating", ".1f"),
    Column("mu", "mu", ".1f", shown=False),
    Column("sigma", "sigma", ".2f", shown=False),
    Column("superior", "P(> next)", ".1%", spare=2),
)
COLUMNS: Final = (
    *KIND,
    Column("players", "players", shown=False),
    Column("wonder", "wonder", shown=False),
    Column("seat", "seat", shown=False),
    Column("opponent", "opponent", shown=False),
    *RANK_COLUMNS,
    Column("bot", "bot"),
    Column("version", "version", shown=False),
    Column("digest", "digest", shown=False),
    *SKILL_COLUMNS,
    Column("mark", "", data=False),
    Column("level", "level", shown=False),
    Column("provisional", "provisional", shown=False),
    Column("games", "games", ","),
    Column("win_share", "wins", ".1%"),
    Column("win_low", "wins low", ".1%", shown=False),
    Column("win_high", "wins high", ".1%", shown=False),
    Column("fair_share", "fair", ".1%", shown=False),
    Column("mean_rank", "mean rank", ".2f", spare=4),
    Column("mean_rank_low", "mean rank low", ".2f", shown=False),
    Column("mean_rank_high", "mean rank high", ".2f", shown=False),
    Column("rank_points", "points", ".3f", shown=False),
    Column("mean_score", "score", ".1f", spare=5),
    Column("mean_score_low", "score low", ".1f", shown=False),
    Column("mean_score_high", "score high", ".1f", shown=False),
    Column("faults", "faults", ",", spare=1),
    Column("fault_share", "fault share", ".1%", shown=False),
)


def boards(reader: StorageReader, query: Query) -> list[Report]:
    """The leaderboards a query asks for: one a kind of game, or one a slice of it."""
    if query.by is not None and query.by not in SIDES:
        raise ArenaError(f"expected tables by {', '.join(SIDES)}, got {query.by}")
    if query.is_whole:
        return _whole_boards(reader, query)
    results = gather(reader, query)
    opponent = results.entrant(query.opponent) if query.opponent else None
    part = LeaderboardFilter(query.players, opponent, query.wonder, query.seat)
    found = []
    for log in results.logs.values():
        if part.wonder in (None, *log.wonders) and part.opponent in (None, *log.entrants):
            for each in _slices(log, part, query.by):
                made = build_leaderboard(log, part=each)
                if any(row.games for row in made.rows):
                    found.append(_board(results, made, each))
    if not found:
        raise ArenaError(_missing(results, part))
    return found


def _whole_boards(reader: StorageReader, query: Query) -> list[Report]:
    """The leaderboards of all matches, from stored ratings."""
    results = outline(reader, query)
    found = {}
    for name, variant in results.variants.items():
        key = BoardKey(
            variant, results.which.tournament, results.which.league, results.query.unrated
        )
        stored = reader.ratings.read(key, results.roster)
        if stored.totals.matches:
            found[name] = stored.leaderboard(name)
    if not found:
        raise ArenaError(NONE_COUNTS)
    check_entrants(results, {row.entrant for made in found.values() for row in made.rows})
    counted = {name: (made.matches, made.unrated) for name, made in found.items()}
    results = replace(results, counted=counted)
    return [_board(results, made, LeaderboardFilter()) for made in found.values()]


def show_boards(query: Query, format: OutputFormat, explain: bool) -> None:
    """Print the leaderboards a query asks for."""
    with read_storage(query.db) as reader:
        write_all(boards(reader, query), format, explain)


def _slices(log: ResultLog, part: LeaderboardFilter, by: str | None) -> list[LeaderboardFilter]:
    if by == "players":
        return [replace(part, players=count) for count in log.counts()]
    if by == "wonder":
        return [replace(part, wonder=wonder) for wonder in log.wonders]
    if by == "seat":
        seats = range(max(log.counts(), default=0)) if part.players is None else range(part.players)
        return [replace(part, seat=seat) for seat in seats]
    return [part]


def _missing(results: RankedResults, part: LeaderboardFilter) -> str:
    if part.wonder is not None:
        known = sorted({wonder for log in results.logs.values() for wonder in log.wonders})
        return f"expected a wonder out of {', '.join(known)}, got {part.wonder}"
    if part.seat is not None:
        most = max(count for log in results.logs.values() for count in log.counts())
        return f"expected a seat from 0 to {most - 1}, got {part.seat}, which nobody had"
    return f"expected matches that agree with all that is asked, got none: {part}"


def _board(results: RankedResults, made: Leaderboard, part: LeaderboardFilter) -> Report:
    title = [f"leaderboard of {made.game}"]
    title += [format_count(part.players, "player")] if part.players is not None else []
    title += [f"with {part.wonder}"] if part.wonder is not None else []
    title += [f"seat {part.seat}"] if part.seat is not None else []
    title += [f"against {results.names[part.opponent]}"] if part.opponent is not None else []
    rows = [_row(results, made, part, standing) for standing in made.rows]
    details = [*_legend(made)]
    lines = [_signs(made), *_borrowed(part)]
    words = agreement(results.names, made)
    (lines if is_far(made) else details).append(words)
    counts = sorted({each.players for each in _origins(results, made)})
    if part.players is None and len(counts) > 1:
        details.append(f"{join_words(counts)} players together; --by players tells them apart")
    lines.append(summary(results, made))
    details += origin_lines(results, made, "show")
    return Report(", ".join(title), COLUMNS, rows, lines, details)


def _row(
    results: RankedResults, made: Leaderboard, part: LeaderboardFilter, standing: Standing
) -> dict[str, Any]:
    entrant = results.entrants[standing.entrant]
    marks = ("=" if standing.level else "") + ("?" if standing.provisional else "")
    return {
        **results.kind(made),
        "players": part.players,
        "wonder": part.wonder,
        "seat": part.seat,
        "opponent": None if part.opponent is None else results.names[part.opponent],
        "rank": standing.rank,
        "rank_range": f"{standing.best_rank}-{standing.worst_rank}",
        "rank_low": standing.best_rank,
        "rank_high": standing.worst_rank,
        "bot": results.names[standing.entrant],
        "version": entrant.version or None,
        "digest": entrant.digest,
        **estimate("skill", standing.skill),
        "reach": (standing.skill.high - standing.skill.low) / 2,
        "rating": standing.shown,
        "mu": standing.mu,
        "sigma": standing.sigma,
        "superior": standing.superior,
        "mark": marks,
        "level": standing.level,
        "provisional": standing.provisional,
        "games": standing.games,
        **estimate("win", standing.win_share, "win_share"),
        "fair_share": standing.fair_share,
        **estimate("mean_rank", standing.mean_rank),
        "rank_points": standing.rank_points and standing.rank_points.value,
        **estimate("mean_score", standing.mean_score),
        "faults": standing.faults,
        "fault_share": standing.fault_share,
    }


def estimate(name: str, found: Estimate | None, main: str = "") -> dict[str, float | None]:
    """An estimate as values for a row."""
    keys = (main or name, f"{name}_low", f"{name}_high")
    values = (None,) * 3 if found is None else (found.value, found.low, found.high)
    return dict(zip(keys, values, strict=True))


def _signs(made: Leaderboard) -> str:
    """What orders the table, and its signs as far as they occur, in a line."""
    signs = ["sorted by skill; ± is a 95 % confidence interval"]
    if any(row.level for row in made.rows):
        signs.append("= no significant difference from the next")
    if any(row.provisional for row in made.rows):
        signs.append("? provisional")
    return "; ".join(signs)


def _borrowed(part: LeaderboardFilter) -> list[str]:
    """What a slice takes from results that are not in it."""
    if part.wonder is not None or part.seat is not None:
        return ["skills start from those of all matches; games, wins and scores are of the slice"]
    if part.players not in (None, 2):
        return ["skills start from those at other numbers of players (but two)"]
    return []


def _legend(made: Leaderboard) -> list[str]:
    """What the columns and signs mean."""
    lines = [
        "skill: a fit of all matches at once (Thurstone's model); ± is a 95 % confidence interval",
        "rating: TrueSkill, updated match by match; mu - 3 sigma, a cautious estimate",
        "rank range: a 90 % confidence interval of the rank by skill",
        "P(> next): the probability that its skill is above that of the next bot",
    ]
    if any(row.level for row in made.rows):
        lines.append("= P(> next) is below 95 %: no significant difference from the next bot")
    if any(row.provisional for row in made.rows):
        lines.append(f"? provisional: sigma is above {PROVISIONAL:.2f}, the rating will still move")
    return lines


def is_far(made: Leaderboard) -> bool:
    """Whether rating and skill of a bot disagree."""
    found = made.disagreement
    return found.entrant is not None and round(found.deviations, 2) > FAR


def agreement(names: Mapping[int, str], made: Leaderboard) -> str:
    """In words, how far ratings match by match are from all matches taken at once."""
    found = made.disagreement
    if found.entrant is None:
        return "no ratings to compare"
    apart = round(found.deviations, 2)  # as it is shown, so that the verdict can be seen
    who = names[found.entrant]
    order = "in another order" if found.reordered else "in the same order"
    if apart > FAR:
        return (
            f"note: TrueSkill and the fit of all matches differ on {who} by {apart:.1f} sigma; "
            f"they put the bots {order}"
        )
    if found.reordered:
        return (
            "TrueSkill and the fit of all matches put bots that are close in another order "
            f"(largest gap {apart:.1f} sigma, {who})"
        )
    return f"TrueSkill and the fit of all matches agree (largest gap {apart:.1f} sigma, {who})"


def _origins(results: RankedResults, made: Leaderboard | ResultLog) -> list[Origin]:
    """What was played where, of the results of one table."""
    players = results.query.players
    return [
        each
        for each in results.origins
        if str(each.variant) == made.game and players in (None, each.players)
    ]


def summary(results: RankedResults, made: Leaderboard | ResultLog) -> str:
    """How many matches there are, how bots were contained, and which do not count."""
    origins = _origins(results, made)
    matches = made.matches if isinstance(made, Leaderboard) else len(made)
    parts = [", ".join([format_count(matches, "match"), *_left_out(results, made)])]
    parts.append(f"sandbox: {describe_sandboxes(origins)}")
    loose = sum(each.matches for each in origins if not each.rated)
    if loose and any(results.tournaments[each.tournament].is_series for each in origins):
        parts.insert(0, "NOT RATED: games of play, compare and tune never are")
    elif loose:
        parts.insert(
            0,
            f"NOT RATED: {format_count(loose, 'match')}, as nothing contained the bots",
        )
    if line := uncontained_line([each for each in origins if each.rated]):
        parts.insert(0, line)
    return "; ".join(parts)


def origin_lines(
    results: RankedResults, made: Leaderboard | ResultLog, verb: str, *words: str
) -> list[str]:
    """Tournaments with their seeds and designs, and the commands that played and printed them."""
    lines = []
    ids = sorted({each.tournament for each in _origins(results, made)})
    for id in ids[-NAMED:]:
        stages = {each.stage for each in _origins(results, made) if each.tournament == id}
        row = results.tournaments[id]
        lines.append(f"tournament {row.name}: seed {row.seed}, {join_words(sorted(stages))} design")
    if len(ids) > NAMED:
        lines.append(f"and {format_count(len(ids) - NAMED, 'tournament')} before")
    if len(ids) == 1:
        command = results.tournaments[ids[0]].command
        again = "" if "--db" in command else db_option(results.query.db)
        lines.append(f"played by: {command}{again}")
    return [*lines, f"this table: {results.query.command(verb, *words)}"]


def _left_out(results: RankedResults, made: Leaderboard | ResultLog) -> list[str]:
    """Matches that do not count, and why."""
    found = []
    matches, self_meetings = results.counted[made.game]
    stored = sum(each.matches for each in results.origins if str(each.variant) == made.game)
    excluded = stored - matches - self_meetings
    if excluded > 0:
        found.append(f"{excluded:,} excluded")
    if self_meetings:
        found.append(f"{self_meetings:,} not rated in which a bot met itself")
    if results.left_out:
        found.append(f"{results.left_out:,} not rated as bots were not contained")
    return found
