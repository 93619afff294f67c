"""Why a seat of a match came out as it did: points by category, its lead, and other choices."""

from dataclasses import dataclass

from arena.display import display_of
from arena.display.names import score_names
from arena.i18n import gettext
from arena.playing.explain import WORLDS, MatchExplanation
from arena.site.contests import Contests, MissingError
from arena.site.links import Links
from arena.site.templating import Link, draw
from bots.house.judge import JUDGE
from engine.catalog import find
from leagues.records import StoredMatch

TURNS = 3  # turning points that are shown
COSTLY = 8  # decisions that are shown
WIDE, HIGH = 600, 120  # of the curve


@dataclass(frozen=True)
class ValueCurve:
    """The lead over the seat's decisions: points of a line, and where nobody leads."""

    line: str
    zero: float
    low: float
    high: float


def explain_page(contests: Contests, links: Links, id: int, seat: int | None) -> str:
    """A match explained for a seat; if none is given, for the last."""
    stored = contests.match(id)
    seat = check_seat(stored, seat)
    found = contests.explained(stored, seat)
    contest = contests.contest_of(stored)
    game = find(stored.game)
    display = display_of(stored.game)

    def words(text: str) -> str:
        return display.describe_action(game.parse(text), links.lang)

    title = f"{gettext('match', links.lang)} {id} · {gettext('Why?', links.lang)}"
    return draw(
        "explain.html",
        links.frame(title),
        contest=contest,
        links=links,
        stored=stored,
        seat=seat,
        seats=[
            Link(f"{each} · {contest.names[entrant.id]}", _to(links, id, each), each == seat)
            for each, entrant in enumerate(stored.entrants)
        ],
        names=score_names(stored.game, links.lang),
        found=found,
        curve=_curve(found),
        turns=found.turning_points(TURNS),
        costly=found.costliest(COSTLY),
        agreed=sum(each.is_same for each in found.decisions),
        judge=JUDGE,
        words=words,
        worlds=WORLDS,
    )


def check_seat(stored: StoredMatch, seat: int | None) -> int:
    """The seat, or that of the last place."""
    ranks = stored.result.ranks
    if seat is None:
        return ranks.index(max(ranks))
    if not 0 <= seat < len(ranks):
        raise MissingError(
            "expected a seat from 0 to {last}, got {seat}", last=len(ranks) - 1, seat=seat
        )
    return seat


def _to(links: Links, id: int, seat: int) -> str:
    return links.to("matches", id, "explain", seat=seat)


def _curve(found: MatchExplanation) -> ValueCurve:
    leads = [each.lead for each in found.decisions] + [float(found.final_lead)]
    low, high = min(0.0, *leads), max(0.0, *leads)
    span = high - low or 1.0
    points = (
        f"{WIDE * at / max(1, len(leads) - 1):.1f},{HIGH * (high - lead) / span:.1f}"
        for at, lead in enumerate(leads)
    )
    return ValueCurve(" ".join(points), round(HIGH * high / span, 1), low, high)
