"""What is behind a leaderboard: who beats whom, how ratings came about, what is not skill."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from arena.reports.leaderboard import KIND, estimate, origin_lines, summary
from arena.reports.output import OutputFormat
from arena.reports.ranked_results import RankedResults
from arena.reports.table import Column, Report, write_all
from engine.errors import ArenaError
from leagues.ratings.effects import (
    EffectEstimate,
    bot_wonders,
    neighbours,
    seat_effects,
    wonder_effects,
)
from leagues.ratings.field_prior import fit_field
from leagues.ratings.head_to_head import (
    Intransitivity,
    Meeting,
    head_to_head,
    measure_intransitivity,
)
from leagues.ratings.history import Explanation, explain_skill, skill_history
from leagues.ratings.result_log import ResultLog
from leagues.ratings.thurstone import count_pairs, fit_skills

MAX_ACROSS: Final = 16  # bots of a matrix that fits a screen
SIGNIFICANCE: Final = 0.05  # chance below which more than luck is at work

HEAD_TO_HEAD: Final = (
    *KIND,
    Column("bot", "bot"),
    Column("opponent", "opponent"),
    Column("games", "games", ","),
    Column("share", "above", ".1%"),
    Column("share_low", "low", ".1%", spare=3),
    Column("share_high", "high", ".1%", spare=3),
    Column("expected", "by skill", ".1%", spare=2),
    Column("residual", "more", "+.1%"),
)
HISTORY: Final = (
    *KIND,
    Column("bot", "bot", shown=False),
    Column("matches", "after matches", ","),
    Column("games", "of its own", ","),
    Column("skill", "skill", ".2f"),
    Column("skill_low", "low", ".2f"),
    Column("skill_high", "high", ".2f"),
    Column("rank", "rank"),
)
OPPONENTS: Final = (
    *(replace(column, shown=column.shown and column.key != "bot") for column in HEAD_TO_HEAD),
    Column("moved", "moved by", "+.2f"),
)
MOVES: Final = (
    *KIND,
    Column("bot", "bot", shown=False),
    Column("match", "match"),
    Column("rank", "rank"),
    Column("before", "mu before", ".2f"),
    Column("after", "mu after", ".2f"),
    Column("step", "moved by", "+.2f"),
    Column("sigma", "sigma after", ".2f"),
)
EFFECTS: Final = (
    *KIND,
    Column("kind", "kind"),
    Column("name", "of"),
    Column("bot", "bot", shown=False),
    Column("games", "games", ","),
    Column("lift", "wins / fair", ".2f"),
    Column("lift_low", "low", ".2f", spare=2),
    Column("lift_high", "high", ".2f", spare=2),
    Column("points", "opponents beaten", ".1%"),
    Column("points_low", "low", ".1%", spare=3),
    Column("points_high", "high", ".1%", spare=3),
    Column("shrunk", "luck aside", ".1%", shown=False),
    Column("score", "score", ".1f"),
    Column("score_low", "score low", ".1f", shown=False),
    Column("score_high", "score high", ".1f", shown=False),
)


def head_to_head_reports(results: RankedResults) -> list[Report]:
    """How often each bot finished above each other, two rows for every pair."""
    return [_head_to_head(results, log) for log in results.each()]


def _head_to_head(results: RankedResults, log: ResultLog) -> Report:
    pairs = count_pairs(log)
    rows = [
        _meeting(results, log, meeting)
        for meeting in head_to_head(pairs, fit_skills(pairs)).values()
    ]
    words = _describe_intransitivity(measure_intransitivity(log)) if len(log) else "nobody met"
    details = origin_lines(results, log, "matrix")
    lines = [words, summary(results, log)]
    return Report(f"head to head, {log.game}", HEAD_TO_HEAD, rows, lines, details)


def _meeting(results: RankedResults, log: ResultLog, meeting: Meeting) -> dict[str, Any]:
    return {
        **results.kind(log),
        "bot": results.names[meeting.entrant],
        "opponent": results.names[meeting.opponent],
        "games": meeting.games,
        **estimate("share", meeting.share),
        "expected": meeting.expected,
        "residual": meeting.residual,
    }


def _describe_intransitivity(found: Intransitivity) -> str:
    """Whether one number for each bot explains who beats whom: intransitivity, in words."""
    by = f"{found.residual:.1%} of games"
    if found.freedom == 0:
        return "too few pairs to test for a rock-paper-scissors effect"
    if found.chance < SIGNIFICANCE:
        return (
            f"rock-paper-scissors effect: results differ from skill alone by {by} "
            f"(p = {found.chance:.3f})"
        )
    return (
        f"no rock-paper-scissors effect found: results differ from skill alone by {by} "
        f"(p = {found.chance:.2f})"
    )


def head_to_head_matrix(report: Report, order: list[str]) -> Report:
    """The same as a matrix, in percent of games finished above; a list if it would not fit."""
    met = {(row["bot"], row["opponent"]): row for row in report.rows}
    bots = [bot for bot in order if any(bot in pair for pair in met)]
    if len(bots) > MAX_ACROSS:
        return report
    columns = (
        Column("number", "#"),
        Column("bot", "above %"),
        *(Column(f"{at}", f"{at}", ".0f") for at in range(1, len(bots) + 1)),
    )
    rows = []
    for at, bot in enumerate(bots, 1):
        cells: dict[str, Any] = {"number": at, "bot": bot}
        for other, opponent in enumerate(bots, 1):
            row = met.get((bot, opponent))
            cells[f"{other}"] = None if row is None else 100 * row["share"]
        rows.append(cells)
    legend = "how often the row's bot finished above the column's, in percent; a tie is half"
    return Report(report.title, columns, rows, [legend, *report.caption], report.details)


def best_first(results: RankedResults, log: ResultLog) -> list[str]:
    """The bots by their skill."""
    fitted = fit_field(count_pairs(log))
    order = sorted(range(len(fitted.entrants)), key=lambda place: -fitted.mean[place])
    return [results.names[fitted.entrants[place]] for place in order]


def history_reports(results: RankedResults, bot: str, snapshots: int) -> list[Report]:
    """A bot's skill by the first matches of the schedule, then by more and more of them."""
    entrant = results.entrant(bot)
    legend = "each row is a fit of all matches up to then"
    return [
        Report(
            f"{results.names[entrant]} in {log.game}",
            HISTORY,
            list(_history_rows(results, log, entrant, snapshots)),
            [legend, summary(results, log)],
            origin_lines(results, log, "history", bot),
        )
        for log in _logs_of(results, entrant)
    ]


def _history_rows(
    results: RankedResults, log: ResultLog, entrant: int, snapshots: int
) -> Iterator[dict[str, Any]]:
    place = log.entrants.index(entrant)
    for snapshot in skill_history(log, snapshots):
        skill = snapshot.fit.belief(entrant)
        yield {
            **results.kind(log),
            "bot": results.names[entrant],
            "matches": snapshot.matches,
            "games": int(log.first(snapshot.matches).games()[place]),
            "skill": skill.mu,
            "skill_low": skill.mu - 1.96 * skill.sigma,
            "skill_high": skill.mu + 1.96 * skill.sigma,
            "rank": 1 + int((snapshot.fit.mean > snapshot.fit.mean[place]).sum()),
        }


def _logs_of(results: RankedResults, entrant: int) -> list[ResultLog]:
    """The kinds of games the bot has played."""
    logs = [
        log
        for log in results.each()
        if entrant in log.entrants and log.games()[log.entrants.index(entrant)]
    ]
    if not logs:
        raise ArenaError(f"expected matches of {results.names[entrant]}, got none")
    return logs


def explanation_reports(results: RankedResults, bot: str) -> list[tuple[Report, Report]]:
    """Why a bot is where it is: by opponent, and by the matches that moved it most."""
    entrant = results.entrant(bot)
    return [
        _explanation(results, log, explain_skill(log, entrant), bot)
        for log in _logs_of(results, entrant)
    ]


def _explanation(
    results: RankedResults, log: ResultLog, found: Explanation, bot: str
) -> tuple[Report, Report]:
    name = results.names[found.entrant]
    opponents = [
        _meeting(results, log, each.meeting) | {"moved": each.moved} for each in found.opponents
    ]
    moves = [
        {
            **results.kind(log),
            "bot": name,
            "match": move.match,
            "rank": move.rank + 1,
            "before": move.before.mu,
            "after": move.after.mu,
            "step": move.after.mu - move.before.mu,
            "sigma": move.after.sigma,
        }
        for move in found.moves
    ]
    skill = f"skill by a fit of all matches: {found.skill.mu:.2f} ± {1.96 * found.skill.sigma:.2f}"
    first = Report(
        f"{name} in {log.game}, by opponent",
        OPPONENTS,
        opponents,
        [skill, "moved by: its skill less what it would be without these games"],
    )
    legend = "TrueSkill, match by match; details: arena match show"
    second = Report(
        f"{name} in {log.game}, matches that moved it most",
        MOVES,
        moves,
        [legend, summary(results, log)],
        origin_lines(results, log, "explain", bot),
    )
    return first, second


def effect_reports(results: RankedResults, bots: bool) -> list[Report]:
    """What wonders and seats seem to be worth; of each bot too if asked."""
    found = []
    for log in results.each():
        rows = [_effect(results, log, "wonder", effect) for effect in wonder_effects(log)]
        rows += [_effect(results, log, "seat", effect) for effect in seat_effects(log)]
        rows += _bot_effects(results, log) if bots else []
        words = ["wins / fair: 1 is fair; opponents beaten: 50 % is fair"]
        words.append("low and high are 95 % confidence intervals, not corrected for many rows")
        kept = [row for row in rows if row["games"]]
        title = f"effects besides skill, {log.game}"
        details = origin_lines(results, log, "effects")
        words.append(summary(results, log))
        found.append(Report(title, EFFECTS, kept, words, details))
    return found


def _effect(
    results: RankedResults, log: ResultLog, kind: str, effect: EffectEstimate
) -> dict[str, Any]:
    return {
        **results.kind(log),
        "kind": kind,
        "name": effect.name,
        "bot": None,
        "games": effect.games,
        **estimate("lift", effect.lift),
        **estimate("points", effect.rank_points),
        "shrunk": None,
        **estimate("score", effect.score),
    }


def _bot_effects(results: RankedResults, log: ResultLog) -> Iterator[dict[str, Any]]:
    empty: dict[str, Any] = estimate("lift", None) | estimate("score", None)
    for cell in bot_wonders(log):
        bot = results.names[cell.entrant]
        yield empty | {
            **results.kind(log),
            "kind": "bot and wonder",
            "name": f"{bot}, {cell.wonder}",
            "bot": bot,
            "games": cell.games,
            **estimate("points", cell.rank_points),
            "shrunk": cell.shrunk,
        }
    for side in neighbours(log):
        bot = results.names[side.entrant]
        yield empty | {
            **results.kind(log),
            "kind": "left neighbour",
            "name": f"{bot}, {results.names[side.left]}",
            "bot": bot,
            "games": side.games,
            **estimate("points", side.rank_points),
            "shrunk": None,
        }


def show_matrix(results: RankedResults, format: OutputFormat, explain: bool) -> None:
    """Print who finishes above whom: a square for people, a row per pair for programs."""
    reports = head_to_head_reports(results)
    if format in (OutputFormat.TABLE, OutputFormat.MD):
        logs = list(results.each())
        reports = [
            head_to_head_matrix(report, best_first(results, log))
            for report, log in zip(reports, logs, strict=True)
        ]
    write_all(reports, format, explain)


def show_history(
    results: RankedResults, bot: str, points: int, format: OutputFormat, explain: bool
) -> None:
    """Print how a bot's skill settled."""
    write_all(history_reports(results, bot, points), format, explain)


def show_reasons(results: RankedResults, bot: str, format: OutputFormat, explain: bool) -> None:
    """Print why a bot is where it is; CSV has the opponents alone."""
    found = explanation_reports(results, bot)
    if format is OutputFormat.JSON:
        facts = [
            {"opponents": json.loads(first.to_json()), "moves": json.loads(second.to_json())}
            for first, second in found
        ]
        print(json.dumps(facts))  # noqa: T201
    elif format is OutputFormat.CSV:
        write_all([first for first, _ in found], format, explain)
    else:
        write_all([report for pair in found for report in pair], format, explain)


def show_effects(results: RankedResults, bots: bool, format: OutputFormat, explain: bool) -> None:
    """Print what wonders, seats and neighbours are worth."""
    write_all(effect_reports(results, bots), format, explain)
