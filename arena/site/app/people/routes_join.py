"""Coming in by a link, or by asking for one; and an owner's own tokens."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import gettext, translate_error
from arena.reports.wording import format_time
from arena.site.app.cookies import SESSION, VISITOR, set_cookie, with_cookie
from arena.site.app.errors import RequestError
from arena.site.app.forms import read_form
from arena.site.app.middleware import too_many
from arena.site.app.params import Id, LinksDep
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.pages.submit import last_contact, receiving_leagues
from arena.site.security.rate_limit import client_network
from arena.site.templating import draw
from engine.errors import ArenaError
from leagues.accounts.invitations import Invitation, InvitationState
from leagues.errors import RefusedError
from leagues.submissions.lifecycle import check_owner

router = APIRouter(include_in_schema=False)


def _count_sign_up(request: Request, state: AppState) -> None:
    """Let an address ask, but not all the time."""
    address = client_network(request.client.host) if request.client else ""
    if (wait := state.limiters.sign_ups.wait(address)) > 0:
        raise too_many(wait)


def _page(state: AppState, links: Links, token: str, **values: object) -> str:
    facts = {"problem": "", "invitation": None, "link": "", "new_token": "", "name": ""}
    reader = state.contests.reader
    is_in = values.get("new_token") or values.get("invitation")
    return draw(
        "join.html",
        links.frame(gettext("Take part", links.lang)),
        links=links,
        token=token,
        leagues=[] if is_in else receiving_leagues(reader),
        contact="" if is_in else last_contact(reader),
        **(facts | values),
    )


@router.get("/join")
def look(request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    """Where one asks to come in."""
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    text = _page(state, links, state.csrf.token(visitor), open=state.open_sign_up)
    return with_cookie(text, request, visitor)


@router.post("/join")
async def ask(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Ask an organiser; the answer is the same whoever is there already."""
    form = await read_form(request, state)
    if not state.open_sign_up:
        raise RequestError(403, "expected an invitation, got none: ask the organiser for a link")
    token = state.csrf.token(form.visitor)
    name = form.get("name").strip()
    try:
        check_owner(name)
        _count_sign_up(request, state)
        secret = await run_in_threadpool(
            state.storage.invitations.ask, name, form.get("note").strip()
        )
    except RefusedError as problem:
        text = translate_error(problem, links.lang)
        page = await run_in_threadpool(
            _page, state, links, token, open=True, problem=text, name=name
        )
        return HTMLResponse(page, 400)
    link = links.to("join", secret)
    return HTMLResponse(await run_in_threadpool(_page, state, links, token, open=True, link=link))


@router.get("/join/{secret}")
def link(secret: str, request: Request, state: AppStateDep, links: LinksDep) -> HTMLResponse:
    """An invitation, or a request that waits; a link that is neither is not there."""
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    text = _page(
        state,
        links,
        state.csrf.token(visitor),
        open=False,
        invitation=_invitation(state, secret),
        link=links.to("join", secret),
    )
    return with_cookie(text, request, visitor)


def _invitation(state: AppState, secret: str) -> Invitation:
    found = state.contests.reader.invitations.find(secret)
    if found is None:
        raise MissingError(
            "this invitation was used, has expired or was revoked: log in with your token under "
            "Take part, or ask the organiser for another"
        )
    return found


@router.post("/join/{secret}")
async def join(secret: str, request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Use up an invitation: a name of one's own, a token that is shown once, and a session."""
    form = await read_form(request, state)
    invitation = await run_in_threadpool(_invitation, state, secret)
    token = state.csrf.token(form.visitor)
    try:
        made = await run_in_threadpool(
            state.storage.invitations.join, secret, form.get("name").strip()
        )
    except ArenaError as problem:
        text = translate_error(problem, links.lang)
        waits = invitation.state == InvitationState.ASKED
        page = await run_in_threadpool(
            _page,
            state,
            links,
            token,
            open=False,
            invitation=invitation,
            link=links.to("join", secret),
            problem="" if waits else text,
        )
        return HTMLResponse(page, 409)
    cookie = await run_in_threadpool(state.storage.accounts.open_session, made)
    page = await run_in_threadpool(_page, state, links, token, open=False, new_token=made)
    answer = HTMLResponse(page)
    if cookie is not None:
        set_cookie(answer, request, SESSION, cookie)
    return answer


def _account(state: AppState, links: Links, owner: str, token: str, new: str = "") -> str:
    return draw(
        "account.html",
        links.frame(gettext("Your account", links.lang)),
        links=links,
        token=token,
        owner=owner,
        new_token=new,
        tokens=state.contests.reader.accounts.tokens(owner),
        is_organiser=state.is_organiser(owner),
        provider=state.oidc.name if state.oidc else "",
        linked=state.storage.identities.is_linked(owner) if state.oidc else False,
        teams=state.contests.reader.teams.of(owner),
        moment=format_time,
    )


def _owner(state: AppState, request: Request) -> str:
    owner = state.visitor_owner(request)
    if owner is None:
        raise RequestError(403, "expected the token of an owner first, got none")
    return owner


@router.get("/account")
def account(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """An owner's own tokens; who has not come in is led to where one does."""
    visitor = state.csrf.visitor(request.cookies.get(VISITOR))
    owner = state.visitor_owner(request)
    if owner is None:
        return RedirectResponse(links.to("submit"), 303)
    text = _account(state, links, owner, state.csrf.token(visitor))
    return with_cookie(text, request, visitor)


@router.post("/account/tokens")
async def add_token(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Another token, which is shown once."""
    form = await read_form(request, state)
    owner = await run_in_threadpool(_owner, state, request)
    made = await run_in_threadpool(
        state.storage.accounts.add_token, owner, form.get("name").strip()[:40]
    )
    token = state.csrf.token(form.visitor)
    return HTMLResponse(await run_in_threadpool(_account, state, links, owner, token, made))


@router.post("/account/tokens/{id}")
async def revoke(id: Id, request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Let one of one's own tokens prove nothing any more."""
    await read_form(request, state)
    owner = await run_in_threadpool(_owner, state, request)
    await run_in_threadpool(state.storage.accounts.revoke_token, owner, id)
    left = await run_in_threadpool(state.visitor_owner, request)
    return RedirectResponse(links.to("account" if left else "submit"), 303)
