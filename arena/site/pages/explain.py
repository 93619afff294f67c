"""Why a seat of a match came out as it did: points by category, its outlook, other choices."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.display import display_of
from arena.display.names import score_names, wonder_name
from arena.i18n import gettext
from arena.playing.explain import MatchExplanation, describe_choices
from arena.site.contests import Contests, MissingError
from arena.site.formatting import brief
from arena.site.links import Links
from arena.site.templating import Link, draw
from bots.house.judge import JUDGE
from engine.match import MatchResult
from engine.replay import rounds

TURNS = 3  # turning points that are shown
COSTLY = 8  # decisions that are shown
WIDE, HIGH = 600, 120  # of the curve


@dataclass(frozen=True)
class ValueCurve:
    """The outlook over the seat's decisions: points of a line, and heights of some values."""

    line: str
    ticks: tuple[tuple[int, float], ...]


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
    cities = [wonder_name(spec.game, id, links.lang) for id in spec.setup.wonders]
    bots = [
        f"{brief(name)} ({city.partition(' (')[0]})"
        for name, city in zip(match.names, cities, strict=True)
    ]

    sheets = found.sheets
    if "medals" not in spec.setup.variant.expansions:  # then nobody can have one
        sheets = [{key: sheet[key] for key in sheet if key != "medals"} for sheet in sheets]

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
        told=describe_choices(match.result, found, links.lang),
        moments=_moments(match, links),
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
    outlooks = [each.outlook for each in found.decisions] + [found.final_outlook]
    points = (
        f"{WIDE * at / max(1, len(outlooks) - 1):.1f},{HIGH * (1 - outlook / 100):.1f}"
        for at, outlook in enumerate(outlooks)
    )
    return ValueCurve(" ".join(points), tuple((at, HIGH * (1 - at / 100)) for at in (0, 50, 100)))
