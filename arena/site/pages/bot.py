"""A bot's page: how it stands and came there, what to watch, its strengths, how it failed."""

from dataclasses import dataclass, replace

import numpy as np

from arena.reports.wording import format_time
from arena.site.contests import Contests, SiteContest, last_line
from arena.site.formatting import brief
from arena.site.links import Links
from arena.site.pages.drawing.charts import Curve, CurvePoint, curve
from arena.site.pages.leaderboards import games
from arena.site.pages.matches import ranking
from arena.site.templating import draw
from bots.protocol.sanitize import shorten_paths
from bots.protocol.tracebacks import summary_line
from leagues.ratings.effects import EffectEstimate, own_effects
from leagues.ratings.head_to_head import Meeting
from leagues.ratings.leaderboard import Standing
from leagues.ratings.pair_games import worst_losses
from leagues.ratings.result_log import ResultLog
from leagues.ratings.statistics import SURE
from leagues.records import Entrant, StoredMatch

LATEST = 200  # matches whose times are looked at
LISTED = 10  # matches on the page
LOSSES = 4
TREND = 4  # the last of so many parts of the schedule


@dataclass(frozen=True)
class Timing:
    """How long a bot computed: a whole match with its start, and single answers, in seconds."""

    matches: int
    answers: int
    mean: float  # of a match
    middle: float  # of the longest answer of each match: half of them took less
    high: float  # 95 in 100
    longest: float


@dataclass(frozen=True)
class BotFailure:
    """A match in which the bot failed, and how."""

    match: int
    kind: str
    decision: int
    told: str


@dataclass(frozen=True)
class Profile:
    """All that is known of a bot in a contest and one of its games."""

    entrant: Entrant
    standing: Standing | None
    effects: dict[str, list[EffectEstimate]]
    meetings: list[Meeting]
    timing: Timing | None
    failures: list[BotFailure]
    losses: list[tuple[StoredMatch, int]]  # worst first, with the points behind the best
    latest: list[StoredMatch]
    relatives: list[Entrant]  # versions of the same bot, oldest first


def profile(contests: Contests, contest: SiteContest, id: int, log: ResultLog | None) -> Profile:
    """The bot with this number."""
    entrant = contest.entrant(id)
    standing = None
    effects: dict[str, list[EffectEstimate]] = {}
    meetings: list[Meeting] = []
    if log is not None:
        board = contest.board(log)
        standing = next((row for row in board.rows if row.entrant == id), None)
        effects = own_effects(log, id)
        met = contest.meetings(log)
        meetings = [met[id, row.entrant] for row in board.rows if (id, row.entrant) in met]
    which = replace(contest.which, entrant=id, game=None if log is None else log.game)
    latest = contests.matches(which, LATEST)
    failed = contests.matches(replace(which, faulty=True), LATEST)
    return Profile(
        entrant=entrant,
        standing=standing,
        effects=effects,
        meetings=meetings,
        timing=timing(latest, id),
        failures=[failure for stored in failed for failure in failures(stored, id)][:LISTED],
        losses=[] if log is None else _losses(contests, log, id),
        latest=latest[:LISTED],
        relatives=relatives(list(contest.entrants.values()), entrant),
    )


def _losses(contests: Contests, log: ResultLog, id: int) -> list[tuple[StoredMatch, int]]:
    """The matches in which a bot ended furthest behind."""
    behind = dict(worst_losses(log, id, LOSSES))
    return [(stored, behind[stored.id]) for stored in contests.some_matches(list(behind))]


def timing(matches: list[StoredMatch], entrant: int) -> Timing | None:
    """The times of a bot in these matches; none where no accounts were kept."""
    accounts = [
        stored.result.accounts[seat.seat]
        for stored in matches
        if stored.result.accounts
        for seat in stored.seats
        if seat.entrant == entrant
    ]
    answers = sum(account.asked for account in accounts)
    if not answers:
        return None
    longest = [account.longest for account in accounts]
    return Timing(
        matches=len(accounts),
        answers=answers,
        mean=sum(account.computed for account in accounts) / len(accounts),
        middle=float(np.quantile(longest, 0.5)),
        high=float(np.quantile(longest, 0.95)),
        longest=max(longest),
    )


def failures(stored: StoredMatch, entrant: int) -> list[BotFailure]:
    """How the bot failed in a match, in a line."""
    return [
        BotFailure(
            stored.id,
            fault.kind,
            fault.decision,
            summary_line(fault.kind, shorten_paths(fault.detail)),
        )
        for fault in stored.result.faults
        if stored.seats[fault.seat].entrant == entrant
    ]


def relatives(entrants: list[Entrant], one: Entrant) -> list[Entrant]:
    """The versions of a bot: those it comes from and those that come from it."""
    kin: set[int | None] = {one.id}
    known = 0
    while known < len(kin):
        known = len(kin)
        kin |= {each.parent for each in entrants if each.id in kin and each.parent is not None}
        kin |= {each.id for each in entrants if each.parent in kin}
    return [each for each in entrants if each.id in kin]


def rating_curve(contest: SiteContest, ids: list[int], log: ResultLog, lang: str) -> Curve | None:
    """The skills of bots over the schedule, with how sure they are."""
    return curve([skill_points(contest, id, log) for id in ids if id in log.entrants], lang)


def skill_points(contest: SiteContest, id: int, log: ResultLog) -> list[CurvePoint]:
    """A bot's skill after so many matches: low, middle, high."""
    points = []
    for snapshot in contest.history(log):
        belief = snapshot.fit.belief(id)
        reach = SURE * belief.sigma
        points.append((snapshot.matches, belief.mu - reach, belief.mu, belief.mu + reach))
    return points


def trend(contest: SiteContest, id: int, log: ResultLog) -> tuple[float, int] | None:
    """By how much the skill moved in the last quarter of the schedule, and in how many matches."""
    points = skill_points(contest, id, log) if id in log.entrants else []
    if len(points) < TREND:
        return None
    before, now = points[-1 - len(points) // TREND], points[-1]
    return now[2] - before[2], now[0] - before[0]


def bot_page(
    contests: Contests, contest: SiteContest, links: Links, id: int, game: str | None
) -> str:
    """The page of a bot."""
    log = contest.log(game)
    found = profile(contests, contest, id, log)
    return draw(
        "bot.html",
        links.frame(f"{brief(contest.names[id])} · {contest.name}"),
        contest=contest,
        links=links,
        bot=found,
        entry=contest.league and contest.league.entry(id),
        last_line=last_line,
        name=contest.names[id],
        game=None if log is None else log.game,
        games=games(contest, links, None if log is None else log.game, "bots", str(id)),
        curve=None if log is None else rating_curve(contest, [id], log, links.lang),
        trend=None if log is None else trend(contest, id, log),
        ranked=0 if log is None else len(contest.board(log).rows),
        entered=format_time(found.entrant.created),
        moment=format_time,
        order=ranking,
    )
