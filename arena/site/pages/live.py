"""A league as it is played: the latest match on the screen, and the next when there is one."""

from arena.i18n import gettext
from arena.site.contests import Contests, SiteContest
from arena.site.links import Links
from arena.site.pages.leaderboards import top_rows
from arena.site.templating import draw

LATEST = 12  # matches beside the screen


def live_page(contests: Contests, contest: SiteContest, links: Links) -> str:
    """Matches one after another, as they are stored; of one that is not over nothing is told."""
    rows = contests.matches(contest.which, LATEST)
    return draw(
        "live.html",
        links.frame(f"{contest.title} · {gettext('Live', links.lang)}"),
        contest=contest,
        links=links,
        rows=rows,
        top=top_rows(contest),
    )
