"""Submissions by their owners: a token to come in, files to upload, their own sources to see."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from arena.i18n import translate_error
from arena.site.app.cookies import OWNER, VISITOR, set_cookie, with_cookie
from arena.site.app.errors import http_error
from arena.site.app.forms import read_form
from arena.site.app.params import Id, OnWays
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.pages.submit import entry_page, hand_in, own_entry, own_files, submit_page
from arena.site.security import RequestError
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.records import SubmissionState

router = APIRouter(include_in_schema=False)


@router.get("/submit")
def look(request: Request, desk: AppStateDep, ways: OnWays) -> HTMLResponse:
    visitor = desk.seal.visitor(request.cookies.get(VISITOR))
    owner = desk.visitor_owner(request)
    text = submit_page(desk.archive.reader, ways, desk.seal.token(visitor), owner)
    return with_cookie(text, request, visitor)


@router.post("/submit/enter")
async def enter(request: Request, desk: AppStateDep, ways: OnWays) -> Response:
    """Come in with a token, or leave without one."""
    form = await read_form(request, desk)
    given = form.get("owner_token").strip()
    answer = RedirectResponse(ways.to("submit"), 303)
    if not given:
        answer.delete_cookie(OWNER)
        return answer
    if await run_in_threadpool(desk.owner, given) is None:
        return await run_in_threadpool(
            _refused,
            desk,
            ways,
            form.visitor,
            None,
            RequestError(403, "expected the token of an owner, got another"),
        )
    set_cookie(answer, request, OWNER, given)
    return answer


@router.post("/submit")
async def upload(request: Request, desk: AppStateDep, ways: OnWays) -> Response:
    """Take a bot; what is too large is refused while it comes."""
    owner = await run_in_threadpool(desk.visitor_owner, request)
    if owner is None:
        raise RequestError(403, "expected the token of an owner first, got none")
    desk.count_upload(owner)
    form = await read_form(request, desk, files=1)
    file = form.file
    try:
        if file is None:
            raise ArenaError("expected a file, got none")
        entry = await run_in_threadpool(
            hand_in, desk.storage, form.get("league"), file.name, file.data, owner
        )
    except ArenaError as problem:
        return await run_in_threadpool(_refused, desk, ways, form.visitor, owner, problem)
    return RedirectResponse(ways.to("submit", entry.id), 303)


def _refused(
    desk: AppState, ways: Links, visitor: str, owner: str | None, problem: ArenaError
) -> HTMLResponse:
    """The page with the form again, and why the form was refused."""
    status, error = http_error(problem)
    token = desk.seal.token(visitor)
    text = for_terminal(translate_error(error, ways.lang))
    return HTMLResponse(submit_page(desk.archive.reader, ways, token, owner, text), status)


@router.get("/submit/{id}")
def entry(id: Id, request: Request, desk: AppStateDep, ways: OnWays) -> HTMLResponse:
    visitor = desk.seal.visitor(request.cookies.get(VISITOR))
    found = own_entry(desk.archive.reader, id, desk.visitor_owner(request))
    text = entry_page(desk.archive.reader, ways, desk.seal.token(visitor), found)
    return with_cookie(text, request, visitor)


@router.post("/submit/{id}")
async def withdraw(id: Id, request: Request, desk: AppStateDep, ways: OnWays) -> Response:
    """Take a bot out at its owner's wish."""
    await read_form(request, desk)
    owner = await run_in_threadpool(desk.visitor_owner, request)
    found = await run_in_threadpool(own_entry, desk.archive.reader, id, owner)
    await run_in_threadpool(
        desk.storage.leagues.set_submission_state,
        found.id,
        SubmissionState.WITHDRAWN,
        "",
        "",
        owner or "",
    )
    return RedirectResponse(ways.to("submit", id), 303)


@router.get("/submit/{id}/files/{number}")
def file(
    id: Id, number: Annotated[int, Path(ge=0, le=1000)], request: Request, desk: AppStateDep
) -> PlainTextResponse:
    """A file of one's own bot, as text whatever it is."""
    found = own_entry(desk.archive.reader, id, desk.visitor_owner(request))
    items = own_files(desk.archive.reader, found)
    if number >= len(items):
        raise MissingError("expected a file of this submission, got {number}", number=number)
    return PlainTextResponse(items[number].content.decode("utf-8", "replace"))
