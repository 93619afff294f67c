"""The replay of a finished game of a visitor, at the short address it is shared by."""

from arena.display.names import game_name
from arena.i18n import gettext
from arena.playing.human import ME
from arena.site.contests import MissingError
from arena.site.frames import build_frames
from arena.site.links import Links
from arena.site.pages.replay import render_replay, replay_page
from engine.errors import TraceError
from engine.match import MatchResult


def shared_game_page(
    result: MatchResult, links: Links, step: int | None = None, seat: int | None = None
) -> str:
    """The game as everybody may see it, or one seat of it saw it."""
    lang = links.lang
    names = tuple(gettext("a visitor", lang) if bot == ME else bot for bot in result.spec.bots)
    title = f"{game_name(result.spec.game)} · {', '.join(names)}"
    try:
        rendered = render_replay(build_frames(result, lang, seat, names))
    except TraceError as problem:  # the rules have changed since
        raise MissingError(problem.message, **problem.fields) from None
    return replay_page(rendered, links.frame(title), step)
