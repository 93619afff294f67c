"""What organisers see and do on the site; for everybody else it is not there."""

from collections.abc import Callable
from functools import partial
from typing import Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import N_, gettext, translate_error
from arena.league.organiser.moderation import find_duplicates
from arena.reports.wording import format_time
from arena.site.app.cookies import VISITOR, with_cookie
from arena.site.app.forms import SubmittedForm, read_form
from arena.site.app.params import LinksDep
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.pages.acts import describe_stored_act
from arena.site.templating import draw
from engine.errors import ArenaError
from leagues.accounts.invitations import InvitationState
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage, StorageReader

router = APIRouter(prefix="/organiser", include_in_schema=False)
LATEST: Final = 50  # acts that are shown
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
    N_("ban"): lambda s, f, why, by: s.moderation.ban(f.get("subject"), why, by),
    N_("unban"): lambda s, f, why, by: s.moderation.unban(f.get("subject"), why, by),
    N_("rename"): lambda s, f, why, by: s.moderation.rename(
        f.get("subject"), f.get("name"), why, by
    ),
    N_("hide"): lambda s, f, why, by: s.moderation.hide(_submission(s, f), why, by),
    N_("unhide"): lambda s, f, why, by: s.moderation.unhide(_submission(s, f), why, by),
    N_("suspend"): _set_state(SubmissionState.SUSPENDED),
    N_("resume"): _set_state(SubmissionState.RESUMED),
    N_("add to team"): _set_member(True),
    N_("remove from team"): _set_member(False),
    N_("exclude"): lambda s, f, why, by: s.results.exclude(_number(f), why, by),
    N_("restore"): lambda s, f, why, by: s.results.restore(_number(f), why, by),
    "admit": lambda s, f, why, by: s.invitations.decide(_number(f), True, why, by),
    "refuse": lambda s, f, why, by: s.invitations.decide(_number(f), False, why, by),
}


def _page(state: AppState, links: Links, token: str, problem: str = "") -> str:
    reader = state.contests.reader
    leagues = [
        row
        for row in reader.leagues.all()
        if reader.leagues.state(row.id) not in (LeagueState.ARCHIVED, LeagueState.CLOSED)
    ]
    entries = {row.name: reader.leagues.submissions(row.id) for row in leagues}
    count, seal = reader.moderation.last_seal()
    return draw(
        "organiser.html",
        links.frame(gettext("Organisers", links.lang)),
        links=links,
        token=token,
        problem=problem,
        actions=[name for name in ACTIONS if name not in ("admit", "refuse")],
        leagues=[row.name for row in leagues],
        queue=[
            (name, entry)
            for name, found in entries.items()
            for entry in found
            if entry.state == SubmissionState.RECEIVED and not entry.moderation
        ],
        asked=[each for each in reader.invitations.all() if each.state == InvitationState.ASKED],
        duplicates=[
            (row.name, same) for row in leagues for same in find_duplicates(reader, row.id)
        ],
        faulty=[(row.name, *each) for row in leagues for each in _faulty(reader, row.id)],
        suspended=[
            (name, entry)
            for name, found in entries.items()
            for entry in found
            if entry.state == SubmissionState.SUSPENDED
        ],
        acts=reader.moderation.acts()[-LATEST:][::-1],
        describe=partial(describe_stored_act, lang=links.lang),
        count=count,
        seal=seal,
        moment=format_time,
    )


def _faulty(reader: StorageReader, league: int) -> list[tuple[str, int, int]]:
    """Who fails, how often, and in how many games; the worst first."""
    labels = {entry.entrant: entry.label for entry in reader.leagues.submissions(league)}
    found = [
        (labels[entrant], each.failed, each.games)
        for entrant, each in reader.leagues.reliability(league).items()
        if each.failed and entrant in labels
    ]
    return sorted(found, key=lambda row: -row[1] / row[2])[:20]


@router.get("")
def look(request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    _organiser(state, request)
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    return with_cookie(_page(state, links, state.csrf.token(visitor)), request, visitor)


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
        await run_in_threadpool(_act, state, action, form, reason, who)
    except ArenaError as problem:
        text = translate_error(problem, links.lang)
        token = state.csrf.token(form.visitor)
        return HTMLResponse(await run_in_threadpool(_page, state, links, token, text), 400)
    return RedirectResponse(links.to("organiser"), 303)
