"""The rate limit of the site: so many requests of a client in a span of time."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

MAX_KNOWN: Final = 10_000  # visitors remembered


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
