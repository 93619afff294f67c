"""A visitor's own game: forms that post and lead back to the page."""

from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import N_, translate_error
from arena.site.app.cookies import VISITOR, with_cookie
from arena.site.app.forms import SubmittedForm, read_form
from arena.site.app.params import LinksDep, Number, SeatNumber
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.live_games import FullError, GameWishes, LiveTable
from arena.site.pages.own_game.lobby import MAX_OPPONENTS, lobby_page
from arena.site.pages.own_game.shared_game import explained_game_page, shared_game_page
from arena.site.pages.own_game.table import table_page
from arena.site.security.rate_limit import client_network
from arena.site.stored_games import decode_finished
from bots.house.hint import hint
from engine.errors import ArenaError
from engine.match import MatchResult

router = APIRouter(include_in_schema=False)

NOT_FINISHED = N_("expected a finished game, got none: is the link whole?")


@router.get("/play")
def lobby(request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    page = lobby_page(
        links,
        state.csrf.token(visitor),
        others=state.league_bots.names(state.visitor_owners(request)),
        running=state.live_games.running(visitor),
    )
    return with_cookie(page, request, visitor)


@router.get("/g/{word}")
def shared(
    word: str,
    state: AppStateDep,
    links: LinksDep,
    step: Number = None,
    seat: SeatNumber = None,
) -> HTMLResponse:
    return HTMLResponse(shared_game_page(_finished(state, word), links, word, step, seat))


@router.get("/g/{word}/explain")
def explained(
    word: str, state: AppStateDep, links: LinksDep, seat: SeatNumber = None
) -> HTMLResponse:
    game = _finished(state, word)
    return HTMLResponse(explained_game_page(state.contests, game, links, word, seat))


def _finished(state: AppState, word: str) -> MatchResult:
    """A finished game of a visitor by the word of its link."""
    found = state.storage.site.finished_game(word)
    if found is None:
        raise MissingError(NOT_FINISHED)
    return decode_finished(found)


@router.post("/play")
async def begin(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    form = await read_form(request, state)
    visitor = form.visitor
    bots = [form.get(f"bot{number}") for number in range(1, MAX_OPPONENTS + 1)]
    try:
        table = await run_in_threadpool(_open, state, request, form, [bot for bot in bots if bot])
    except ArenaError as problem:
        status = 503 if isinstance(problem, FullError) else 422
        return HTMLResponse(
            lobby_page(
                links,
                state.csrf.token(visitor),
                translate_error(problem, links.lang),
                form.fields,
                state.league_bots.names(state.visitor_owners(request)),
            ),
            status,
        )
    return RedirectResponse(links.to("play", table.id), 303)


def _open(state: AppState, request: Request, form: SubmittedForm, bots: list[str]) -> LiveTable:
    """A table as the form asks for it."""
    wishes = GameWishes(
        form.get("edition") or None,
        (form.get("expansion"),) if form.get("expansion") else (),
        wonder=form.get("wonder"),
        confirms=bool(form.get("confirm")),
    )
    return state.live_games.open(
        form.visitor,
        form.get("game"),
        bots,
        address=client_network(request.client.host) if request.client else "",
        wishes=wishes,
        places=state.league_bots.places(bots, state.visitor_owners(request)),
    )


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
    table = _table(state, request, id, visitor)
    token = state.csrf.token(visitor or "")
    return HTMLResponse(table_page(table, table.snapshot(), links, token, step, seat))


@router.get("/play/{id}/explain")
def explained_own(
    id: str, request: Request, state: AppStateDep, links: LinksDep, seat: SeatNumber = None
) -> HTMLResponse:
    snapshot = _table(state, request, id, request.cookies.get(VISITOR)).snapshot()
    if snapshot.result is None:
        raise MissingError(NOT_FINISHED)
    page = explained_game_page(
        state.contests, snapshot.result, links, snapshot.link or id, seat, table=id
    )
    return HTMLResponse(page)


@router.post("/play/{id}")
async def move(id: str, request: Request, state: AppStateDep, links: LinksDep) -> Response:
    form = await read_form(request, state)
    table = await run_in_threadpool(_table, state, request, id, form.visitor)
    if form.get("hint"):
        return await run_in_threadpool(_hint, state, table, links, form.visitor)
    await run_in_threadpool(_act, table, form)
    return RedirectResponse(links.to("play", id), 303)


def _act(table: LiveTable, form: SubmittedForm) -> None:
    """Do at the table what the form asks for."""
    turn, option = form.get("turn"), form.get("option")
    if form.get("resign"):
        table.resign()
    elif form.get("ask"):
        table.ask_first(True)
    elif form.get("undo") or form.get("confirm"):
        at = int(turn) if turn.isdecimal() and len(turn) < 10 else -1
        if form.get("undo"):
            table.undo(at)
        else:
            table.confirm(at, form.get("confirm") == "always")
    else:
        if not (turn.isdecimal() and option.isdecimal() and len(turn + option) < 10):
            raise ArenaError("expected the number of an option, got something else")
        table.choose(int(turn), int(option))


def _hint(state: AppState, table: LiveTable, links: Links, visitor: str) -> HTMLResponse:
    """The table with what the strongest bot of the house makes of every option."""
    snapshot = table.snapshot()
    with state.hint_lock:
        asked = snapshot.decision
        found = None if asked is None else hint(asked, table.spec.setup)
    page = table_page(table, snapshot, links, state.csrf.token(visitor), hint=found)
    return HTMLResponse(page)


def _table(state: AppState, request: Request, id: str, visitor: str | None) -> LiveTable:
    def places(bots: Sequence[str]) -> dict[str, str]:
        return state.league_bots.places(bots, state.visitor_owners(request))

    table = state.live_games.table(id, visitor, places)
    if table is None:
        raise MissingError("expected a table of yours, got none: it may have been closed")
    return table
