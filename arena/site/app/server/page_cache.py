"""Pages that are the same for everybody, kept as they were sent until the database changes."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.site.app.cookies import SESSION
from arena.site.app.middleware import route_path
from arena.site.app.server.accept_language import preferred_language
from leagues.accounts.site_state import Versions
from leagues.errors import StorageError

MAX_BYTES: Final = 64 << 20  # of all pages together
MAX_PAGE: Final = 2 << 20
MIN_AGE: Final = 2.0  # seconds for which new matches alone do not make a page anew
TOPS: Final = ("leagues", "tournaments", "matches", "embed", "rules", "watch", "g")
STREAM: Final = "events"  # the last part of a path that never ends

Key = tuple[str, str, str, bytes, bool, str]


@dataclass
class StoredPage:
    """An answer as it was sent, and what the database held before it was made."""

    versions: Versions
    made: float
    start: Message
    body: bytes = b""
    parts: list[bytes] = field(default_factory=list)


class PageCache:
    """Around the pages: what was sent is sent again, compressed as it was."""

    def __init__(
        self,
        app: ASGIApp,
        versions: Callable[[], Versions],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.versions = versions
        self.clock = clock
        self._pages: OrderedDict[Key, StoredPage] = OrderedDict()
        self._bytes = 0
        self._making: dict[Key, asyncio.Future[None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a page that is kept, or make it, once however many ask for it."""
        key = _key(scope)
        if key is None:
            await self.app(scope, receive, send)
            return
        try:
            now = await run_in_threadpool(self.versions)
        except StorageError:  # the page tells what is wrong
            await self.app(scope, receive, send)
            return
        while (page := self._fresh(key, now)) is None and key in self._making:
            await asyncio.shield(self._making[key])
        if page is None:
            await self._make(key, now, scope, receive, send)
            return
        await send({**page.start, "headers": list(page.start["headers"])})
        await send({"type": "http.response.body", "body": page.body})

    def _fresh(self, key: Key, now: Versions) -> StoredPage | None:
        page = self._pages.get(key)
        if page is None or page.versions.others != now.others:
            return None
        if page.versions.matches != now.matches and self.clock() - page.made >= MIN_AGE:
            return None
        self._pages.move_to_end(key)
        return page

    async def _make(
        self, key: Key, now: Versions, scope: Scope, receive: Receive, send: Send
    ) -> None:
        made = StoredPage(now, self.clock(), {})

        async def keep(message: Message) -> None:
            if message["type"] == "http.response.start":
                # The headers as they are now: others are added to the list on the way out.
                made.start = {**message, "headers": list(message.get("headers", []))}
            elif _may_be_kept(made.start) and sum(map(len, made.parts)) <= MAX_PAGE:
                made.parts.append(message.get("body", b""))
            await send(message)

        done = self._making[key] = asyncio.get_running_loop().create_future()
        try:
            await self.app(scope, receive, keep)
            self._store(key, made)
        finally:
            self._making.pop(key, None)
            done.set_result(None)

    def _store(self, key: Key, page: StoredPage) -> None:
        page.body, page.parts = b"".join(page.parts), []
        if not _may_be_kept(page.start) or len(page.body) > MAX_PAGE:
            return
        before = self._pages.pop(key, None)
        self._pages[key] = page
        self._bytes += len(page.body) - (len(before.body) if before else 0)
        while self._bytes > MAX_BYTES:
            self._bytes -= len(self._pages.popitem(last=False)[1].body)


def _may_be_kept(start: Message) -> bool:
    """Whether an answer is a whole page, with nothing of its visitor's or of this moment."""
    headers = Headers(raw=start.get("headers", []))
    is_page = headers.get("content-type", "").startswith("text/html")
    lasts = "set-cookie" not in headers and "cache-control" not in headers
    return start.get("status") == 200 and is_page and lasts


def _key(scope: Scope) -> Key | None:
    """What a page is known by; none if it may be another for another visitor."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    path = route_path(scope)
    top, *_, last = path.strip("/").split("/", 1)[0], path.rpartition("/")[2]
    if (top and top not in TOPS) or last == STREAM:
        return None
    headers = Headers(scope=scope)
    if SESSION in headers.get("cookie", ""):  # however it is written
        return None
    gzip = "gzip" in headers.get("accept-encoding", "")
    lang = preferred_language(headers.get("accept-language", ""))
    host = headers.get("host", "")
    return (scope.get("scheme", ""), host, path, scope["query_string"], gzip, lang)
