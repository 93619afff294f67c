"""A finished game of a visitor at the short address it is shared by: result, replay, and why."""

from dataclasses import dataclass, replace

from arena.display.names import game_name, wonder_name
from arena.i18n import N_, gettext, ngettext
from arena.playing.human import ME
from arena.site.contests import Contests, MissingError
from arena.site.frames import build_frames
from arena.site.links import Links
from arena.site.pages.explain import ExplainedMatch, check_seat, draw_explanation
from arena.site.pages.replay import ENDING_SLOT, render_replay, replay_page
from arena.site.templating import Link
from engine.errors import TraceError
from engine.match import MatchResult

WON = N_("{name} won with {points}, {lead} ahead of {rival}.")
WON_TIE = N_("{name} won with {points}, as many as {rival}: the tie-break decided.")
AND = N_(" and ")
SHARED = N_("{names} share the victory with {points}.")
WON_ALONE = N_("{name} won with {points}.")
ON_PODIUM = 3
# What the visitor is called: for everybody, and for themselves.
HUMAN = N_("Human")
YOU = N_("you")


@dataclass(frozen=True)
class PodiumPlace:
    """A player on the podium."""

    place: int
    name: str
    city: str
    wonder: str
    points: str


def shared_game_page(
    result: MatchResult, links: Links, word: str, step: int | None = None, seat: int | None = None
) -> str:
    """The game as everybody may see it, or one seat of it saw it.

    Without a step it begins with the whole result; a link to a step shows that step.
    """
    names = player_names(result, links.lang)
    try:
        rendered = render_replay(build_frames(result, links.lang, seat, names))
    except TraceError as problem:  # the rules have changed since
        raise MissingError(problem.message, **problem.fields) from None
    places = podium(result, names, links.lang)
    won = tell_winner(result, places, links.lang)
    about = f"{game_name(result.spec.game)} · {won}"
    return replay_page(
        rendered,
        replace(links.frame(", ".join(names), result.spec.game), description=about),
        step or 0,
        template="shared_game.html",
        links=links,
        word=word,
        won=won,
        podium=places[:ON_PODIUM] if step is None else (),
        pad=rendered.html(len(rendered.steps) - 1, ENDING_SLOT),
    )


def podium(result: MatchResult, names: tuple[str, ...], lang: str) -> list[PodiumPlace]:
    """The players in the order they came in."""
    cities = [wonder_name(result.spec.game, id, lang) for id in result.spec.setup.wonders]
    return [
        PodiumPlace(
            result.ranks[seat] + 1,
            names[seat],
            cities[seat].partition(" (")[0],
            result.spec.setup.wonders[seat],
            ngettext("{n} point", "{n} points", result.scores[seat], lang),
        )
        for seat in sorted(range(len(names)), key=lambda seat: (result.ranks[seat], seat))
    ]


def tell_winner(result: MatchResult, places: list[PodiumPlace], lang: str) -> str:
    """Who won, and how far ahead of the next, unless that one left or failed."""
    first, second = sorted(range(len(places)), key=lambda seat: (result.ranks[seat], seat))[:2]
    lead = result.scores[first] - result.scores[second]
    named = [f"{each.name} ({each.city})" for each in places]
    winners = [name for name, each in zip(named, places, strict=True) if each.place == 1]
    points = places[0].points
    if len(winners) > 1:
        together = gettext(AND, lang).join([", ".join(winners[:-1]), winners[-1]])
        return gettext(SHARED, lang, names=together, points=points)
    message = WON if lead > 0 else WON_TIE
    if any(fault.seat == second for fault in result.faults):
        message = WON_ALONE
    return gettext(message, lang, name=named[0], points=points, lead=lead, rival=named[1])


def explained_game_page(
    contests: Contests,
    result: MatchResult,
    links: Links,
    word: str,
    seat: int | None,
    table: str = "",
) -> str:
    """Why the game ended as it did for a seat; if none is given, for the visitor's.

    At the address of their table it is the visitor who reads it.
    """
    names = player_names(result, links.lang, YOU if table else HUMAN)
    own = result.spec.bots.index(ME) if ME in result.spec.bots else None
    asked = check_seat(result.ranks, own if seat is None else seat)
    path = ("play", table) if table else ("g", word)
    try:
        found = contests.explained(word, result, asked)
    except TraceError as problem:
        raise MissingError(problem.message, **problem.fields) from None
    match = ExplainedMatch(
        title=gettext("Why did it end like this?", links.lang),
        about=(Link(", ".join(names), links.to(*path)),),
        result=result,
        names=names,
        path=path,
        reader=own if table else None,
    )
    return draw_explanation(match, found, links)


def player_names(result: MatchResult, lang: str, visitor: str = HUMAN) -> tuple[str, ...]:
    """Who sat there; the visitor has no name."""
    return tuple(gettext(visitor, lang) if bot == ME else bot for bot in result.spec.bots)
