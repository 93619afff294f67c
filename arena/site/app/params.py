"""What an address may say: names and numbers there are, and the links of the page it is of."""

from collections.abc import Iterable
from typing import Annotated, Final

from fastapi import Depends, Path, Query, Request
from pydantic import Field, JsonValue
from pydantic.fields import FieldInfo

from arena.i18n import LANGUAGES
from arena.site.app.middleware import route_path
from arena.site.app.server.accept_language import preferred_language
from arena.site.app.state import AppStateDep
from arena.site.contests import SiteContest
from arena.site.links import Links, PageAddress
from engine.catalog import GAMES
from leagues.submissions.lifecycle import NAME

MOST: Final = 2**31 - 1  # of a number
COUNTS: Final = [count for game in GAMES for count in game.players]
KEPT: Final = (
    *("game", "players", "bot", "faulty", "page", "seat", "step", "edition", "a", "b", "top"),
)


def one_of(words: Iterable[str]) -> FieldInfo:
    """A word out of these."""
    known = list(words)
    enum: dict[str, JsonValue] = {"enum": [*known]}
    told: FieldInfo = Field(pattern=f"^({'|'.join(known)})$", json_schema_extra=enum)
    return told


Id = Annotated[int, Path(ge=1, le=MOST)]
LeagueName = Annotated[str, Path(pattern=f"^{NAME.pattern}$")]
Number = Annotated[int | None, Query(ge=0, le=MOST)]
PageNumber = Annotated[int, Query(ge=1, le=MOST)]
Players = Annotated[int | None, Query(ge=min(COUNTS), le=max(COUNTS))]
SeatNumber = Annotated[int | None, Query(ge=0, lt=max(COUNTS))]
Percent = Annotated[int, Query(ge=0, le=100)]
Top = Annotated[int, Query(ge=1, le=100)]
Lang = Annotated[Annotated[str, one_of(LANGUAGES)] | None, Query()]
GameName = Annotated[str, one_of(game.id for game in GAMES)]
GameId = Annotated[GameName | None, Query()]


def request_links(request: Request) -> Links:
    """The links of the page asked for; without a language of its own, in the browser's."""
    query = dict(request.query_params)
    default = preferred_language(request.headers.get("accept-language", ""))
    lang = query.get("lang", default)
    path = tuple(part for part in route_path(request.scope).split("/") if part)
    pairs = tuple((key, query[key]) for key in KEPT if key in query)
    here = PageAddress(path, pairs, lang if lang in LANGUAGES else default)
    origin = f"{request.url.scheme}://{request.url.netloc}"  # a host that we answer to
    return Links(here, str(request.scope.get("root_path", "")), origin, default)


def page_links(request: Request, lang: Lang = None) -> Links:
    """The links of a page, in a language there is."""
    links = request_links(request)
    assert lang in (None, links.lang)
    return links


LinksDep = Annotated[Links, Depends(page_links)]


def tournament_asked(id: Id, state: AppStateDep) -> SiteContest:
    """The tournament asked about."""
    return state.contests.tournament(id)


def league_asked(name: LeagueName, state: AppStateDep) -> SiteContest:
    """The league asked about."""
    return state.contests.league(name)
