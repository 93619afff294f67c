"""A visitor's own game: forms that post and lead back to the page."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import translate_error
from arena.site.app.cookies import VISITOR, with_cookie
from arena.site.app.forms import read_form
from arena.site.app.params import Number, OnWays, SeatNumber
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.live_games import FullError, LiveTable
from arena.site.pages.play import MAX_OPPONENTS, lobby_page, table_page
from arena.site.security import place_of
from engine.errors import ArenaError

router = APIRouter(include_in_schema=False)


@router.get("/play")
def lobby(request: Request, desk: AppStateDep, ways: OnWays) -> HTMLResponse:
    visitor = desk.seal.visitor(request.cookies.get(VISITOR))
    return with_cookie(lobby_page(ways, desk.seal.token(visitor)), request, visitor)


@router.post("/play")
async def begin(request: Request, desk: AppStateDep, ways: OnWays) -> Response:
    form = await read_form(request, desk)
    visitor = form.visitor
    bots = [form.get(f"bot{number}") for number in range(1, MAX_OPPONENTS + 1)]
    try:
        table = await run_in_threadpool(
            desk.parlour.open,
            visitor,
            form.get("game"),
            [bot for bot in bots if bot],
            address=place_of(request.client.host) if request.client else "",
        )
    except ArenaError as problem:
        status = 503 if isinstance(problem, FullError) else 422
        return HTMLResponse(
            lobby_page(
                ways, desk.seal.token(visitor), translate_error(problem, ways.lang), form.fields
            ),
            status,
        )
    return RedirectResponse(ways.to("play", table.id), 303)


@router.get("/play/{id}")
def look(
    id: str,
    request: Request,
    desk: AppStateDep,
    ways: OnWays,
    step: Number = None,
    seat: SeatNumber = None,
) -> HTMLResponse:
    visitor = request.cookies.get(VISITOR)
    table = _table(desk, id, visitor)
    token = desk.seal.token(visitor or "")
    return HTMLResponse(table_page(table, table.glance(), ways, token, step, seat))


@router.post("/play/{id}")
async def move(id: str, request: Request, desk: AppStateDep, ways: OnWays) -> Response:
    form = await read_form(request, desk)
    table = _table(desk, id, form.visitor)
    if form.get("resign"):
        table.resign()
    else:
        turn, option = form.get("turn"), form.get("option")
        if not (turn.isdecimal() and option.isdecimal() and len(turn + option) < 10):
            raise ArenaError("expected the number of an option, got something else")
        table.choose(int(turn), int(option))
    return RedirectResponse(ways.to("play", id), 303)


def _table(desk: AppState, id: str, visitor: str | None) -> LiveTable:
    table = desk.parlour.table(id, visitor)
    if table is None:
        raise MissingError("expected a table of yours, got none: it may have been closed")
    return table
