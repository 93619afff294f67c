"""Matches to look at, and names no page may believe."""

from dataclasses import replace
from functools import cache

from arena.site.frames import build_frames
from arena.site.pages.replay import RenderedReplay, render_replay
from arena.site.templating import Link, PageFrame
from engine.match import Fault, MatchResult
from tests.support.setups import EXPERT, MEDALS, Row, random_match

ROWS = [
    Row("architects", 2, MEDALS),
    Row("architects", 3),
    Row("architects", 7, EXPERT),
    Row("seven", 3, {"edition": "1st"}),
    Row("seven", 7, {"edition": "2nd"}),
]
MARKUP = '<script>alert("x")</script>&amp;\'"</title>{{ 7*7 }}'


def names(players: int) -> tuple[str, ...]:
    """Names as bad as they come, each another."""
    return tuple(f"{MARKUP}{seat}" for seat in range(players))


def faulty(result: MatchResult) -> MatchResult:
    """The same match, but the bot of seat 1 fails at its third decision or so."""
    return replace(result, faults=(Fault(1, "exception", f"boom {MARKUP}", 2),))


def reel_of(row: Row, lang: str = "en", seat: int | None = None) -> RenderedReplay:
    return _reel(ROWS.index(row), lang, seat)


@cache
def _reel(at: int, lang: str, seat: int | None) -> RenderedReplay:
    result = faulty(random_match(ROWS[at], 1))
    return render_replay(build_frames(result, lang, seat, names(ROWS[at].players)))


def frame(lang: str = "en", root: str = "/") -> PageFrame:
    return PageFrame(
        title=f"{MARKUP} – final",
        lang=lang,
        root=root,
        links=(Link("Leagues", "/leagues"), Link("Rules", "/rules")),
        languages=(("en", "?lang=en"), ("fr", "?lang=fr")),
    )
