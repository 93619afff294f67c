"""The access log: a line for every request, as text or as JSON, and the counts of all."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Others are counted as one: a visitor may invent methods.
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
MAX_PATH: Final = 400  # characters of a path that are logged
SECRET_PATH: Final = re.compile(r"(/join/).+")  # a link that lets somebody in
ABORTED: Final = 499  # the status of a request that had no answer, as proxies log it


class RequestCounter:
    """How many requests were answered, by method and status, and how long they took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds = 0.0

    def add(self, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        with self._lock:
            self.requests[method if method in METHODS else "OTHER", status] += 1
            self.seconds += seconds


class AccessLog:
    """Around the whole site: counts every request, and writes a line of it where a log is kept."""

    def __init__(
        self,
        app: Application,
        counter: RequestCounter,
        log: TextIO | None = None,
        as_json: bool = False,
    ) -> None:
        self.app = app
        self.counter = counter
        self.log = log
        self.as_json = as_json

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = ABORTED
        size = 0
        start = time.perf_counter()

        async def answer(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - start
            self.counter.add(scope["method"], status, seconds)
            if self.log is not None:
                print(self._line(scope, status, size, seconds), file=self.log, flush=True)

    def _line(self, scope: Scope, status: int, size: int, seconds: float) -> str:
        client = scope["client"][0] if scope.get("client") else "-"
        path = SECRET_PATH.sub(r"\1...", for_terminal(scope["path"]))[:MAX_PATH]
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if self.as_json:
            fields = {
                "time": at,
                "client": client,
                "method": scope["method"],
                "path": path,
                "status": status,
                "bytes": size,
                "milliseconds": round(1000 * seconds, 1),
            }
            return json.dumps(fields)
        method = for_terminal(scope["method"])
        return f"{at} {client} {method} {path} {status} {size} {1000 * seconds:.1f}ms"


@contextmanager
def open_access_log(path: Path | None) -> Iterator[TextIO | None]:
    """A file that is appended to, stderr if it is called -, or none."""
    if path is None or str(path) == "-":
        yield None if path is None else sys.stderr
        return
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"cannot write {path}: {problem.strerror}") from None
    with file:
        yield file
