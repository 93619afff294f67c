"""Pages to read: contests, bots, matches, rules."""

from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from arena.site.app.params import (
    MOST,
    GameId,
    Id,
    LeagueName,
    LinksDep,
    Number,
    PageNumber,
    Percent,
    Players,
    SeatNumber,
    Top,
    league_asked,
    tournament_asked,
)
from arena.site.app.state import AppStateDep
from arena.site.contests import MissingError, SiteContest
from arena.site.pages.bot import bot_page
from arena.site.pages.compare import compare_page
from arena.site.pages.events import changes
from arena.site.pages.explain import explain_page
from arena.site.pages.feed import atom_feed
from arena.site.pages.leaderboards import (
    EMBEDDED_TOP,
    board_page,
    embedded_board_page,
    entries_page,
    meetings_page,
    podium_page,
    start_page,
)
from arena.site.pages.live import live_page, running_match_page
from arena.site.pages.matches import match_page, matches_page, watch_page
from arena.site.pages.rules import rules_page
from arena.site.under_way import live_delay
from engine.catalog import GAMES
from engine.errors import SetupError

ATOM_TYPE: Final = "application/atom+xml"
LIVE_EVERY: Final = 1.0  # seconds between looks at matches under way
OF_THIS_MOMENT: Final = {"Cache-Control": "no-store"}  # not kept, not even for a second


def contest_pages(prefix: str, find: Callable[..., SiteContest]) -> APIRouter:
    """The pages of one kind of contest."""
    router = APIRouter(prefix=prefix, include_in_schema=False)
    asked = Depends(find)
    _add_bot_pages(router, asked)

    @router.get("")
    def board(
        request: Request,
        state: AppStateDep,
        links: LinksDep,
        contest: SiteContest = asked,
        game: GameId = None,
        players: Players = None,
    ) -> HTMLResponse:
        owners = state.visitor_owners(request)
        return HTMLResponse(board_page(contest, links, game, players, owners))

    @router.get("/meetings")
    def meetings(
        links: LinksDep, contest: SiteContest = asked, game: GameId = None, bot: Number = None
    ) -> HTMLResponse:
        return HTMLResponse(meetings_page(contest, links, game, bot))

    @router.get("/events")
    async def events(
        request: Request, state: AppStateDep, contest: SiteContest = asked
    ) -> StreamingResponse:
        async def known() -> object:
            return await run_in_threadpool(state.contests.fingerprint, contest.path)

        stream = changes(known, request.is_disconnected, state.listeners)
        return StreamingResponse(stream, media_type="text/event-stream")

    @router.get("/live")
    def live(state: AppStateDep, links: LinksDep, contest: SiteContest = asked) -> HTMLResponse:
        headers = None if live_delay(contest) is None else OF_THIS_MOMENT
        page = live_page(state.contests, contest, links, state.under_way)
        return HTMLResponse(page, headers=headers)

    @router.get("/entries")
    def entries(links: LinksDep, contest: SiteContest = asked) -> HTMLResponse:
        return HTMLResponse(entries_page(contest, links))

    @router.get("/podium")
    def podium(links: LinksDep, contest: SiteContest = asked) -> HTMLResponse:
        return HTMLResponse(podium_page(contest, links))

    return router


def _add_bot_pages(router: APIRouter, asked: Any) -> None:
    """The pages of one bot, of two, and of matches."""

    @router.get("/bots/{bot}")
    def bot(
        bot: Id,
        state: AppStateDep,
        links: LinksDep,
        contest: SiteContest = asked,
        game: GameId = None,
    ) -> HTMLResponse:
        return HTMLResponse(bot_page(state.contests, contest, links, bot, game))

    @router.get("/compare")
    def compare(
        state: AppStateDep,
        links: LinksDep,
        contest: SiteContest = asked,
        a: Number = None,
        b: Number = None,
        game: GameId = None,
    ) -> HTMLResponse:
        return HTMLResponse(compare_page(state.contests, contest, links, a, b, game))

    @router.get("/matches")
    def matches(
        state: AppStateDep,
        links: LinksDep,
        contest: SiteContest = asked,
        bot: Number = None,
        players: Players = None,
        faulty: Annotated[bool, Query()] = False,
        page: PageNumber = 1,
        game: GameId = None,
    ) -> HTMLResponse:
        return HTMLResponse(
            matches_page(state.contests, contest, links, bot, players, faulty, page, game)
        )


router = APIRouter(include_in_schema=False)
router.include_router(contest_pages("/tournaments/{id}", tournament_asked))
router.include_router(contest_pages("/leagues/{name}", league_asked))


@router.get("/")
def start(state: AppStateDep, links: LinksDep, page: PageNumber = 1) -> HTMLResponse:
    return HTMLResponse(start_page(state.contests, links, page))


@router.get("/leagues/{name}/feed.atom")
def feed(name: LeagueName, request: Request, state: AppStateDep) -> Response:
    league = state.contests.reader.leagues.by_name(name)
    root = str(request.scope.get("root_path", ""))
    base = f"{request.url.scheme}://{request.url.netloc}{root}"
    return Response(atom_feed(state.contests.reader, league, base), media_type=ATOM_TYPE)


@router.get("/leagues/{name}/live/events")
async def live_events(
    request: Request,
    state: AppStateDep,
    contest: Annotated[SiteContest, Depends(league_asked)],
    drawn: str | None = None,
) -> StreamingResponse:
    async def known() -> object:
        return await run_in_threadpool(state.under_way.fingerprint, contest.path)

    stream = changes(known, request.is_disconnected, state.listeners, every=LIVE_EVERY, drawn=drawn)
    return StreamingResponse(stream, media_type="text/event-stream")


@router.get("/leagues/{name}/live/{stage}/{number}")
def running_match(
    stage: Id,
    number: Annotated[int, Path(ge=0, le=MOST)],
    state: AppStateDep,
    links: LinksDep,
    contest: Annotated[SiteContest, Depends(league_asked)],
) -> Response:
    """A match under way; the stored one once it is over, the live page if it is not played."""
    page = running_match_page(contest, links, state.under_way, stage, number)
    if page is not None:
        return HTMLResponse(page, headers=OF_THIS_MOMENT)
    assert contest.which.league is not None
    stored = state.contests.reader.running.stored_id(contest.which.league, stage, number)
    if stored is not None:
        return RedirectResponse(links.to("matches", stored), 303)
    return RedirectResponse(links.within(contest.path, "live"), 303)


@router.get("/watch")
def watch(state: AppStateDep, links: LinksDep) -> HTMLResponse:
    return HTMLResponse(watch_page(state.contests, links))


@router.get("/embed/matches/{id}")
def embed(
    id: Id, state: AppStateDep, links: LinksDep, step: Number = None, begin: Percent = 0
) -> HTMLResponse:
    return HTMLResponse(match_page(state.contests, links, id, step, embedded=True, begin=begin))


@router.get("/embed/tournaments/{id}")
def embed_tournament(
    links: LinksDep,
    contest: Annotated[SiteContest, Depends(tournament_asked)],
    game: GameId = None,
    top: Top = EMBEDDED_TOP,
) -> HTMLResponse:
    return HTMLResponse(embedded_board_page(contest, links, game, top))


@router.get("/embed/leagues/{name}")
def embed_league(
    links: LinksDep,
    contest: Annotated[SiteContest, Depends(league_asked)],
    game: GameId = None,
    top: Top = EMBEDDED_TOP,
) -> HTMLResponse:
    return HTMLResponse(embedded_board_page(contest, links, game, top))


@router.get("/matches/{id}")
def match(
    id: Id,
    request: Request,
    state: AppStateDep,
    links: LinksDep,
    step: Number = None,
    seat: SeatNumber = None,
) -> HTMLResponse:
    owners = state.visitor_owners(request)
    try:
        return HTMLResponse(match_page(state.contests, links, id, step, seat, owners=owners))
    except SetupError as problem:
        raise MissingError(problem.message, **problem.fields) from None


@router.get("/matches/{id}/explain")
def explain(
    id: Id, request: Request, state: AppStateDep, links: LinksDep, seat: SeatNumber = None
) -> HTMLResponse:
    owners = state.visitor_owners(request)
    return HTMLResponse(explain_page(state.contests, links, id, seat, owners))


@router.get("/rules/{game}")
def rules(game: str, links: LinksDep, edition: str | None = None) -> HTMLResponse:
    found = next((each for each in GAMES if each.id == game), None)
    if found is None or edition not in (None, *found.editions):
        raise MissingError(
            "expected rules of a game there is, got {game} {edition}",
            game=game,
            edition=edition or "",
        )
    return HTMLResponse(rules_page(game, links, edition))
