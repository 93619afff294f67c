"""What the parts of the served site share: its desk, and the links of a request."""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from fastapi import Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from arena.site.app.gate import too_many
from arena.site.archive import Archive, Contest
from arena.site.guard import Seal, Window
from arena.site.parlour import Parlour
from arena.site.ways import Address, Ways
from arena.site.words import LANGUAGES
from engine.catalog import GAMES

UPLOADS: Final = 10  # a minute, of one owner
MOST: Final = 2**31 - 1  # of a number in an address
COUNTS: Final = [count for game in GAMES for count in game.players]
VISITOR: Final = "arena_visitor"  # the cookie
OWNER: Final = "arena_owner"  # the cookie with an owner's token
KEPT: Final = ("game", "players", "bot", "faulty", "page", "seat", "step", "edition")

Id = Annotated[int, Path(ge=1, le=MOST)]
Lang = Literal["en", "fr"]
Number = Annotated[int | None, Query(ge=0, le=MOST)]
Players = Annotated[int | None, Query(ge=min(COUNTS), le=max(COUNTS))]
SeatNumber = Annotated[int | None, Query(ge=0, lt=max(COUNTS))]
PageNumber = Annotated[int, Query(ge=1, le=MOST)]
GameId = Annotated[Literal["architects", "seven"] | None, Query()]


@dataclass
class Desk:
    """What the site works with."""

    archive: Archive
    seal: Seal = field(default_factory=Seal)
    parlour: Parlour = field(default_factory=Parlour)
    uploads: Window = field(default_factory=lambda: Window(UPLOADS, 60.0))

    def owner(self, token: str) -> str | None:
        """Whose token this is."""
        return self.archive.store.owner_of(token) if token else None

    def visitor_owner(self, request: Request) -> str | None:
        """The owner a visitor came in as."""
        return self.owner(request.cookies.get(OWNER, ""))

    def count_upload(self, owner: str) -> None:
        """Let an owner upload, but not all the time."""
        if (wait := self.uploads.wait(owner)) > 0:
            raise too_many(wait)


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
LeagueName = Annotated[str, Path(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]


def tournament_asked(id: Id, desk: AtDesk) -> Contest:
    """The tournament asked about."""
    return desk.archive.tournament(id)


def league_asked(name: LeagueName, desk: AtDesk) -> Contest:
    """The league asked about."""
    return desk.archive.league(name)


OnWays = Annotated[Ways, Depends(known_ways)]


def shown(text: str, status: int = 200) -> HTMLResponse:
    """A page as an answer."""
    return HTMLResponse(text, status)


@dataclass(frozen=True)
class Sent:
    """A file as it was uploaded."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Form:
    """What a visitor filled in."""

    visitor: str
    fields: dict[str, str]
    file: Sent | None

    def get(self, key: str) -> str:
        """A field, or nothing."""
        return self.fields.get(key, "")


async def read_form(request: Request, desk: Desk, files: int = 0) -> Form:
    """A form that we gave to this visitor; 403 if it is another."""
    fields: dict[str, str] = {}
    sent = None
    async with request.form(max_files=files, max_fields=20) as form:
        for key, value in form.items():
            if isinstance(value, str):
                fields[key] = value
            elif value.filename:
                sent = Sent(value.filename, await value.read())
    visitor = request.cookies.get(VISITOR)
    if visitor is None or not desk.seal.holds(visitor, fields.get("token", "")):
        raise HTTPException(403, "expected a form of this site, got another: load the page again")
    return Form(visitor, fields, sent)


def set_cookie(response: Response, request: Request, name: str, value: str) -> None:
    """A cookie that only this site gets, and no script sees."""
    response.set_cookie(
        name,
        value,
        max_age=30 * 24 * 3600,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def with_cookie(response: HTMLResponse, request: Request, visitor: str) -> HTMLResponse:
    """The page, and a cookie that says who has its forms."""
    set_cookie(response, request, VISITOR, visitor)
    return response
