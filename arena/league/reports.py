"""Leagues, bots and standings as tables for people and programs."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from typing import Any

from arena.league.leaderboard import LeagueLeaderboard, read_league_results
from arena.league.organiser.moderation import act_facts, describe_act
from arena.league.rules import parse_rules
from arena.reports.leaderboard import RANK_COLUMNS, SKILL_COLUMNS
from arena.reports.table import Column, Report
from arena.reports.wording import format_count, format_time, uncontained_line
from bots.protocol.sanitize import for_terminal
from leagues.ratings.collusion import by_owner, estimate_lifts
from leagues.ratings.leaderboard import Standing
from leagues.records import League, LeagueState, Submission
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter
from leagues.storage.reliability import QUANTILES


def leagues_report(reader: StorageReader, everything: bool = False) -> Report:
    """All leagues, but for those that were archived, unless they are asked for."""
    rows = []
    for league in reader.leagues.all():
        state = reader.leagues.state(league.id)
        if state == LeagueState.ARCHIVED and not everything:
            continue
        rules = parse_rules(league.rules, league.name)
        rows.append(
            {
                "league": league.name,
                "title": reader.leagues.details(league.id).title,
                "state": state,
                "game": rules.settings.game,
                "players": list(rules.counts),
                "bots": len(reader.leagues.playing(league.id)),
                "matches": reader.results.count(MatchFilter(league=league.id)),
            }
        )
    columns = (
        Column("league", "league"),
        Column("title", "title", shown=any(row["title"] for row in rows)),
        *(Column(key, key) for key in ("state", "game", "players", "bots", "matches")),
    )
    return Report("leagues", columns, rows)


def league_facts(reader: StorageReader, league: League) -> dict[str, Any]:
    """A league for programs: its state, its rules, what happened, its bots."""
    events = reader.leagues.events(league.id)
    return {
        "league": league.name,
        **asdict(reader.leagues.details(league.id)),
        "state": events[-1].state,
        "reason": events[-1].reason,
        "seed": league.seed if events[-1].state == LeagueState.CLOSED else None,
        "created": league.created,
        "contained": not _uncontained(reader, league),
        "rules": tomllib.loads(league.rules),
        "events": [
            {"at": each.at, "state": each.state, "reason": each.reason, "by": each.by}
            for each in events
        ],
        "acts": [act_facts(act) for act in reader.moderation.acts(league.id)],
        "bots": entries_report(reader, league).rows,
    }


def league_lines(reader: StorageReader, league: League) -> list[str]:
    """The same for people, without the bots."""
    events = reader.leagues.events(league.id)
    last = events[-1]
    seed = f"; seed {league.seed}" if last.state == LeagueState.CLOSED else ""
    reason = f": {for_terminal(last.reason)}" if last.reason else ""
    lines = [
        f"{league.name} is {last.state}{reason}{seed}",
        *_told(reader, league),
        "",
        league.rules,
    ]
    for act in reader.moderation.acts(league.id):
        why = f": {act.reason}" if act.reason else ""
        text = f"{format_time(act.at)} {describe_act(act)}{why} ({act.by})"
        lines.append(for_terminal(text))
    return lines


def _told(reader: StorageReader, league: League) -> list[str]:
    """What a league says of itself, in lines."""
    told = reader.leagues.details(league.id)
    facts = {
        "title": told.title,
        "season": str(told.season) if told.previous or told.following else "",
        "division": str(told.division or ""),
        "previous": told.previous,
        "next": ", ".join(told.following),
        "opens": told.opens,
        "closes": told.closes,
        "contact": told.contact,
    }
    final = reader.leagues.final(league.id)
    if final:
        facts["final"] = f"{final.games} games, SHA-256 of its seed {final.seed_sha256}"
        if reader.leagues.state(league.id) == LeagueState.CLOSED:
            facts["final seed"] = final.seed
    return [f"{key}: {for_terminal(value)}" for key, value in facts.items() if value]


def entries_report(reader: StorageReader, league: League) -> Report:
    """All submissions of a league."""
    rows = [
        {
            "bot": entry.label,
            "state": entry.status,
            "reason": entry.reason,
            "kind": entry.kind,
            "received": entry.received,
            "digest": entry.digest,
            "files": entry.files,
            "size": entry.size,
        }
        for entry in reader.leagues.submissions(league.id)
    ]
    columns = (
        Column("bot", "bot"),
        Column("state", "state"),
        Column("reason", "reason"),
        Column("kind", "kind", shown=False),
        Column("received", "received", shown=False),
        Column("digest", "digest", shown=False),
        Column("files", "files"),
        Column("size", "bytes", ","),
    )
    counts = reader.stages.matches_by_stage(league.id)
    stages = reader.stages.of_league(league.id)
    caption = [
        f"{format_count(len(stages), 'stage')}, {format_count(sum(counts.values()), 'match')}"
    ]
    if stages:
        stage, _ = stages[-1]
        caption.append(f"stage {stage.number}: {stage.kind}")
    for name, count in reader.leases.active_workers().items():
        caption.append(f"at work: {name}, {format_count(count, 'claim')}")
    return Report(league.name, columns, rows, _uncontained(reader, league) + caption)


def _uncontained(reader: StorageReader, league: League) -> list[str]:
    """That bots of a league could have cheated, if they could."""
    line = uncontained_line(reader.results.origins(MatchFilter(league=league.id)))
    return [line] if line else []


def collusion_report(reader: StorageReader, league: League) -> Report:
    """Who does better in whose presence; the most striking first."""
    board = read_league_results(reader, league)
    owners = {entrant: entry.owner for entrant, entry in board.entries.items() if entry.owner}
    found = estimate_lifts(board.log(reader), board.parents)
    rows = [
        {
            "bot": board.entries[lift.entrant].label,
            "with": board.entries[lift.other].label,
            "same_owner": _same_owner(owners, lift.entrant, lift.other),
            "where": "beside" if lift.beside else "table",
            "games": lift.games,
            "lift": lift.lift,
            "score": lift.score,
            "chance": lift.chance,
            "alarming": lift.alarming,
        }
        for lift in found
    ]
    columns = (
        Column("bot", "bot"),
        Column("with", "with"),
        Column("same_owner", "same owner"),
        Column("where", "where"),
        Column("games", "games", ","),
        Column("lift", "lift", "+.3f"),
        Column("score", "z-score", "+.1f"),
        Column("chance", "p-value", ".3f"),
        Column("alarming", "alarm"),
    )
    meaning = (
        "lift: share of third parties beaten in games with the other bot, less what skills "
        f"predict; p-value: corrected for {len(found)} comparisons"
    )
    caption = [
        f"{one} gains from {'its own' if one == other else other}: z-score {lift.score:+.1f}"
        for (one, other), lift in by_owner(found, owners).items()
        if lift.alarming and lift.lift > 0
    ]
    return Report(f"possible collusion in {league.name}", columns, rows, [meaning, *caption])


def _same_owner(owners: dict[int, str], one: int, other: int) -> bool:
    mine, theirs = owners.get(one), owners.get(other)
    return mine is not None and mine == theirs


def entry_facts(board: LeagueLeaderboard, entry: Submission) -> dict[str, Any]:
    """What became of a bot: what it is, its events, where it stands, how it behaves."""
    conduct = board.reliability.get(entry.entrant)
    standing = next(
        (row for row in board.rows(not entry.plays) if row.entrant == entry.entrant), None
    )
    return {
        "bot": entry.label,
        "owner": entry.owner,
        "state": entry.status,
        "reason": entry.reason,
        "kind": entry.kind,
        "digest": entry.digest,
        "files": entry.files,
        "size": entry.size,
        "events": [
            {"at": each.at, "state": each.state, "reason": each.reason, "detail": each.detail}
            for each in entry.events
        ],
        "standing": _row(board, standing) if standing else None,
        "faults": dict(conduct.faults) if conduct else {},
        "longest": _quantiles(conduct.longest) if conduct else {},
        "match": _quantiles(conduct.match) if conduct else {},
    }


def _quantiles(seconds: tuple[float, ...]) -> dict[str, float]:
    return {f"{share:.0%}": value for share, value in zip(QUANTILES, seconds, strict=False)}


def entry_lines(board: LeagueLeaderboard, entry: Submission) -> list[str]:
    """The same for people."""
    facts = entry_facts(board, entry)
    made = f"{entry.kind}, {format_count(entry.files, 'file')}, {format_count(entry.size, 'byte')}"
    lines = [f"{entry.label}: {entry.status}; {made}", f"digest {entry.digest}"]
    if row := facts["standing"]:
        skill = f"skill {row['skill']:.1f} ± {row['reach']:.1f}, rating {row['rating']:.1f}"
        games = f"{format_count(row['games'], 'game')}, {row['win_share']:.0%} won"
        lines.append(f"rank {row['rank']} (range {row['rank_range']}), {skill}; {games}")
        lines.append(f"faults: {_faults(facts['faults'])}")
    for what, key in (("a match", "match"), ("its longest answer", "longest")):
        if facts[key]:
            told = ", ".join(f"{1000 * ms:,.1f} ms in {at}" for at, ms in facts[key].items())
            lines.append(f"CPU time, {what}: at most {told}")
    for event in entry.events:
        reason = f": {for_terminal(event.reason)}" if event.reason else ""
        lines.append(f"{format_time(event.at)} {event.state}{reason}")
        lines += [f"    {for_terminal(line)}" for line in event.detail.splitlines()]
    return lines


def _faults(faults: dict[str, int]) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in faults.items()) or "none"


def _row(board: LeagueLeaderboard, row: Standing) -> dict[str, Any]:
    entry = board.entries[row.entrant]
    live = board.live[row.entrant]
    conduct = board.reliability.get(row.entrant)
    return {
        "rank": row.rank,
        "rank_range": f"{row.best_rank}-{row.worst_rank}",
        "rank_low": row.best_rank,
        "rank_high": row.worst_rank,
        "bot": entry.label,
        "owner": entry.owner,
        "state": entry.status,
        "skill": row.skill.value,
        "reach": (row.skill.high - row.skill.low) / 2,
        "skill_low": row.skill.low,
        "skill_high": row.skill.high,
        "rating": live.shown,
        "mu": live.mu,
        "sigma": live.sigma,
        "superior": row.superior,
        "games": row.games,
        "win_share": row.win_share.value,
        "rank_points": row.rank_points.value if row.rank_points else None,
        "faults": row.faults,
        "longest_ms": 1000 * conduct.longest[2] if conduct and conduct.longest else None,
        "provisional": row.provisional,
    }


def board_report(
    reader: StorageReader, league: League, board: LeagueLeaderboard, everyone: bool = False
) -> Report:
    """The leaderboard."""
    rows = [_row(board, row) for row in board.rows(everyone)]
    columns = (
        *RANK_COLUMNS,
        Column("bot", "bot"),
        Column("owner", "owner", shown=False),
        Column("state", "state", shown=everyone),
        *SKILL_COLUMNS,
        Column("games", "games"),
        Column("win_share", "wins", ".1%"),
        Column("rank_points", "points", ".2f", spare=5),
        Column("faults", "faults", spare=1),
        Column("longest_ms", "ms 99%", ".1f", spare=4),
        Column("provisional", "moves", spare=6),
    )
    matches = format_count(board.table.matches, "match")
    caption = [
        f"{league.name} ({reader.leagues.state(league.id)}): {matches}",
        "sorted by skill; ± is a 95 % confidence interval",
    ]
    details = [
        "skill: a fit of all matches at once (Thurstone's model); ± is a 95 % confidence interval",
        "rating: TrueSkill, updated match by match; mu - 3 sigma, a cautious estimate",
        "rank range: a 90 % confidence interval of the rank by skill",
        "P(> next): the probability that its skill is above that of the next bot",
        "points: share of opponents beaten; moves: the rating is provisional",
        "ms 99%: 99th percentile of the longest answer of a match, in CPU time",
    ]
    return Report(league.name, columns, rows, _uncontained(reader, league) + caption, details)
