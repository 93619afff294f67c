"""Why a seat of a match came out as it did: points by category, its lead, and other choices."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.display import display_of
from arena.display.names import score_names, wonder_name
from arena.i18n import gettext
from arena.playing.explain import WORLDS, MatchExplanation
from arena.site.contests import Contests, MissingError
from arena.site.formatting import brief
from arena.site.links import Links
from arena.site.templating import Link, draw
from bots.house.judge import JUDGE
from engine.catalog import find
from engine.match import MatchResult
from engine.replay import rounds

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


@dataclass(frozen=True)
class ExplainedMatch:
    """A match whose end is explained: what it is called, who sat there, and where it is."""

    title: str
    about: tuple[Link, ...]  # the match itself, and what it belongs to
    result: MatchResult
    names: tuple[str, ...]
    path: tuple[str | int, ...]  # of the match
    command: str = ""  # that tells the same on a terminal


def explain_page(contests: Contests, links: Links, id: int, seat: int | None) -> str:
    """A stored match explained for a seat; if none is given, for the last."""
    stored = contests.match(id)
    seat = check_seat(stored.result.ranks, seat)
    contest = contests.contest_of(stored)
    called = f"{gettext('match', links.lang)} {id}"
    match = ExplainedMatch(
        title=f"{called} · {gettext('Why?', links.lang)}",
        about=(
            Link(called, links.to("matches", id)),
            Link(contest.name, links.within(contest.path)),
        ),
        result=stored.result,
        names=tuple(contest.names[entrant.id] for entrant in stored.entrants),
        path=("matches", id),
        command=f"arena match explain {id} --seat {seat}",
    )
    return draw_explanation(match, contests.explained(id, stored.result, seat), links)


def draw_explanation(match: ExplainedMatch, found: MatchExplanation, links: Links) -> str:
    """The page that explains a match for one of its seats."""
    spec = match.result.spec
    game = find(spec.game)
    display = display_of(spec.game)
    cities = [wonder_name(spec.game, id, links.lang) for id in spec.setup.wonders]
    bots = [
        f"{brief(name)} ({city.partition(' (')[0]})"
        for name, city in zip(match.names, cities, strict=True)
    ]

    sheets = found.sheets
    if "medals" not in spec.setup.variant.expansions:  # then nobody can have one
        sheets = [{key: sheet[key] for key in sheet if key != "medals"} for sheet in sheets]

    def words(text: str) -> str:
        return display.describe_action(game.parse(text), links.lang)

    return draw(
        "explain.html",
        links.frame(match.title),
        match=match,
        game=spec.game,
        seat=found.seat,
        bots=bots,
        seats=[
            Link(bot, links.to(*match.path, "explain", seat=each), each == found.seat)
            for each, bot in enumerate(bots)
        ],
        names=score_names(spec.game, links.lang),
        found=found,
        sheets=sheets,
        curve=_curve(found),
        turns=found.turning_points(TURNS),
        costly=found.costliest(COSTLY),
        agreed=sum(each.is_same for each in found.decisions),
        judge=JUDGE,
        words=words,
        moments=_moments(match, links),
        worlds=WORLDS,
    )


def check_seat(ranks: Sequence[int], seat: int | None) -> int:
    """The seat, or that of the last place."""
    if seat is None:
        return list(ranks).index(max(ranks))
    if not 0 <= seat < len(ranks):
        raise MissingError(
            "expected a seat from 0 to {last}, got {seat}", last=len(ranks) - 1, seat=seat
        )
    return seat


def _moments(match: ExplainedMatch, links: Links) -> list[Link]:
    """Where the replay shows each decision, in the words of its list of steps."""
    replay = links.to(*match.path)
    scene = display_of(match.result.spec.game).scene
    return [
        Link(scene(round.before, links.lang).short or str(step + 1), f"{replay}#step-{step}")
        for step, round in enumerate(rounds(match.result))
        for _ in round.seats
    ]


def _curve(found: MatchExplanation) -> ValueCurve:
    leads = [each.lead for each in found.decisions] + [float(found.final_lead)]
    low, high = min(0.0, *leads), max(0.0, *leads)
    span = high - low or 1.0
    points = (
        f"{WIDE * at / max(1, len(leads) - 1):.1f},{HIGH * (high - lead) / span:.1f}"
        for at, lead in enumerate(leads)
    )
    return ValueCurve(" ".join(points), round(HIGH * high / span, 1), low, high)
