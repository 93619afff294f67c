"""Leagues, bots and standings as tables for people and programs."""

from __future__ import annotations

from arena.league.charter import parse_charter
from arena.league.table import Board
from arena.report import Column, Report
from leagues import claims
from leagues.collusion import by_owner, lifts
from leagues.roster import Roster
from leagues.store import Slice
from leagues.tables import League


def leagues_report(roster: Roster) -> Report:
    """All leagues."""
    rows = []
    for league in roster.leagues():
        assert league.id is not None
        charter = parse_charter(league.rules, league.name)
        rows.append(
            {
                "league": league.name,
                "state": roster.state(league.id),
                "game": charter.game,
                "players": ",".join(map(str, charter.counts)),
                "bots": len(roster.field(league.id)),
                "matches": roster.count(Slice(league=league.id)),
            }
        )
    columns = tuple(
        Column(key, key) for key in ("league", "state", "game", "players", "bots", "matches")
    )
    return Report("leagues", columns, rows)


def entries_report(roster: Roster, league: League) -> Report:
    """All submissions of a league."""
    assert league.id is not None
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
        for entry in roster.entries(league.id)
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
    counts = roster.played_by_stage(league.id)
    stages = roster.stages(league.id)
    caption = [f"{len(stages)} stages, {sum(counts.values())} matches"]
    if stages:
        stage, _ = stages[-1]
        caption.append(f"stage {stage.number}: {stage.kind}")
    caption += [
        f"at work: {name}, {count} claims" for name, count in claims.at_work(roster).items()
    ]
    return Report(league.name, columns, rows, caption)


def collusion_report(league: League, board: Board) -> Report:
    """Who does better in whose presence; the most striking first."""
    owners = {entrant: entry.owner for entrant, entry in board.entries.items() if entry.owner}
    found = lifts(board.log, board.priors)
    rows = [
        {
            "bot": board.entries[lift.entrant].label,
            "with": board.entries[lift.other].label,
            "owners": _owners(owners, lift.entrant, lift.other),
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
        Column("owners", "owners"),
        Column("where", "where"),
        Column("games", "games", ","),
        Column("lift", "lift", "+.3f"),
        Column("score", "deviations", "+.1f"),
        Column("chance", "by luck", ".3f"),
        Column("alarming", "alarm"),
    )
    meaning = (
        "lift: share of third parties left behind in games with the other, less what skills "
        f"promise; by luck: the chance that any of {len(found)} comparisons is as far off"
    )
    caption = [
        f"{one} gains from {'its own' if one == other else other}: {lift.score:+.1f} deviations"
        for (one, other), lift in by_owner(found, owners).items()
        if lift.alarming and lift.lift > 0
    ]
    return Report(f"{league.name}: who lifts whom", columns, rows, [meaning, *caption])


def _owners(owners: dict[int, str], one: int, other: int) -> str:
    mine, theirs = owners.get(one), owners.get(other)
    return "the same" if mine is not None and mine == theirs else ""


def board_report(roster: Roster, league: League, board: Board, everyone: bool = False) -> Report:
    """The leaderboard."""
    assert league.id is not None
    rows = []
    for row in board.rows(everyone):
        entry = board.entries[row.entrant]
        live = board.live[row.entrant]
        conduct = board.conduct.get(row.entrant)
        rows.append(
            {
                "rank": row.rank,
                "between": f"{row.best_rank}-{row.worst_rank}",
                "bot": entry.label,
                "owner": entry.owner,
                "state": entry.status,
                "skill": row.skill.value,
                "reach": (row.skill.high - row.skill.low) / 2,
                "live": live.mu,
                "shown": live.shown,
                "superior": row.superior,
                "games": row.games,
                "win_share": row.win_share.value,
                "rank_points": row.rank_points.value if row.rank_points else None,
                "faults": row.faults,
                "longest": conduct.longest[2] if conduct and conduct.longest else None,
                "provisional": row.provisional,
            }
        )
    columns = (
        Column("rank", "#"),
        Column("between", "between"),
        Column("bot", "bot"),
        Column("owner", "owner", shown=False),
        Column("state", "state", shown=everyone),
        Column("skill", "skill", ".1f"),
        Column("reach", "±", ".1f"),
        Column("live", "live", ".1f"),
        Column("shown", "sure", ".1f"),
        Column("superior", "> next", ".0%"),
        Column("games", "games"),
        Column("win_share", "wins", ".0%"),
        Column("rank_points", "points", ".2f"),
        Column("faults", "faults"),
        Column("longest", "99% s", ".2f"),
        Column("provisional", "new"),
    )
    caption = (
        f"{league.name} ({roster.state(league.id)}): {board.table.matches} matches; skill from all "
        "results at once, live from match to match, sure is live less three deviations"
    )
    return Report(league.name, columns, rows, [caption])
