"""What the parts of the served site share: its desk, and the links of a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from fastapi import Depends, Path, Query, Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from arena.site.archive import Archive
from arena.site.guard import Seal
from arena.site.parlour import Parlour
from arena.site.ways import Address, Ways
from arena.site.words import LANGUAGES

MOST: Final = 2**31 - 1  # of a number in an address
VISITOR: Final = "arena_visitor"  # the cookie
KEPT: Final = ("game", "players", "bot", "faulty", "page", "seat", "step", "edition")

Id = Annotated[int, Path(ge=1, le=MOST)]
Lang = Literal["en", "fr"]
Number = Annotated[int | None, Query(ge=0, le=MOST)]
Players = Annotated[int | None, Query(ge=2, le=7)]
PageNumber = Annotated[int, Query(ge=1, le=MOST)]
GameId = Annotated[Literal["architects", "seven"] | None, Query()]


@dataclass
class Desk:
    """What the site works with."""

    archive: Archive
    seal: Seal = field(default_factory=Seal)
    parlour: Parlour = field(default_factory=Parlour)


def desk_of(request: Request) -> Desk:
    """The desk of the site that was asked."""
    desk: Desk = request.app.state.desk
    return desk


def ways_of(request: Request) -> Ways:
    """The links of the page asked for."""
    query = dict(request.query_params)
    lang = query.get("lang", "en")
    path = tuple(part for part in request.url.path.split("/") if part)
    pairs = tuple((key, query[key]) for key in KEPT if key in query)
    return Ways(Address(path, pairs, lang if lang in LANGUAGES else "en"))


def known_ways(request: Request, lang: Annotated[Lang, Query()] = "en") -> Ways:
    """The links of a page, in a language there is."""
    ways = ways_of(request)
    assert ways.lang == lang
    return ways


AtDesk = Annotated[Desk, Depends(desk_of)]
OnWays = Annotated[Ways, Depends(known_ways)]


def shown(text: str, status: int = 200) -> HTMLResponse:
    """A page as an answer."""
    return HTMLResponse(text, status)


async def read_form(request: Request, desk: Desk) -> tuple[dict[str, str], str]:
    """The fields of a form that we gave to this visitor, without files; and the visitor."""
    async with request.form(max_files=0, max_fields=20) as form:
        fields = {key: value for key, value in form.items() if isinstance(value, str)}
    visitor = request.cookies.get(VISITOR)
    if visitor is None or not desk.seal.holds(visitor, fields.get("token", "")):
        raise HTTPException(403, "expected a form of this site, got another: load the page again")
    return fields, visitor


def with_cookie(response: HTMLResponse, request: Request, visitor: str) -> HTMLResponse:
    """The page, and a cookie that says who has its forms."""
    response.set_cookie(
        VISITOR,
        visitor,
        max_age=30 * 24 * 3600,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response
