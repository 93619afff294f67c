"""Leaderboards and what is around them: the first page, the table, who beats whom."""

from dataclasses import dataclass

from arena.display.names import game_name
from arena.i18n import gettext
from arena.reports.wording import format_time
from arena.site.contests import Contests, MissingError, SiteContest
from arena.site.links import Links
from arena.site.templating import Link, draw
from leagues.ratings.head_to_head import Meeting
from leagues.ratings.result_log import ResultLog

PAGE = 24  # tournaments on one page
LATEST = 12  # of them, those whose leaders are named
SHADES = 5  # of a cell, from losing to winning


@dataclass(frozen=True)
class Cell:
    """One bot against another: how often it is above, how many games, how dark the cell."""

    meeting: Meeting | None
    shade: int


def start_page(contests: Contests, links: Links, number: int = 1) -> str:
    """What there is to see; tournaments of before are on further pages."""
    last = max(1, -(-contests.count() // PAGE))
    if number > last:
        raise MissingError(
            "expected a page from 1 to {last}, got {number}", last=last, number=number
        )
    leagues = contests.leagues() if number == 1 else []
    tournaments = contests.tournaments(PAGE, PAGE * (number - 1))
    named = [*leagues, *(contests.contest(each.path) for each in tournaments[:LATEST])]
    return draw(
        "start.html",
        links.frame(gettext("Bot competitions", links.lang)),
        contests=tournaments,
        leagues=leagues,
        links=links,
        begun={contest.path: format_time(contest.created) for contest in [*leagues, *tournaments]},
        leaders={contest.path: _leaders(contest) for contest in named},
        number=number,
        last=last,
        newer=links.to(page=number - 1 if number > 2 else None) if number > 1 else "",
        older=links.to(page=number + 1) if number < last else "",
    )


def _leaders(contest: SiteContest) -> list[tuple[str, list[str]]]:
    """The first three of every game."""
    return [
        (game, [contest.names[row.entrant] for row in contest.board(log).rows[:3]])
        for game, log in contest.logs.items()
        if len(log)
    ]


def board_page(contest: SiteContest, links: Links, game: str | None, players: int | None) -> str:
    """The leaderboard of a contest."""
    log = contest.log(game)
    board = None if log is None else contest.board(log, players)
    rows = () if board is None else board.rows
    return draw(
        "board.html",
        links.frame(contest.name),
        contest=contest,
        links=links,
        game=None if log is None else log.game,
        players=players,
        games=games(contest, links, log),
        counts=[] if log is None else _counts(contest, links, log, players),
        board=board,
        least=min((row.skill.low for row in rows), default=0.0),
        most=max((row.skill.high for row in rows), default=1.0),
        begun=format_time(contest.created),
    )


def games(contest: SiteContest, links: Links, log: ResultLog | None, *path: str) -> list[Link]:
    """The games of a contest, where it has several."""
    if log is None or len(contest.logs) < 2:
        return []
    return [
        Link(
            game_name(game),
            links.within(contest.path, *path, game=game),
            game == log.game,
        )
        for game in contest.logs
    ]


def _counts(contest: SiteContest, links: Links, log: ResultLog, players: int | None) -> list[Link]:
    game = log.game if len(contest.logs) > 1 else None
    counts = log.counts()
    if len(counts) < 2:
        return []
    return [
        Link(
            gettext("all", links.lang) if count is None else str(count),
            links.within(contest.path, game=game, players=count),
            count == players,
        )
        for count in (None, *counts)
    ]


def meetings_page(contest: SiteContest, links: Links, game: str | None) -> str:
    """Who finishes above whom, how often."""
    log = contest.log(game)
    order: list[int] = []
    cells: dict[int, list[Cell]] = {}
    if log is not None:
        found = contest.meetings(log)
        order = [row.entrant for row in contest.board(log).rows]
        cells = {one: [_cell(found.get((one, other))) for other in order] for one in order}
    return draw(
        "meetings.html",
        links.frame(f"{contest.name} · {gettext('Head to head', links.lang)}"),
        contest=contest,
        links=links,
        games=games(contest, links, log, "meetings"),
        order=order,
        cells=cells,
    )


def _cell(meeting: Meeting | None) -> Cell:
    if meeting is None:
        return Cell(None, 0)
    return Cell(meeting, min(SHADES - 1, int(meeting.share.value * SHADES)) - SHADES // 2)


def entries_page(contest: SiteContest, links: Links) -> str:
    """Who was submitted to a league, and what became of them; reasons, but nobody's code."""
    if contest.league is None:
        raise MissingError("expected a league, got {name}", name=contest.name)
    return draw(
        "entries.html",
        links.frame(f"{contest.name} · {gettext('Submissions', links.lang)}"),
        contest=contest,
        links=links,
        moment=format_time,
    )
