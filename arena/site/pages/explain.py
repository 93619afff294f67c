"""Why a seat of a match came out as it did: points by category, its outlook, other choices."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.display import display_of
from arena.display.names import score_names, wonder_name
from arena.i18n import N_, decimal, gettext, ngettext, semicolon
from arena.playing.explain import MatchExplanation, describe_choices, last_lost_lead
from arena.site.contests import Contests, MissingError
from arena.site.formatting import brief, largest_gaps
from arena.site.links import Links
from arena.site.templating import Link, draw
from bots.house.judge import JUDGE
from engine.match import MatchResult
from engine.replay import rounds

NO_BREAK = "\N{NO-BREAK SPACE}"
TURNS = 3  # turning points that are shown
COSTLY = 8  # decisions that are shown
WIDE, HIGH = 600, 200  # of the curve

WON = N_("{winner} won by {points}")
WON_TIE = N_("{winner} won on the tie-break")
WON_ALONE = N_("{winner} won")
SHARED = N_("{names} share the victory")
NEVER_BEHIND = N_("nobody else was ever ahead on points")
LOST_LEAD = N_("until {moment}, {rival} was ahead on points")
RANKED_LAST = N_("{rival} had more points, but ranks last after a fault or for leaving")
COSTLIEST = N_("{name} lost most at {moment}: {chosen}; better: {better} (outlook +{cost}).")
COMPARED = N_("Points of {name} compared with {rival}: {categories}.")
NONE_COSTLY = N_("{judge} would not have decided anything differently for {name}.")
# The same to whom they are about.
YOURS = {
    WON: N_("You won by {points}"),
    WON_TIE: N_("You won on the tie-break"),
    WON_ALONE: N_("You won"),
    LOST_LEAD: N_("until {moment}, you were ahead on points"),
    RANKED_LAST: N_("you had more points, but rank last after a fault or for leaving"),
    COMPARED: N_("Your points compared with {rival}: {categories}."),
    COSTLIEST: N_("You lost most at {moment}: {chosen}; better: {better} (outlook +{cost})."),
    NONE_COSTLY: N_("{judge} would not have decided anything differently for you."),
}


@dataclass(frozen=True)
class ValueCurve:
    """The outlook over the seat's decisions: a line, heights of some values, turning points."""

    line: str
    ticks: tuple[tuple[int, float], ...]
    turns: tuple[tuple[float, float, str], ...]  # where each is, and when it was
    begin: str  # when the first decision was


@dataclass(frozen=True)
class DecisionMoment:
    """When a decision was: in a list, in a sentence, and where the replay shows it."""

    text: str
    told: str
    href: str


@dataclass(frozen=True)
class ExplainedMatch:
    """A match whose end is explained: what it is called, who sat there, and where it is."""

    title: str
    about: tuple[Link, ...]  # the match itself, and what it belongs to
    result: MatchResult
    names: tuple[str, ...]
    path: tuple[str | int, ...]  # of the match
    command: str = ""  # that tells the same on a terminal
    reader: int | None = None  # the seat of whoever reads it, if it is one of them


def explain_page(
    contests: Contests, links: Links, id: int, seat: int | None, owners: Collection[str] = ()
) -> str:
    """A stored match explained for a seat; if none is given, for that of these owners, or the last.

    Of several of their seats it is the one that came in last.
    """
    stored = contests.match(id)
    ranks = stored.result.ranks
    if seat is None:
        mine = [at for at, entrant in enumerate(stored.entrants) if entrant.owner in owners]
        seat = max(mine, key=lambda at: ranks[at], default=None)
    seat = check_seat(ranks, seat)
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

    moments = _moments(match, links)
    told = describe_choices(match.result, found, links.lang)
    return draw(
        "explain.html",
        links.frame(match.title, spec.game),
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
        curve=_curve(found, moments),
        turns=found.turning_points(TURNS),
        costly=found.costliest(COSTLY),
        others=len(found.costliest(len(found.decisions))),
        agreed=sum(each.is_same for each in found.decisions),
        judge=JUDGE,
        answer=_Answer(match, bots, moments, links.lang).text(found, told),
        told=told,
        moments=moments,
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


class _Answer:
    """The explanation in short: who won, who was ahead until when, and what cost the seat most."""

    def __init__(
        self,
        match: ExplainedMatch,
        bots: Sequence[str],
        moments: Sequence[DecisionMoment],
        lang: str,
    ) -> None:
        self.result = match.result
        self.reader = match.reader
        self.bots = bots
        self.moments = moments
        self.lang = lang

    def text(self, found: MatchExplanation, told: dict[int, tuple[str, str]]) -> str:
        first = (
            f"{self._victory()}{semicolon(self.lang)} {self._way()}. {self._gaps(found)}".strip()
        )
        seat = found.seat
        worst = next(iter(found.costliest(1)), None)
        if worst is None:
            return f"{first} {self._line(NONE_COSTLY, seat, judge=JUDGE, name=self.bots[seat])}"
        chosen, better = told[worst.number]
        second = self._line(
            COSTLIEST,
            seat,
            name=self.bots[seat],
            moment=self.moments[worst.number].told,
            chosen=chosen,
            better=better,
            cost=decimal(worst.cost, 1, self.lang),
        )
        return f"{first} {second}"

    def _line(self, message: str, seat: int, **fields: object) -> str:
        """A sentence about a seat, to its own player if that is who reads it."""
        return gettext(YOURS[message] if seat == self.reader else message, self.lang, **fields)

    def _victory(self) -> str:
        """Who won, and by how much, unless the next failed or left."""
        result, bots = self.result, self.bots
        first, second = sorted(range(len(bots)), key=lambda seat: (result.ranks[seat], seat))[:2]
        winners = [bot for bot, rank in zip(bots, result.ranks, strict=True) if rank == 0]
        if len(winners) > 1:
            names = gettext(" and ", self.lang).join([", ".join(winners[:-1]), winners[-1]])
            return gettext(SHARED, self.lang, names=names)
        lead = result.scores[first] - result.scores[second]
        message = WON if lead > 0 else WON_TIE
        if any(fault.seat == second for fault in result.faults):
            message = WON_ALONE
        points = ngettext("{n} point", "{n} points", lead, self.lang)
        return self._line(message, first, winner=bots[first], points=points)

    def _gaps(self, found: MatchExplanation) -> str:
        """Where the seat got more or fewer points than the winner, or the winner than the next."""
        order = sorted(range(len(self.bots)), key=lambda seat: (self.result.ranks[seat], seat))
        rival = order[found.seat == order[0]]
        own, other = found.sheets[found.seat], found.sheets[rival]
        gaps = {key: own[key] - other[key] for key in own if key != "total"}
        names = score_names(self.result.spec.game, self.lang)
        if categories := largest_gaps(gaps, names, 0, self.lang, most=len(gaps)):
            fields = {"name": self.bots[found.seat], "rival": self.bots[rival]}
            return self._line(COMPARED, found.seat, **fields, categories=categories)
        return ""

    def _way(self) -> str:
        """Who was ahead before the winner, and until when."""
        scores = self.result.scores
        best = max(scores)
        seat = scores.index(best)
        if self.result.ranks[seat] > 0 and scores[self.result.ranks.index(0)] < best:
            return self._line(RANKED_LAST, seat, rival=self.bots[seat])
        lead = last_lost_lead(self.result)
        if lead is None:
            return gettext(NEVER_BEHIND, self.lang)
        moment = self.moments[lead.decision].told
        return self._line(LOST_LEAD, lead.seat, moment=moment, rival=self.bots[lead.seat])


def _moments(match: ExplainedMatch, links: Links) -> list[DecisionMoment]:
    """When each decision was, in the words of the replay's list of steps."""
    replay = links.to(*match.path)
    scene = display_of(match.result.spec.game).scene
    found = []
    for step, round in enumerate(rounds(match.result)):
        short = scene(round.before, links.lang).short
        told = gettext("step {number}", links.lang, number=step + 1)
        moment = DecisionMoment(
            short or str(step + 1),
            f"{told} ({short})".replace(" ", NO_BREAK) if short else told,
            f"{replay}#step-{step}",
        )
        found += [moment] * len(round.seats)
    return found


def _curve(found: MatchExplanation, moments: Sequence[DecisionMoment]) -> ValueCurve:
    across = [WIDE * at / max(1, len(found.decisions)) for at in range(len(found.decisions) + 1)]
    down = [HIGH * (1 - each.outlook / 100) for each in found.decisions]
    points = []
    for each, x, y in zip(found.decisions, across, down, strict=False):
        points += [(x, y), (x, y + HIGH * each.cost / 100)]  # what the choice cost is a drop
    points.append((across[-1], HIGH * (1 - found.final_outlook / 100)))
    line = " ".join(f"{x:.1f},{min(y, HIGH):.1f}" for x, y in points)
    turns = {each.number for each in found.turning_points(TURNS)}
    marks = tuple(
        (round(x, 1), round(y, 1), moments[each.number].text)
        for each, x, y in zip(found.decisions, across, down, strict=False)
        if each.number in turns
    )
    ticks = tuple((at, HIGH * (1 - at / 100)) for at in (0, 50, 100))
    return ValueCurve(line, ticks, marks, moments[found.decisions[0].number].text)
