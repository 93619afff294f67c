"""What organisers see and do on the site; for everybody else it is not there."""

from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import translate_error
from arena.site.app.cookies import VISITOR, with_cookie
from arena.site.app.forms import SubmittedForm, read_form
from arena.site.app.params import LinksDep
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.pages.organiser import organiser_page
from engine.errors import ArenaError
from leagues.records import SubmissionState
from leagues.storage.handle import Storage

FILLED: Final = ("form", "action", "league", "subject")  # by a link; never a reason
router = APIRouter(prefix="/organiser", include_in_schema=False)
Action = Callable[[Storage, SubmittedForm, str, str], None]


def _organiser(state: AppState, request: Request) -> str:
    """The organiser who asks; to others nothing is there."""
    owner = state.visitor_owner(request)
    if owner is None or not state.is_organiser(owner):
        raise MissingError("Not Found")
    return owner


def _submission(storage: Storage, form: SubmittedForm) -> int:
    return storage.reader.leagues.named_submission(form.get("league"), form.get("subject")).id


def _set_state(state: SubmissionState) -> Action:
    def act(storage: Storage, form: SubmittedForm, reason: str, by: str) -> None:
        id = _submission(storage, form)
        storage.leagues.set_submission_state(id, state, reason, by=by, is_act=True)

    return act


def _set_member(is_member: bool) -> Action:
    def act(storage: Storage, form: SubmittedForm, reason: str, by: str) -> None:
        team, member = form.get("subject"), form.get("name")
        storage.teams.set_member(team, member, is_member, reason, by)

    return act


def _act(state: AppState, action: Action, form: SubmittedForm, reason: str, who: str) -> None:
    action(state.storage, form, reason, state.contests.reader.accounts.signature(who))


def _number(form: SubmittedForm) -> int:
    text = form.get("subject")
    if not text.isdecimal() or len(text) > 9:
        raise ArenaError("expected a number, got {text}", text=text[:40])
    return int(text)


ACTIONS: Final[dict[str, Action]] = {
    "ban": lambda s, f, why, by: s.moderation.ban(f.get("subject"), why, by),
    "unban": lambda s, f, why, by: s.moderation.unban(f.get("subject"), why, by),
    "rename": lambda s, f, why, by: s.moderation.rename(f.get("subject"), f.get("name"), why, by),
    "hide": lambda s, f, why, by: s.moderation.hide(_submission(s, f), why, by),
    "unhide": lambda s, f, why, by: s.moderation.unhide(_submission(s, f), why, by),
    "suspend": _set_state(SubmissionState.SUSPENDED),
    "resume": _set_state(SubmissionState.RESUMED),
    "add to team": _set_member(True),
    "remove from team": _set_member(False),
    "exclude": lambda s, f, why, by: s.results.exclude(_number(f), why, by),
    "restore": lambda s, f, why, by: s.results.restore(_number(f), why, by),
    "admit": lambda s, f, why, by: s.invitations.decide(_number(f), True, why, by),
    "refuse": lambda s, f, why, by: s.invitations.decide(_number(f), False, why, by),
}


@router.get("")
def look(request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    """The page; links to it fill in a form."""
    _organiser(state, request)
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    page = organiser_page(
        state.contests.reader,
        links,
        state.csrf.token(visitor),
        typed={key: request.query_params.get(key, "") for key in FILLED},
    )
    return with_cookie(page, request, visitor)


@router.post("")
async def act(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Do what an organiser asks for, with a reason."""
    form = await read_form(request, state)
    who = await run_in_threadpool(_organiser, state, request)
    action = ACTIONS.get(form.get("action"))
    reason = form.get("reason").strip()
    try:
        if action is None:
            raise ArenaError("expected an action of this page, got another")
        if not reason:
            raise ArenaError("expected a reason, got none")
        if form.get("action") == "ban" and form.get("subject") == who:
            raise ArenaError("expected another owner, got yourself")
        await run_in_threadpool(_act, state, action, form, reason, who)
    except ArenaError as problem:
        text = translate_error(problem, links.lang)
        token = state.csrf.token(form.visitor)
        page = await run_in_threadpool(
            organiser_page, state.contests.reader, links, token, text, form.fields
        )
        return HTMLResponse(page, 400)
    return RedirectResponse(f"{links.to('organiser')}#acts", 303)
