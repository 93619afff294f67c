"""A visitor's own game: forms that post and lead back to the page."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import translate_error
from arena.site.app.cookies import VISITOR, with_cookie
from arena.site.app.forms import read_form
from arena.site.app.params import LinksDep, Number, SeatNumber
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.live_games import FullError, LiveTable
from arena.site.pages.play import MAX_OPPONENTS, lobby_page, table_page
from arena.site.rate_limit import client_network
from engine.errors import ArenaError

router = APIRouter(include_in_schema=False)


@router.get("/play")
def lobby(request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    return with_cookie(lobby_page(links, state.csrf.token(visitor)), request, visitor)


@router.post("/play")
async def begin(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    form = await read_form(request, state)
    visitor = form.visitor
    bots = [form.get(f"bot{number}") for number in range(1, MAX_OPPONENTS + 1)]
    try:
        table = await run_in_threadpool(
            state.live_games.open,
            visitor,
            form.get("game"),
            [bot for bot in bots if bot],
            address=client_network(request.client.host) if request.client else "",
        )
    except ArenaError as problem:
        status = 503 if isinstance(problem, FullError) else 422
        return HTMLResponse(
            lobby_page(
                links, state.csrf.token(visitor), translate_error(problem, links.lang), form.fields
            ),
            status,
        )
    return RedirectResponse(links.to("play", table.id), 303)


@router.get("/play/{id}")
def look(
    id: str,
    request: Request,
    state: AppStateDep,
    links: LinksDep,
    step: Number = None,
    seat: SeatNumber = None,
) -> HTMLResponse:
    visitor = request.cookies.get(VISITOR)
    table = _table(state, id, visitor)
    token = state.csrf.token(visitor or "")
    return HTMLResponse(table_page(table, table.snapshot(), links, token, step, seat))


@router.post("/play/{id}")
async def move(id: str, request: Request, state: AppStateDep, links: LinksDep) -> Response:
    form = await read_form(request, state)
    table = _table(state, id, form.visitor)
    if form.get("resign"):
        table.resign()
    else:
        turn, option = form.get("turn"), form.get("option")
        if not (turn.isdecimal() and option.isdecimal() and len(turn + option) < 10):
            raise ArenaError("expected the number of an option, got something else")
        table.choose(int(turn), int(option))
    return RedirectResponse(links.to("play", id), 303)


def _table(state: AppState, id: str, visitor: str | None) -> LiveTable:
    table = state.live_games.table(id, visitor)
    if table is None:
        raise MissingError("expected a table of yours, got none: it may have been closed")
    return table
