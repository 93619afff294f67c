"""Leaderboards and what is around them: the first page, the table, who beats whom."""

from collections.abc import Collection
from dataclasses import dataclass
from html import escape

from arena.display.names import game_name
from arena.i18n import gettext
from arena.reports.wording import format_time
from arena.site.contests import Contests, MissingError, Outline, SiteContest
from arena.site.links import Links
from arena.site.pages.drawing.charts import spark
from arena.site.pages.matches import worth_watching
from arena.site.templating import Link, draw
from leagues.ratings.head_to_head import Meeting
from leagues.ratings.leaderboard import Leaderboard, Standing

PAGE = 24  # tournaments on one page
LATEST = 12  # of them, those whose leaders are named
MAX_CURVES = 60  # bots, each with a small curve: a fit of all for every point of it
MIN_CURVE = 10  # matches
TOP = 5  # of the contest that the first page begins with
FEATURED_AMONG = 20  # its latest matches, of which one plays there
EMBEDDED_TOP = 10  # of a leaderboard inside another page, if not asked otherwise
MATRIX = 20  # bots in a matrix of who is above whom


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
    leagues = [*contests.leagues()] if number == 1 else []
    tournaments = contests.tournaments(PAGE, PAGE * (number - 1))
    lead = featured(contests, leagues, tournaments) if number == 1 else None
    named = [*leagues, *(contests.contest(each.path) for each in tournaments[:LATEST])]
    return draw(
        "start.html",
        links.frame(gettext("Bot competitions", links.lang)),
        contests=tournaments,
        leagues=leagues,
        lead=lead,
        top=[] if lead is None else top_rows(lead),
        game=None if lead is None else featured_match(contests, lead),
        links=links,
        begun={contest.path: format_time(contest.created) for contest in [*leagues, *tournaments]},
        leaders={contest.path: _leaders(contest) for contest in named},
        number=number,
        last=last,
        newer=links.to(page=number - 1 if number > 2 else None) if number > 1 else "",
        older=links.to(page=number + 1) if number < last else "",
    )


def featured(
    contests: Contests, leagues: list[SiteContest], tournaments: list[Outline]
) -> SiteContest | None:
    """The contest that the first page begins with: a league under way, or what was played last."""
    played = [league for league in leagues if league.matches]
    going = [league for league in played if league.league and league.league.state == "OPEN"]
    if going or played:
        return (going or played)[0]
    latest = next((each for each in tournaments if each.matches), None)
    return None if latest is None else contests.contest(latest.path)


def top_rows(contest: SiteContest) -> list[Standing]:
    """The first five of its first game."""
    game = contest.game(None)
    return [] if game is None else list(contest.whole_board(game).rows[:TOP])


def featured_match(contests: Contests, contest: SiteContest) -> int | None:
    """A match of it that is worth watching."""
    found = worth_watching(contests.matches(contest.which, FEATURED_AMONG))
    return found[0].id if found else None


def _leaders(contest: SiteContest) -> list[tuple[str, list[str]]]:
    """The first three of every game."""
    boards = [(game, contest.whole_board(game)) for game in contest.games]
    return [
        (game, [contest.names[row.entrant] for row in board.rows[:3]])
        for game, board in boards
        if board.matches
    ]


def board_page(
    contest: SiteContest,
    links: Links,
    game: str | None,
    players: int | None,
    owners: Collection[str] = (),
) -> str:
    """The leaderboard of a contest; bots of these owners are the visitor's own."""
    shown = contest.game(game)
    board = None if shown is None else _board(contest, shown, players)
    rows = () if board is None else board.rows
    of = shown if len(contest.games) > 1 else None
    embedded = links.to("embed", *contest.path, game=of)
    return draw(
        "board.html",
        links.frame(contest.name),
        contest=contest,
        links=links,
        game=shown,
        players=players,
        games=games(contest, links, shown),
        counts=[] if shown is None else _counts(contest, links, shown, players),
        board=board,
        mine={row.entrant for row in rows if contest.entrants[row.entrant].owner in owners},
        curves={} if board is None or players is not None else sparks(contest, board),
        least=min((row.skill.low for row in rows), default=0.0),
        most=max((row.skill.high for row in rows), default=1.0),
        begun=format_time(contest.created),
        last={} if shown is None else contest.last_played(shown),
        moment=format_time,
        embedded=embedded,
        snippet=iframe(links.origin + embedded, contest.title),
    )


def _board(contest: SiteContest, game: str, players: int | None) -> Leaderboard:
    """The leaderboard of all matches, for which none is read, or of those of so many players."""
    if players is None:
        return contest.whole_board(game)
    log = contest.log(game)
    assert log is not None
    return contest.board(log, players)


def iframe(address: str, title: str) -> str:
    """What shows a page of ours inside another, whatever the title says."""
    facts = f'src="{escape(address)}" title="{escape(title)}"'
    return f'<iframe {facts} width="420" height="520"></iframe>'


def embedded_board_page(
    contest: SiteContest, links: Links, game: str | None, top: int = EMBEDDED_TOP
) -> str:
    """The first of a leaderboard, to be shown inside another page."""
    shown = contest.game(game)
    return draw(
        "embed_board.html",
        links.frame(contest.title),
        contest=contest,
        links=links,
        game=shown,
        rows=() if shown is None else contest.whole_board(shown).rows[:top],
    )


def sparks(contest: SiteContest, board: Leaderboard) -> dict[int, str]:
    """A small line for every bot: its skill over the schedule; none where there are very many."""
    if len(board.rows) > MAX_CURVES or board.matches < MIN_CURVE:
        return {}
    log = contest.logs[board.game]
    history = contest.history(log)
    found = {}
    for entrant in log.entrants:
        found[entrant] = spark([snapshot.fit.belief(entrant).mu for snapshot in history])
    return found


def games(
    contest: SiteContest, links: Links, shown: str | None, *path: str, **query: object
) -> list[Link]:
    """The games of a contest, where it has several."""
    if len(contest.games) < 2:
        return []
    return [
        Link(
            game_name(game),
            links.within(contest.path, *path, **query, game=game),
            game == shown,
        )
        for game in contest.games
    ]


def _counts(contest: SiteContest, links: Links, shown: str, players: int | None) -> list[Link]:
    game = shown if len(contest.games) > 1 else None
    counts = contest.counts(shown)
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


def meetings_page(
    contest: SiteContest, links: Links, game: str | None, bot: int | None = None
) -> str:
    """Who finishes above whom, how often; of many bots the first, or those around a chosen one."""
    log = contest.log(game)
    everyone: list[int] = []
    order: list[int] = []
    cells: dict[int, list[Cell]] = {}
    if log is not None:
        found = contest.meetings(log)
        everyone = [row.entrant for row in contest.board(log).rows]
        order = around(everyone, bot)
        cells = {one: [_cell(found.get((one, other))) for other in order] for one in order}
    return draw(
        "meetings.html",
        links.frame(f"{contest.name} · {gettext('Head to head', links.lang)}"),
        contest=contest,
        links=links,
        games=games(contest, links, None if log is None else log.game, "meetings"),
        game=None if log is None else log.game,
        everyone=everyone,
        order=order,
        chosen=bot,
        cells=cells,
    )


def around(order: list[int], bot: int | None) -> list[int]:
    """So many bots of the order as a matrix can show, the chosen one in their middle."""
    at = order.index(bot) if bot in order else 0
    first = max(0, min(at - MATRIX // 2, len(order) - MATRIX))
    return order[first : first + MATRIX]


def _cell(meeting: Meeting | None) -> Cell:
    """Dark where it is sure who is above, light where only more games would tell."""
    if meeting is None:
        return Cell(None, 0)
    share = meeting.share
    if share.low > 0.5 or share.high < 0.5:
        return Cell(meeting, 2 if share.low > 0.5 else -2)
    return Cell(meeting, (share.value > 0.5) - (share.value < 0.5))


def podium_page(contest: SiteContest, links: Links) -> str:
    """The first three of a league."""
    if contest.league is None:
        raise MissingError("expected a league, got {name}", name=contest.name)
    log = contest.log(None)
    return draw(
        "podium.html",
        links.frame(f"{contest.title} · {gettext('Podium', links.lang)}"),
        contest=contest,
        links=links,
        rows=[] if log is None else [row for row in contest.board(log).rows if row.games],
    )


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
