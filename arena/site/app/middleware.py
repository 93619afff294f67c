"""What every request passes: how often one may ask, how much one may send, what is sent along."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.site.app.errors import RequestError
from arena.site.security.rate_limit import Limiters, RateLimiter, client_network
from arena.site.security.trusted_hosts import TrustedHosts
from arena.site.templating import ASSET_VERSIONS
from leagues.submissions.archive import MAX_BYTES

MAX_FORM: Final = 64 * 1024  # bytes of a form without files
MAX_UPLOAD: Final = MAX_BYTES + MAX_FORM
UPLOADS: Final = re.compile(r"/api/leagues/[^/]+/submissions")
OWN: Final = ("same-origin", "none")  # where a browser says that a form of ours comes from
STRANGER: Final = "expected a host name of this site, got another: arena serve --host-name NAME\n"

# Nothing from elsewhere, nothing inline; a page of ours is never inside another's.
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; frame-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

# Of what others may show inside their pages: it knows no visitor and has no form.
EMBEDDED: Final = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
}

Refuse = Callable[[Request, Exception], Response]


def route_path(scope: Scope) -> str:
    """The path of a request below the root of the site, which may be a folder of a larger one."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path[len(root) :] if root and path.startswith(f"{root}/") else path


class RequestGuard:
    """Around the whole site."""

    def __init__(
        self,
        app: ASGIApp,
        refuse: Refuse,
        hosts: TrustedHosts,
        limiters: Limiters,
        root_path: str = "",
    ) -> None:
        self.app = app
        self.refuse = refuse
        self.hosts = hosts
        self.root_path = root_path
        self.limiters = limiters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not, and set the headers of its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = route_path({**scope, "root_path": self.root_path})  # a proxy may cut the root off
        scope["root_path"], scope["path"] = self.root_path, self.root_path + path

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (EMBEDDED if path.startswith("/embed/") else HEADERS).items():
                    headers.setdefault(name, value)
                headers.setdefault(
                    "Cache-Control", _kept(path, scope["query_string"], message["status"])
                )
                if headers.get("content-type", "").startswith("text/html"):
                    headers.add_vary_header("Accept-Language")
            await send(message)

        if not self._is_meant(scope):
            await PlainTextResponse(STRANGER, 421)(scope, receive, answer)
            return
        most = MAX_UPLOAD if is_upload(path) else MAX_FORM
        problem = self._problem(scope, most)
        if problem is not None:
            await self.refuse(Request(scope), problem)(scope, receive, answer)
            return
        await self.app(scope, counted(receive, most), answer)

    def _is_meant(self, scope: Scope) -> bool:
        """Whether it is this site that was asked, by a name it has."""
        told = Headers(scope=scope).getlist("host")
        return len(told) == 1 and self.hosts.accepts(told[0])

    def _limiter(self, scope: Scope) -> RateLimiter:
        if scope["method"] not in ("GET", "HEAD"):
            return self.limiters.writes
        path = route_path(scope)
        is_replay = path.startswith(("/matches/", "/embed/matches/", "/g/"))
        is_replay = is_replay or path.endswith("/explain")
        return self.limiters.replays if is_replay else self.limiters.reads

    def _problem(self, scope: Scope, most: int) -> RequestError | None:
        address = scope["client"][0] if scope.get("client") else ""
        wait = self._limiter(scope).wait(client_network(address))
        if wait > 0:
            return too_many(wait)
        headers = Headers(scope=scope)
        if scope["method"] != "GET" and headers.get("sec-fetch-site", OWN[0]) not in OWN:
            # Such as of another port of this host, which may set our cookies.
            return RequestError(403, "expected a form of this site, got another's")
        origin = headers.get("origin")  # of browsers that do not tell the site
        if scope["method"] != "GET" and origin and not self._is_own(origin, headers):
            return RequestError(403, "expected a form of this site, got another's")
        told = headers.get("content-length", "0")
        return too_large(most) if not told.isdecimal() or int(told[:15]) > most else None

    @staticmethod
    def _is_own(origin: str, headers: Headers) -> bool:
        """Whether a form comes from the host that is asked; its scheme may end at a proxy."""
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def _kept(path: str, query: bytes, status: int) -> str:
    """For how long a browser keeps an answer: a version of an asset forever."""
    folder, _, name = path.rpartition("/")
    if folder != "/static" or status not in (200, 206, 304):
        return "no-store"
    is_current = name in ASSET_VERSIONS and query == f"v={ASSET_VERSIONS[name]}".encode()
    return "max-age=31536000, immutable" if is_current else "max-age=600"


def counted(receive: Receive, most: int) -> Receive:
    """What comes in, refused where it becomes too much; a length may have been a lie."""
    total = 0

    async def take() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise too_large(most)
        return message

    return take


def is_upload(path: str) -> bool:
    """Whether files are sent there."""
    return path == "/submit" or UPLOADS.fullmatch(path) is not None


def too_many(seconds: float) -> RequestError:
    """The rate limit is reached for so many seconds."""
    wait = str(max(1, math.ceil(seconds)))
    headers = {"Retry-After": wait}
    return RequestError(429, "too many requests, retry in {wait} s", headers, wait=wait)


def too_large(most: int) -> RequestError:
    """More was sent than the limit allows."""
    return RequestError(413, "expected at most {limit} KB, got more", limit=most >> 10)
