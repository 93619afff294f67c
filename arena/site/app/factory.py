"""The whole site put together: its routes, its errors, and the server it runs in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from socket import AF_INET, AF_INET6, create_server, socket
from typing import TYPE_CHECKING, Final, TextIO

import uvicorn
from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.middleware import Middleware
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)
from fastapi.staticfiles import StaticFiles

from arena.i18n import gettext, translate_error
from arena.site.app import api, routes_pages, routes_play, routes_submit
from arena.site.app.errors import HANDLED, http_error
from arena.site.app.middleware import RequestGuard, route_path
from arena.site.app.params import LinksDep, request_links
from arena.site.app.people import routes_join, routes_organiser
from arena.site.app.server.connection import limited_connections
from arena.site.app.server.page_cache import PageCache
from arena.site.app.state import AppState, AppStateDep
from arena.site.contests import Contests
from arena.site.monitoring.access_log import AccessLog
from arena.site.monitoring.metrics import Metrics
from arena.site.security.rate_limit import SiteLimits
from arena.site.security.trusted_hosts import TrustedHosts
from arena.site.templating import ASSETS, draw
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.errors import StorageError
from leagues.storage.handle import Storage

if TYPE_CHECKING:
    from arena.site.security.oidc import OidcProvider

VERSION = "1"  # of the answers under /api
SWEEP = 60.0  # seconds between looks for tables nobody looks at
SYNC = 3.0  # seconds between two times that processes tell each other of requests
METRICS_TYPE: Final = "text/plain; version=0.0.4"
LAST_WORDS = 10  # seconds for what is being answered when the site is stopped


def create_app(
    storage: Storage,
    hosts: TrustedHosts | None = None,
    limits: SiteLimits | None = None,
    root_path: str = "",
    metrics: bool = False,
    open_sign_up: bool = False,
    oidc: OidcProvider | None = None,
) -> FastAPI:
    """The site over a database; it answers to this machine's own names if others are not given."""
    known = hosts or TrustedHosts()
    bounds = limits or SiteLimits()
    contests = Contests(storage.reader)
    state = AppState(storage, contests, limits=bounds, open_sign_up=open_sign_up, oidc=oidc)
    app = FastAPI(
        title="Wonders Arena",
        version=VERSION,
        description="Tournaments, bots and matches of the arena, to be read by programs.",
        docs_url=None,
        redoc_url=None,
        middleware=[
            Middleware(
                RequestGuard,
                refuse=_problem,
                hosts=known,
                limiters=state.limiters,
                root_path=root_path,
            ),
            Middleware(PageCache, versions=storage.reader.versions.last),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6),
        ],
        lifespan=_lifespan,
    )
    app.state.state = state
    app.include_router(routes_pages.router)
    app.include_router(routes_play.router)
    app.include_router(routes_submit.router)
    app.include_router(routes_join.router)
    app.include_router(routes_organiser.router)
    if oidc is not None:
        from arena.site.app.people import routes_login  # loads Authlib, which is optional

        app.include_router(routes_login.router)
    app.include_router(api.router)
    app.add_api_route("/api", _api_page, include_in_schema=False, response_class=HTMLResponse)
    app.add_api_route("/favicon.ico", _icon, include_in_schema=False)
    app.add_api_route("/healthz", _health, include_in_schema=False)
    if metrics:
        watched = Metrics(storage.reader, state.requests)
        app.add_api_route(
            "/metrics",
            lambda: PlainTextResponse(watched.text(), media_type=METRICS_TYPE),
            include_in_schema=False,
        )
    app.mount("/static", StaticFiles(directory=ASSETS), "static")
    for kind in HANDLED:
        app.add_exception_handler(kind, _problem)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """While the site is up; its games can be played on when it is up again."""
    state: AppState = app.state.state
    tasks = [
        asyncio.create_task(_repeat(SWEEP, state.live_games.sweep)),
        asyncio.create_task(_repeat(SYNC, state.limiters.sync)),
    ]
    yield
    for task in tasks:
        task.cancel()
    state.live_games.close()
    state.league_bots.close()


async def _repeat(seconds: float, action: Callable[[], None]) -> None:
    """Do something now and again: close idle tables, share counts with other processes."""
    while True:
        with suppress(StorageError):  # the database does not answer now
            await run_in_threadpool(action)
        await asyncio.sleep(seconds)


def _api_page(request: Request, links: LinksDep) -> HTMLResponse:
    """What programs can ask, for people."""
    document = request.app.openapi()
    frame = links.frame("API")
    return HTMLResponse(
        draw("api.html", frame, paths=document["paths"], schemas=document["components"]["schemas"])
    )


def _icon() -> FileResponse:
    """For browsers that ask without being told where it is."""
    return FileResponse(ASSETS / "icon.svg")


def _health(state: AppStateDep) -> JSONResponse:
    """Whether the site and its database work: 200, or 503 from the error handler."""
    state.storage.reader.database.check_schema()
    return JSONResponse({"status": "ok"})


def _problem(request: Request, problem: Exception) -> Response:
    """An error, as a page or as JSON."""
    status, error = http_error(problem)
    headers = dict(getattr(problem, "headers", None) or {})
    path = route_path(request.scope)
    if path.startswith("/api/") or path == "/openapi.json":
        return JSONResponse({"detail": for_terminal(str(error))}, status, headers)
    links = request_links(request)
    text = for_terminal(translate_error(error, links.lang))
    page = draw("error.html", links.frame(_title(status, links.lang)), problem=text, status=status)
    return HTMLResponse(page, status, headers)


def _title(status: int, lang: str) -> str:
    """What an error page is called."""
    if status == 404:
        return gettext("There is no such page", lang)
    if status >= 500:
        return gettext("The site cannot answer now", lang)
    return gettext("That did not work", lang)


def listen(host: str, port: int) -> socket:
    """A socket at this address; ArenaError if it cannot be had."""
    try:
        return create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    except OSError as problem:
        reason = f"{problem.strerror or problem}".partition(" (while")[0].lower()
        raise ArenaError(
            "cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason
        ) from None


def run(
    app: FastAPI,
    listening: socket,
    proxies: Sequence[str] = (),
    log: TextIO | None = None,
    as_json: bool = False,
) -> None:
    """Answer until Ctrl-C; what trusted proxies say of their visitors is believed."""
    state: AppState = app.state.state
    config = uvicorn.Config(
        AccessLog(app, state.requests, log, as_json),
        http=limited_connections(state.limits, proxies),
        log_level="warning",
        ws="none",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=LAST_WORDS,
    )
    uvicorn.Server(config).run([listening])
