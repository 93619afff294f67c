"""Coming in through an OpenID Connect provider, where the site has one."""

import base64
import hmac
import json
import time
from dataclasses import asdict
from hashlib import sha256
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from arena.i18n import gettext
from arena.site.app.cookies import SESSION, cookie_path, set_cookie
from arena.site.app.errors import RequestError
from arena.site.app.forms import read_form
from arena.site.app.params import LinksDep
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import MissingError
from arena.site.security.oidc import LoginAttempt, OidcProvider
from arena.site.templating import draw

router = APIRouter(prefix="/login", include_in_schema=False)
LOGIN: Final = "arena_login"  # the cookie of a log-in that was begun
MAX_SECONDS: Final = 600  # for one
Word = Annotated[str, Query(max_length=2000)]
StateWord = Annotated[str, Query(alias="state", max_length=200)]


def _provider(state: AppState) -> OidcProvider:
    if state.oidc is None:
        raise MissingError("Not Found")
    return state.oidc


def _callback(request: Request) -> str:
    """Where the provider sends visitors back to; the host is one of ours."""
    root = str(request.scope.get("root_path", ""))
    return f"{request.url.scheme}://{request.url.netloc}{root}/login/callback"


def seal(key: bytes, facts: dict[str, Any]) -> str:
    """Facts as a cookie that nobody can change."""
    text = base64.urlsafe_b64encode(json.dumps(facts).encode()).decode()
    return f"{text}.{hmac.new(key, text.encode(), sha256).hexdigest()}"


def unseal(key: bytes, cookie: str) -> dict[str, Any] | None:
    """The facts of a cookie; None if it was changed, or is too old."""
    text, _, mark = cookie.partition(".")
    told = mark.encode("utf-8", "replace")
    if not hmac.compare_digest(told, hmac.new(key, text.encode(), sha256).hexdigest().encode()):
        return None
    facts: dict[str, Any] = json.loads(base64.urlsafe_b64decode(text))
    return facts if facts["until"] > time.time() else None


@router.get("")
def begin(request: Request, state: AppStateDep, link: bool = False) -> Response:
    """Lead to the provider; from an owner's account, to link a log-in of theirs."""
    provider = _provider(state)
    owner = state.visitor_owner(request) if link else None
    if link and owner is None:
        raise RequestError(403, "expected the token of an owner first, got none")
    url, attempt = provider.begin(_callback(request))
    facts = asdict(attempt) | {"link": owner, "until": time.time() + MAX_SECONDS}
    answer = RedirectResponse(url, 303)
    answer.set_cookie(
        LOGIN,
        seal(state.login_key, facts),
        max_age=MAX_SECONDS,
        httponly=True,
        samesite="lax",  # it must come back with the visitor, from the provider's page
        secure=request.url.scheme == "https",
        path=cookie_path(request),
    )
    return answer


@router.get("/callback")
def come_back(
    request: Request, state: AppStateDep, links: LinksDep, code: Word = "", told: StateWord = ""
) -> Response:
    """Where the provider leads back to: a session, or a log-in that is linked from now on."""
    provider = _provider(state)
    facts = unseal(state.login_key, request.cookies.get(LOGIN, ""))
    same = facts is not None and hmac.compare_digest(facts["state"].encode(), told.encode())
    if facts is None or not same or not code:
        raise RequestError(403, "this log-in was not started here, or has expired: start again")
    attempt = LoginAttempt(facts["state"], facts["nonce"], facts["verifier"])
    subject = provider.finish(_callback(request), attempt, code)
    cookie = None
    if facts["link"]:
        state.storage.identities.link(facts["link"], provider.issuer, subject)
    else:
        cookie = state.storage.identities.open_session(provider.issuer, subject)
        if cookie is None:
            raise RequestError(
                403, "expected a log-in that is linked to an owner; log in with your token first"
            )
    # A page, not a redirect: strict cookies are sent from here on, not on the way from elsewhere.
    frame = links.frame(gettext("You are logged in", links.lang))
    answer = HTMLResponse(draw("login.html", frame, links=links, linked=bool(facts["link"])))
    answer.delete_cookie(LOGIN, cookie_path(request))
    if cookie is not None:
        set_cookie(answer, request, SESSION, cookie)
    return answer


@router.post("/unlink")
async def unlink(request: Request, state: AppStateDep, links: LinksDep) -> Response:
    """Let no log-in be this owner's any more."""
    await read_form(request, state)
    owner = await run_in_threadpool(state.visitor_owner, request)
    if owner is None:
        raise RequestError(403, "expected the token of an owner first, got none")
    await run_in_threadpool(state.storage.identities.unlink, owner)
    left = await run_in_threadpool(state.visitor_owner, request)
    return RedirectResponse(links.to("account" if left else "submit"), 303)
