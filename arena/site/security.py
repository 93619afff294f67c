"""Rate limits, CSRF tokens and the security headers of every response."""

import hmac
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from engine.errors import ArenaError

MAX_KNOWN: Final = 10_000  # visitors remembered
# Nothing from elsewhere, nothing inline; a page of ours is never inside another's.
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class RequestError(ArenaError):
    """A request that is refused, with the HTTP status and headers of the answer."""

    def __init__(
        self, status: int, message: str, headers: dict[str, str] | None = None, **fields: object
    ) -> None:
        super().__init__(message, **fields)
        self.status = status
        self.headers = headers or {}


def client_network(address: str) -> str:
    """The key of a client for limits: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return address


class RateLimiter:
    """A sliding-window rate limiter: so many requests of a client in a span of seconds."""

    def __init__(self, most: int, span: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.span = span
        self._clock = clock
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, who: str) -> float:
        """Count a request; seconds to wait if it is one too many, which is not counted."""
        now = self._clock()
        with self._lock:
            times = self._seen.setdefault(who, deque())
            self._seen.move_to_end(who)
            while times and times[0] <= now - self.span:
                times.popleft()
            if len(times) >= self.most:
                return times[0] + self.span - now
            times.append(now)
            while len(self._seen) > MAX_KNOWN:
                self._seen.popitem(last=False)
            return 0.0


class CsrfTokens:
    """CSRF tokens: signed with HMAC, valid only beside the visitor cookie they were made for."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or secrets.token_bytes(32)

    def visitor(self, cookie: str | None) -> str:
        """The visitor a cookie names, or a new one."""
        return cookie if cookie and self._known(cookie) else self._new()

    def _new(self) -> str:
        name = secrets.token_urlsafe(18)
        return f"{name}.{self._sign('visitor', name)}"

    def _known(self, cookie: str) -> bool:
        name, _, mark = cookie.partition(".")
        return _equal(mark, self._sign("visitor", name))

    def token(self, visitor: str) -> str:
        """What a form of this visitor must bring back."""
        return self._sign("form", visitor)

    def is_valid(self, visitor: str | None, token: str) -> bool:
        """Whether the form was given to this visitor."""
        return visitor is not None and self._known(visitor) and _equal(token, self.token(visitor))

    def _sign(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what} {text}".encode(), sha256).hexdigest()


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())
