"""Rate limits of the site: so many requests of a client in a span of time."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from engine.errors import ArenaError

MAX_KNOWN: Final = 10_000  # visitors remembered


@dataclass(frozen=True)
class SiteLimits:
    """How much the site takes, each of one client address unless it says otherwise."""

    reads: int = 1200  # pages a minute
    replays: int = 120  # replays of matches a minute
    writes: int = 120  # forms a minute
    uploads: int = 10  # bots a minute, of one owner
    connections: int = 200  # at once
    all_connections: int = 800  # of all clients, as a process has about a thousand files
    tables: int = 4  # games under way of one visitor's address
    all_tables: int = 8  # games under way of all visitors


def parse_limits(words: Iterable[str]) -> SiteLimits:
    """Limits given as NAME=NUMBER; the others are as usual."""
    names = [field.name for field in fields(SiteLimits)]
    given: dict[str, int] = {}
    for word in words:
        name, _, number = word.partition("=")
        if name not in names or not number.isdecimal() or not 1 <= int(number[:10]) <= 10**6:
            raise ArenaError(
                f"expected a limit NAME=NUMBER with a name out of {', '.join(names)}, got {word!r}"
            )
        given[name] = int(number)
    return replace(SiteLimits(), **given)


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
