"""A league as it is played: matches under way, and the latest on the screen, one by one."""

from arena.i18n import gettext
from arena.site.contests import Contests, SiteContest
from arena.site.links import Links
from arena.site.pages.leaderboards import top_rows
from arena.site.pages.replay import render_table
from arena.site.templating import draw
from arena.site.under_way import MatchesUnderWay, live_delay

LATEST = 12  # matches beside the screen


def live_page(
    contests: Contests, contest: SiteContest, links: Links, under_way: MatchesUnderWay
) -> str:
    """Matches one after another, as they are stored; before that, what the league lets be shown."""
    delay = live_delay(contest)
    events = links.within(contest.path, "events")
    if delay is not None:
        events = live_events_link(contest, links, under_way)
    return draw(
        "live.html",
        links.frame(f"{contest.title} · {gettext('Live', links.lang)}"),
        contest=contest,
        links=links,
        rows=contests.matches(contest.which, LATEST),
        top=top_rows(contest),
        delay=delay,
        events=events,
        under_way=under_way.shown(contest, links.lang),
    )


def live_events_link(contest: SiteContest, links: Links, under_way: MatchesUnderWay) -> str:
    """Where a page that is drawn now hears that there is something new."""
    drawn = under_way.fingerprint(contest.path)
    return links.within(contest.path, "live", "events", drawn=drawn)


def running_match_page(
    contest: SiteContest, links: Links, under_way: MatchesUnderWay, stage: int, number: int
) -> str | None:
    """A match under way, as everybody at its table sees it; None if it is not under way."""
    lang = links.lang
    events = live_events_link(contest, links, under_way)
    shown = under_way.find(contest, stage, number, lang)
    if shown is None:
        return None
    return draw(
        "live_match.html",
        links.frame(f"{contest.title} · {gettext('Live', lang)}"),
        contest=contest,
        links=links,
        shown=shown,
        events=events,
        delay=live_delay(contest),
        drawn=render_table(shown.position.scene, shown.names, lang),
    )
