"""Webhooks: what is sent, signed and sent again, and where nothing is ever sent."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path

import pytest

from arena.league import webhooks
from arena.league.rules import league_rules_of, write_rules
from arena.league.webhooks import DeliveryError, check_url, deliver, post, public_address, sign
from engine.errors import ArenaError
from leagues.errors import NotFoundError, RefusedError
from leagues.records import LeagueState
from leagues.storage.handle import Storage, open_storage

URL = "https://hooks.example/x?y=1"


class Receiver:
    """Takes messages, or refuses them."""

    def __init__(self) -> None:
        self.refuses = False
        self.messages: list[tuple[str, bytes, dict[str, str]]] = []

    def __call__(self, url: str, body: bytes, headers: dict[str, str]) -> None:
        if self.refuses:
            raise DeliveryError("it answered with status 500")
        self.messages.append((url, body, headers))

    def events(self) -> list[str]:
        return [
            event["kind"] for _, body, _ in self.messages for event in json.loads(body)["events"]
        ]


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as made:
        made.leagues.create("spring", write_rules(league_rules_of({"players": "2"}, "here")), 1)
        yield made


def change(storage: Storage, *states: LeagueState) -> None:
    league = storage.reader.leagues.by_name("spring")
    for state in states:
        storage.leagues.set_league_state(league.id, state, "a reason", "someone")


def test_what_happens_is_sent_once_and_signed(storage: Storage) -> None:
    league = storage.reader.leagues.by_name("spring").id
    hook = storage.webhooks.add(league, URL)
    receiver = Receiver()
    assert deliver(storage, receiver) == 0  # nothing has happened since
    change(storage, LeagueState.OPEN, LeagueState.PAUSED)
    assert deliver(storage, receiver, lambda: 1000.0) == 1
    assert deliver(storage, receiver) == 0
    ((url, body, headers),) = receiver.messages
    assert url == URL
    message = json.loads(body)
    assert message["league"] == "spring"
    assert [event["kind"] for event in message["events"]] == ["open", "paused"]
    assert message["events"][0]["reason"] == "a reason"
    expected = hmac.new(hook.secret.encode(), b"1000." + body, hashlib.sha256).hexdigest()
    assert headers["X-Arena-Signature"] == f"t=1000,v1={expected}"
    change(storage, LeagueState.OPEN)
    deliver(storage, receiver)
    assert receiver.events() == ["open", "paused", "open"]


def test_what_was_not_taken_is_sent_again_later_and_later(storage: Storage) -> None:
    league = storage.reader.leagues.by_name("spring").id
    storage.webhooks.add(league, URL)
    change(storage, LeagueState.OPEN)
    receiver = Receiver()
    receiver.refuses = True
    now: int | None = 1000
    tries: list[int] = []
    while now is not None:
        if tries:
            deliver(storage, receiver, partial(float, now - 1))  # too early
        tries.append(now)
        deliver(storage, receiver, partial(float, now))
        now = storage.webhooks.of_league(league)[0].not_before
    gaps = [later - sooner for sooner, later in pairwise(tries)]
    assert len(tries) == webhooks.MAX_FAILURES
    assert gaps[:3] == [10, 20, 40]
    assert max(gaps) == webhooks.MAX_DELAY
    assert storage.webhooks.of_league(league)[0].problem == "it answered with status 500"
    receiver.refuses = False
    assert deliver(storage, receiver, lambda: 1e9) == 0


def test_a_receiver_that_recovers_has_missed_nothing(storage: Storage) -> None:
    storage.webhooks.add(storage.reader.leagues.by_name("spring").id, URL)
    receiver = Receiver()
    receiver.refuses = True
    change(storage, LeagueState.OPEN)
    deliver(storage, receiver, lambda: 0.0)
    change(storage, LeagueState.PAUSED)
    receiver.refuses = False
    deliver(storage, receiver, lambda: 5.0)
    assert receiver.events() == []  # it is not time yet
    deliver(storage, receiver, lambda: 100.0)
    assert receiver.events() == ["open", "paused"]


def test_a_long_list_comes_in_parts(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MAX_ITEMS", 2)
    storage.webhooks.add(storage.reader.leagues.by_name("spring").id, URL)
    change(storage, LeagueState.OPEN, LeagueState.PAUSED, LeagueState.OPEN)
    receiver = Receiver()
    while deliver(storage, receiver):
        pass
    assert len(receiver.messages) == 2
    assert receiver.events() == ["open", "paused", "open"]


def test_webhooks_are_few_and_can_be_removed(storage: Storage) -> None:
    league = storage.reader.leagues.by_name("spring").id
    hooks = [storage.webhooks.add(league, URL) for _ in range(10)]
    with pytest.raises(RefusedError, match="at most 10 webhooks"):
        storage.webhooks.add(league, URL)
    storage.webhooks.remove(league, hooks[0].id)
    with pytest.raises(NotFoundError):
        storage.webhooks.remove(league, hooks[0].id)
    with pytest.raises(NotFoundError):
        storage.webhooks.remove(league + 1, hooks[1].id)


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://x/y", "x", "https://", "https://u:p@x/", "https://x:99999/", "https://x/ y"),
        *("https://:p@x/", "https://@x/", "https://a..b/", "https://.x/", f"https://{'a' * 64}.x/"),
        *("https://x/\x00", "https://x/\x1b[31m", "https://x/\x7f", "https://x/\r\nX: y"),
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ArenaError, match="expected a URL"):
        check_url(url)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "10.0.0.1", "192.168.1.1", "172.16.0.9", "169.254.169.254"),
        *("::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "0.0.0.0", "224.0.0.1", "100.64.0.1"),
        *("127.1", "0x7f000001", "2130706433", "::127.0.0.1", "::ffff:0:127.0.0.1", "fec0::1"),
        *("64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::", "192.88.99.1"),
        *("192.0.0.8", "192.0.0.170", "3fff::1", "2001:db8::1", "a..b", f"{'a' * 64}.example"),
    ],
)
def test_nothing_is_sent_to_private_addresses(host: str) -> None:
    with pytest.raises(DeliveryError):
        public_address(host, 80)


def test_what_a_receiver_answers_is_kept_as_one_line_and_others_are_served(
    storage: Storage,
) -> None:
    league = storage.reader.leagues.by_name("spring").id
    hostile, good = storage.webhooks.add(league, URL), storage.webhooks.add(league, f"{URL}&good")
    change(storage, LeagueState.OPEN)
    taken = []

    def send(url: str, _body: bytes, _headers: dict[str, str]) -> None:
        if url == hostile.url:
            raise DeliveryError("it does not answer: \x00\x1b[31m\r\nred\u202e")
        taken.append(url)

    assert deliver(storage, send) == 1
    assert taken == [good.url]
    kept = storage.webhooks.of_league(league)[0]
    assert (kept.problem, kept.failures) == ("it does not answer: [31m red", 1)


def test_public_addresses_are() -> None:
    for address in ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"):
        assert public_address(address, 443) == (str(ip_address(address)), 443)


def test_who_answers_without_end_is_hung_up(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            with suppress(OSError):
                while not over.wait(0.01):
                    self.wfile.write(b"X-Slow: x\r\n")
                    over.wait(0.5)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        monkeypatch.setattr(webhooks, "public_address", lambda host, port: (host, port))
        monkeypatch.setattr(webhooks, "DEADLINE", 0.1)
        with pytest.raises(DeliveryError, match="does not answer"):
            post(f"http://127.0.0.1:{server.server_port}/", b"{}", {})
        over.set()


def test_a_message_is_sent_to_the_address_that_was_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    got: list[tuple[str, str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            got.append((self.path, self.headers["host"], body))
            self.send_response(302 if self.path == "/moved" else 204)
            self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *values: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        asked = []

        def stand_in(host: str, at: int) -> tuple[str, int]:
            asked.append(host)
            return "127.0.0.1", at

        monkeypatch.setattr(webhooks, "public_address", stand_in)
        post(f"http://hooks.example:{port}/x?y=1", b"{}", {"X-Arena-Signature": sign("s", 1, b"")})
        with pytest.raises(DeliveryError, match="answered with status 302"):
            post(f"http://hooks.example:{port}/moved", b"{}", {})
        server.shutdown()
    assert asked == ["hooks.example"] * 2
    assert got == [
        ("/x?y=1", f"hooks.example:{port}", b"{}"),
        ("/moved", f"hooks.example:{port}", b"{}"),
    ]
