"""Submissions by their owners: a token to come in, files to upload, their own sources to see."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)

from arena.i18n import translate_error
from arena.site.app.cookies import SESSION, VISITOR, cookie_path, set_cookie, with_cookie
from arena.site.app.errors import RequestError, http_error
from arena.site.app.forms import read_form
from arena.site.app.params import Id, LinksDep, Number
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.pages.events import changes
from arena.site.pages.submit import entry_page, hand_in, own_entry, own_files, submit_page
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.records import Submission, SubmissionState

router = APIRouter(include_in_schema=False)


@router.get("/submit")
def look(request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    owners = state.visitor_owners(request)
    token = state.csrf.token(visitor)
    provider = state.oidc.name if state.oidc else ""
    text = submit_page(state.contests.reader, links, token, owners, provider=provider)
    return with_cookie(text, request, visitor)


@router.post("/submit/enter")
async def enter(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Come in with a token, or leave without one."""
    form = await read_form(request, state)
    given = form.get("owner_token").strip()
    answer = RedirectResponse(links.to("submit"), 303)
    if not given:
        await run_in_threadpool(
            state.storage.accounts.close_session, request.cookies.get(SESSION, "")
        )
        answer.delete_cookie(SESSION, cookie_path(request))
        return answer
    cookie = await run_in_threadpool(state.storage.accounts.open_session, given)
    if cookie is None:
        return await run_in_threadpool(
            _refused,
            state,
            links,
            form.visitor,
            [],
            RequestError(403, "expected the token of an owner, got another"),
        )
    set_cookie(answer, request, SESSION, cookie)
    return answer


@router.post("/submit")
async def upload(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Take a bot; what is too large is refused while it comes."""
    owners = await run_in_threadpool(state.visitor_owners, request)
    if not owners:
        raise RequestError(403, "expected the token of an owner first, got none")
    who = owners[0]
    state.count_upload(who)
    form = await read_form(request, state, files=1)
    file = form.file
    try:
        if file is None:
            raise ArenaError("expected a file, got none")
        owner = await run_in_threadpool(state.acting_for, who, form.get("owner"))
        entry = await run_in_threadpool(
            hand_in, state.storage, form.get("league"), file.name, file.data, owner, who
        )
    except ArenaError as problem:
        return await run_in_threadpool(_refused, state, links, form.visitor, owners, problem)
    return RedirectResponse(links.to("submit", entry.id), 303)


def _refused(
    state: AppState, links: Links, visitor: str, owners: Sequence[str], problem: ArenaError
) -> HTMLResponse:
    """The page with the form again, and why the form was refused."""
    status, error = http_error(problem)
    token = state.csrf.token(visitor)
    text = for_terminal(translate_error(error, links.lang))
    return HTMLResponse(submit_page(state.contests.reader, links, token, owners, text), status)


@router.get("/submit/{id}")
def entry(id: Id, request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    found = own_entry(state.contests.reader, id, state.visitor_owners(request))
    text = entry_page(state.contests.reader, links, state.csrf.token(visitor), found)
    return with_cookie(text, request, visitor)


@router.get("/submit/{id}/events")
async def entry_events(
    id: Id, request: Request, state: AppStateDep, seen: Number = None
) -> StreamingResponse:
    """Tells its owner when something becomes of a bot, by the number of events there are."""
    owners = await run_in_threadpool(state.visitor_owners, request)

    def known() -> int:
        return len(own_entry(state.contests.reader, id, owners).events)

    await run_in_threadpool(known)  # to others it is not there

    async def state_of() -> object:
        return await run_in_threadpool(known)

    stream = changes(state_of, request.is_disconnected, state.listeners, drawn=seen)
    return StreamingResponse(stream, media_type="text/event-stream")


@router.post("/submit/{id}")
async def withdraw(id: Id, request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Take a bot out as its owner asks."""
    await read_form(request, state)
    owners = await run_in_threadpool(state.visitor_owners, request)
    found = await run_in_threadpool(own_entry, state.contests.reader, id, owners)
    await run_in_threadpool(_withdraw, state, found, owners[0])
    return RedirectResponse(links.to("submit", id), 303)


def _withdraw(state: AppState, entry: Submission, who: str) -> None:
    by = state.contests.reader.accounts.signature(who)
    state.storage.leagues.set_submission_state(entry.id, SubmissionState.WITHDRAWN, by=by)


@router.get("/submit/{id}/files/{number}")
def file(
    id: Id, number: Annotated[int, Path(ge=0, le=1000)], request: Request, state: AppStateDep
) -> PlainTextResponse:
    """A file of one's own bot, as text whatever it is."""
    found = own_entry(state.contests.reader, id, state.visitor_owners(request))
    items = own_files(state.contests.reader, found)
    if number >= len(items):
        raise MissingError("expected a file of this submission, got {number}", number=number)
    return PlainTextResponse(items[number].content.decode("utf-8", "replace"))
