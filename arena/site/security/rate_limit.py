"""Rate limits of the site: so many requests of a client in a span of time."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from engine.errors import ArenaError
from leagues.accounts.site_state import SiteState

MAX_KNOWN: Final = 10_000  # visitors remembered
TOLD_FROM: Final = 0.1  # of a limit, before other processes are told: most visitors ask little
MINUTE: Final = 60.0
HOUR: Final = 3600.0
PARTS: Final = 12  # of a span, by which requests are counted


@dataclass(frozen=True)
class SiteLimits:
    """How much the site takes, each of one client address unless it says otherwise."""

    reads: int = 1200  # pages a minute
    replays: int = 120  # replays of matches a minute
    writes: int = 120  # forms a minute
    uploads: int = 10  # bots a minute, of one owner
    sign_ups: int = 20  # requests to come in, an hour
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
    """So many requests of a client in a span of seconds, counted by twelfths of the span.

    Processes of one site tell each other the counts of those who ask much.
    """

    def __init__(
        self,
        most: int,
        span: float,
        clock: Callable[[], float] = time.time,
        key: bytes = b"",
    ) -> None:
        self.most = most
        self.span = span
        self._clock = clock
        self._key = key
        self._counts: OrderedDict[str, dict[int, int]] = OrderedDict()  # by twelfth
        self._unsent: dict[str, dict[int, int]] = {}  # of these, what was counted here
        self._lock = threading.Lock()

    def wait(self, who: str) -> float:
        """Count a request; seconds to wait if it is one too many, which is not counted."""
        moment = self._clock() * PARTS / self.span
        now = math.floor(moment)
        # Known by a keyed hash: no address is stored.
        name = blake2b(who.encode("utf-8", "replace"), key=self._key, digest_size=12).hexdigest()
        with self._lock:
            counts = self._recent(name, now)
            over = sum(counts.values()) + 1 - self.most
            if over > 0:
                for part in sorted(counts):
                    over -= counts[part]
                    if over <= 0:
                        break
                return (part + PARTS - moment) * self.span / PARTS
            counts[now] = counts.get(now, 0) + 1
            unsent = self._unsent.setdefault(name, {})
            unsent[now] = unsent.get(now, 0) + 1
            return 0.0

    def _recent(self, name: str, now: int) -> dict[int, int]:
        """The counts of a client, without those of more than a span ago."""
        counts = self._counts.setdefault(name, {})
        self._counts.move_to_end(name)
        for part in [part for part in counts if part <= now - PARTS]:
            del counts[part]
        while len(self._counts) > MAX_KNOWN:
            self._counts.popitem(last=False)
        return counts

    def unsent(self) -> tuple[dict[tuple[str, int], int], int]:
        """What other processes do not know of those who ask much, and since when it counts."""
        since = math.floor(self._clock() * PARTS / self.span) - PARTS + 1
        told: dict[tuple[str, int], int] = {}
        with self._lock:
            for name, unsent in list(self._unsent.items()):
                recent = {part: hits for part, hits in unsent.items() if part >= since}
                if sum(self._counts.get(name, {}).values()) >= self.most * TOLD_FROM:
                    told |= {(name, part): hits for part, hits in recent.items()}
                    recent = {}
                if recent:
                    self._unsent[name] = recent
                else:
                    del self._unsent[name]
        return told, since

    def learn(self, totals: Mapping[tuple[str, int], int]) -> None:
        """Take over what all processes together counted."""
        now = math.floor(self._clock() * PARTS / self.span)
        with self._lock:
            for (name, part), hits in totals.items():
                unsent = self._unsent.get(name, {}).get(part, 0)
                self._recent(name, now)[part] = hits + unsent


class Limiters:
    """The rate limits of a site, shared by its processes through the database."""

    def __init__(self, limits: SiteLimits, site: SiteState) -> None:
        key = site.key("clients")
        self.reads = RateLimiter(limits.reads, MINUTE, key=key)
        self.replays = RateLimiter(limits.replays, MINUTE, key=key)
        self.writes = RateLimiter(limits.writes, MINUTE, key=key)
        self.uploads = RateLimiter(limits.uploads, MINUTE, key=key)
        self.sign_ups = RateLimiter(limits.sign_ups, HOUR, key=key)
        self._site = site

    def sync(self) -> None:
        """Tell other processes of the site what was counted here, and learn what they counted."""
        for name in ("reads", "replays", "writes", "uploads", "sign_ups"):
            limiter: RateLimiter = getattr(self, name)
            new, since = limiter.unsent()
            limiter.learn(self._site.count_requests(name, new, since))
