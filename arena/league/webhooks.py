"""Webhooks: the news of a league, sent to addresses that its organiser has named.

A message is signed, sent again later if nobody took it, and goes to public addresses alone.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from arena.league.news import NewsItem, all_news
from arena.log_config import LOGGER
from bots.protocol.sanitize import one_line
from engine.errors import ArenaError
from leagues.errors import StorageError
from leagues.records import League
from leagues.storage.handle import Storage
from leagues.webhooks import Webhook

MAX_ITEMS: Final = 50  # in one message; the rest follows
TIMEOUT: Final = 5.0  # seconds for each step of sending
POLL: Final = 5.0  # seconds between two looks for news
FIRST_DELAY: Final = 10  # seconds after the first failure; twice as long after each further one
MAX_DELAY: Final = 6 * 3600
MAX_FAILURES: Final = 15  # one after the other, some two days; then the webhook is off
DEADLINE: Final = 15.0  # seconds for all of it, however slowly somebody answers
UNICAST: Final = IPv6Network("2000::/3")
# What the library takes for public: relays no longer in use, assignments for protocols, examples.
SPECIAL: Final = (
    IPv4Network("192.88.99.0/24"),
    IPv4Network("192.0.0.0/24"),
    IPv6Network("3fff::/20"),
)
SIGNATURE: Final = "X-Arena-Signature"

Post = Callable[[str, bytes, dict[str, str]], None]


class DeliveryError(ArenaError):
    """A message that was not taken, with the reason."""


def sign(secret: str, moment: int, body: bytes) -> str:
    """The value of the signature header: time and HMAC-SHA256 of `time.body`."""
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def check_url(url: str) -> None:
    """ArenaError unless this is an address that messages may be sent to."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
        _ = parts.port
        str(parts.hostname).encode("idna")  # as it is looked up: no part empty, or too long
    except ValueError:
        valid = False
    if not valid or not url.isascii() or not url.isprintable() or " " in url:
        raise ArenaError(f"expected a URL https://HOST/PATH, got {url!r}")


def public_address(host: str, port: int) -> tuple[str, int]:
    """Where a host name leads, if to the public internet alone; DeliveryError otherwise."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else None
        raise DeliveryError(f"{host} is not found: {why or problem}") from None
    addresses = [ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    if not addresses or not all(map(_is_public, addresses)):
        raise DeliveryError(f"{host} is a private address")
    return str(addresses[0]), port


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet, in whichever form it is written."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(address.ipv4_mapped)
        # Outside of these are forms that hold an IPv4 address, which may be a private one.
        if address not in UNICAST or address.sixtofour is not None:
            return False
    special = any(address in network for network in SPECIAL)
    return address.is_global and not address.is_multicast and not special


def post(url: str, body: bytes, headers: dict[str, str]) -> None:
    """Send a message; DeliveryError unless it was taken. Redirects are not followed."""
    parts = urlsplit(url)
    host, secure = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    # Connected to the address that was looked at, whatever the name leads to a moment later.
    address = public_address(host, port)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    try:
        raw = socket.create_connection(address, TIMEOUT)
    except OSError as problem:
        raise DeliveryError(f"{host} does not answer: {problem}") from None
    spare = raw.dup()  # the other becomes part of the TLS connection
    late = threading.Event()
    over = threading.Timer(DEADLINE, _hang_up, (spare, late))
    over.start()
    try:
        context = ssl.create_default_context()
        connection.sock = context.wrap_socket(raw, server_hostname=host) if secure else raw
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        status = connection.getresponse().status
        if late.is_set():  # what was cut off there reads like a whole answer
            raise TimeoutError(f"no whole answer within {DEADLINE:g} s")
    except (OSError, http.client.HTTPException) as problem:
        raise DeliveryError(f"{host} does not answer: {problem}") from None
    finally:
        over.cancel()
        spare.close()
        connection.close()
    if not 200 <= status < 300:
        raise DeliveryError(f"{host} answered with status {status}")


def _hang_up(connection: socket.socket, late: threading.Event) -> None:
    late.set()
    with suppress(OSError):  # it may have ended by itself
        connection.shutdown(socket.SHUT_RDWR)


def deliver(storage: Storage, send: Post = post, now: Callable[[], float] = time.time) -> int:
    """Send what is due to every webhook; how many messages were taken."""
    taken = 0
    for hook in storage.webhooks.due(int(now())):
        league = storage.reader.leagues.by_id(hook.league)
        items = _news_for(storage, league, hook)[:MAX_ITEMS]
        if not items:
            continue
        body = json.dumps(_message(league, items)).encode()
        moment = int(now())
        try:
            send(hook.url, body, {SIGNATURE: sign(hook.secret, moment, body)})
        except DeliveryError as problem:
            delay = min(MAX_DELAY, FIRST_DELAY * 2**hook.failures)
            gives_up = hook.failures + 1 >= MAX_FAILURES
            why = one_line(str(problem))  # with what a receiver may have answered
            storage.webhooks.defer(hook.id, moment + delay, why, gives_up)
            end = "given up" if gives_up else f"next try in {delay} s"
            LOGGER.warning("webhook %d of %s: %s; %s", hook.id, league.name, why, end)
        else:
            latest = {item.source: item.number for item in items}
            storage.webhooks.advance(hook.id, latest)
            taken += 1
    return taken


def _news_for(storage: Storage, league: League, hook: Webhook) -> list[NewsItem]:
    """What a webhook was not told yet, oldest first; of each source in its order."""
    known = {"league": hook.league_event, "stage": hook.stage, "bot": hook.submission_event}
    news = [item for item in all_news(storage.reader, league) if item.number > known[item.source]]
    # By its number within a source: a message may end anywhere, and the next goes on there.
    return sorted(news, key=lambda item: (item.source, item.number))


def _message(league: League, items: list[NewsItem]) -> dict[str, object]:
    events = [
        {
            "id": item.id,
            "kind": item.kind,
            "at": item.at,
            "title": item.title,
            "bot": item.bot,
            "reason": item.reason or None,
        }
        for item in items
    ]
    return {"league": league.name, "events": events}


@contextmanager
def deliver_in_background(storage: Storage) -> Iterator[None]:
    """Send what is due again and again, in a thread; one process of all does so at a time."""
    over = threading.Event()

    def loop() -> None:
        while not over.wait(POLL):
            try:
                if storage.webhooks.any():
                    with storage.database.exclusive("webhooks", "delivery of webhooks"):
                        deliver(storage)
            except StorageError:
                continue  # another process delivers, or the database does not answer now

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(2 * TIMEOUT)
