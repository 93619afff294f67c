"""A finished game of a visitor at the short address it is shared by: its replay, and why."""

from arena.display.names import game_name
from arena.i18n import gettext
from arena.playing.human import ME
from arena.site.contests import Contests, MissingError
from arena.site.frames import build_frames
from arena.site.links import Links
from arena.site.pages.explain import ExplainedMatch, check_seat, draw_explanation
from arena.site.pages.replay import render_replay, replay_page
from arena.site.templating import Link
from engine.errors import TraceError
from engine.match import MatchResult


def shared_game_page(
    result: MatchResult, links: Links, word: str, step: int | None = None, seat: int | None = None
) -> str:
    """The game as everybody may see it, or one seat of it saw it."""
    names = player_names(result, links.lang)
    title = f"{game_name(result.spec.game)} · {', '.join(names)}"
    try:
        rendered = render_replay(build_frames(result, links.lang, seat, names))
    except TraceError as problem:  # the rules have changed since
        raise MissingError(problem.message, **problem.fields) from None
    frame = links.frame(title)
    return replay_page(rendered, frame, step, template="shared_game.html", links=links, word=word)


def explained_game_page(
    contests: Contests, result: MatchResult, links: Links, word: str, seat: int | None
) -> str:
    """Why the game ended as it did for a seat; if none is given, for the visitor's."""
    names = player_names(result, links.lang)
    if seat is None and ME in result.spec.bots:
        seat = result.spec.bots.index(ME)
    asked = check_seat(result.ranks, seat)
    try:
        found = contests.explained(word, result, asked)
    except TraceError as problem:
        raise MissingError(problem.message, **problem.fields) from None
    match = ExplainedMatch(
        title=gettext("Why did it end like this?", links.lang),
        about=(Link(", ".join(names), links.to("g", word)),),
        result=result,
        names=names,
        path=("g", word),
    )
    return draw_explanation(match, found, links)


def player_names(result: MatchResult, lang: str) -> tuple[str, ...]:
    """Who sat there; the visitor has no name."""
    return tuple(gettext("Human", lang) if bot == ME else bot for bot in result.spec.bots)
