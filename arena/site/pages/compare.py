"""Two bots of a contest side by side: who is above, how sure that is, and where each is strong."""

from dataclasses import dataclass

from arena.i18n import gettext, ngettext
from arena.reports.wording import format_time
from arena.site.contests import Contests, SiteContest
from arena.site.formatting import brief
from arena.site.links import Links
from arena.site.pages.bot import rating_curve
from arena.site.pages.leaderboards import games
from arena.site.pages.matches import ranking
from arena.site.templating import draw
from leagues.ratings.effects import EffectEstimate, own_effects
from leagues.ratings.head_to_head import Meeting
from leagues.ratings.leaderboard import Standing
from leagues.ratings.pair_games import PairShare, pair_games
from leagues.ratings.result_log import ResultLog
from leagues.records import StoredMatch

WATCHED = 2  # matches of every kind that are worth watching


@dataclass(frozen=True)
class BotPair:
    """What is known of two bots of a contest."""

    standings: tuple[Standing | None, Standing | None]
    meeting: Meeting | None  # of the first with the second
    by_players: list[PairShare]
    effects: dict[str, list[tuple[str, EffectEstimate | None, EffectEstimate | None]]]
    watch: list[tuple[str, StoredMatch]]  # why, and what


def comparison(
    contests: Contests, contest: SiteContest, log: ResultLog, a: int, b: int, lang: str
) -> BotPair:
    """Two bots that played the game of this log."""
    rows = {row.entrant: row for row in contest.board(log).rows}
    meeting = contest.meetings(log).get((a, b))
    known = a in log.entrants and b in log.entrants
    shared = pair_games(log, a, b) if known else None
    effects = [own_effects(log, id) for id in (a, b)]
    watch: dict[int, str] = {}
    if shared is not None:
        leads = shared.leads()
        kinds = (shared.closest, shared.clearest, shared.turned().clearest)
        for id in (id for most in kinds for id in most(WATCHED)):
            watch[id] = _margin(contest, a if leads[id] >= 0 else b, abs(leads[id]), lang)
    return BotPair(
        standings=(rows.get(a), rows.get(b)),
        meeting=meeting,
        by_players=[] if shared is None else shared.by_players(),
        effects={
            by: _side_by_side(*(found.get(by, []) for found in effects))
            for by in ("players", "wonder", "seat")
        },
        watch=[(watch[stored.id], stored) for stored in contests.some_matches(list(watch))],
    )


def _margin(contest: SiteContest, ahead: int, points: int, lang: str) -> str:
    """Who of the two had more points, and by how many."""
    if not points:
        return gettext("the same number of points", lang)
    name = brief(contest.names[ahead])
    return ngettext(
        "{name} ahead by {n} point", "{name} ahead by {n} points", points, lang, name=name
    )


def _side_by_side(
    one: list[EffectEstimate], other: list[EffectEstimate]
) -> list[tuple[str, EffectEstimate | None, EffectEstimate | None]]:
    """Effects of the same name in a row, in their order."""
    mine, theirs = ({effect.name: effect for effect in effects} for effects in (one, other))
    names = dict.fromkeys([*mine, *theirs])
    return [(name, mine.get(name), theirs.get(name)) for name in sorted(names, key=_order)]


def _order(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (0, name)


def compare_page(
    contests: Contests,
    contest: SiteContest,
    links: Links,
    a: int | None,
    b: int | None,
    game: str | None,
) -> str:
    """Two bots side by side; who is not chosen is the first there is of the leaderboard."""
    log = contest.log(game)
    order = [] if log is None else [row.entrant for row in contest.board(log).rows]
    for id in (a, b):
        if id is not None:
            contest.entrant(id)
    if a is None:
        a = next((id for id in order if id != b), None)
    if b is None:
        b = next((id for id in order if id != a), None)
    found = None
    if log is not None and a is not None and b is not None and a != b:
        found = comparison(contests, contest, log, a, b, links.lang)
    names = [brief(contest.names[id]) for id in (a, b) if id is not None]
    return draw(
        "compare.html",
        links.frame(f"{' – '.join(names)} · {contest.name}"),
        contest=contest,
        links=links,
        game=None if log is None else log.game,
        games=games(contest, links, None if log is None else log.game, "compare", a=a, b=b),
        order=[*order, *(id for id in (a, b) if id is not None and id not in order)],
        a=a,
        b=b,
        found=found,
        curve=rating_curve(contest, [a, b], log, links.lang)
        if found is not None and log is not None and a is not None and b is not None
        else None,
        ranking=ranking,
        moment=format_time,
    )
