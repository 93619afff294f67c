"""Visitors who mean harm: forms from elsewhere, halves of requests, questions without end."""

import asyncio
import io
import zipfile
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest

from arena.site import contests
from arena.site.app.factory import create_app
from arena.site.cache import Cache
from arena.site.pages.bot import relatives
from arena.site.security.rate_limit import SiteLimits, client_network
from arena.site.templating import ASSET_VERSIONS
from leagues.records import Entrant
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from tests.arena.site.sample_site import TABLES, Visitor, stock
from tests.arena.site.test_playing import field
from tests.arena.site.test_submitting import owner, upload
from tests.support.setups import random_match

pytestmark = pytest.mark.slow


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", 0) as it:
        yield it


@pytest.mark.parametrize(
    ("place", "status"), [("same-origin", 422), ("same-site", 403), ("cross-site", 403)]
)
def test_a_form_sent_from_another_page_is_refused_whatever_it_knows(
    storage: Storage, place: str, status: int
) -> None:
    visitor = Visitor(create_app(storage))
    form = {"token": field(visitor.get("/play").text, "token"), "game": "none"}
    headers = {"Sec-Fetch-Site": place}
    assert visitor.post("/play", data=form, headers=headers).status_code == status
    assert visitor.get("/play", headers=headers).status_code == 200  # a link may be anywhere


@pytest.mark.parametrize("path", ["/play/submissions", "/submissions", "/submit/enter/submissions"])
def test_much_is_taken_only_where_files_are_sent(storage: Storage, path: str) -> None:
    assert Visitor(create_app(storage)).post(path, content=b"x" * 100_000).status_code == 413


@pytest.mark.parametrize("path", ["/play", "/api/leagues/summer/submissions"])
def test_who_leaves_in_the_middle_leaves_no_traceback(storage: Storage, path: str) -> None:
    app = create_app(storage)
    token = storage.accounts.replace_tokens("ann").encode()
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"filename=bot.py",
        "headers": [
            (b"host", b"localhost"),
            (b"authorization", b"Bearer " + token),
            (b"content-type", b"application/x-www-form-urlencoded"),
        ],
        "client": ("127.0.0.1", 1),
    }
    coming: Iterator[MutableMapping[str, Any]] = iter(
        [{"type": "http.request", "body": b"half", "more_body": True}]
    )
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return next(coming, {"type": "http.disconnect"})

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 400


def test_a_manifest_s_words_are_plain_on_the_page(storage: Storage) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("bot.toml", '"\\u001b[31m\\u202e<b>" = 1\n')
    answer = upload(owner(storage), "bad.zip", out.getvalue())
    assert answer.status_code == 400
    assert "got \ufffd[31m\ufffd&lt;b&gt;" in answer.text
    assert not {"\x1b", "\u202e"} & set(answer.text)


def test_a_shelf_keeps_nothing_of_what_could_not_be_made() -> None:
    cache = Cache()
    for key in range(9):
        with pytest.raises(ZeroDivisionError):
            cache.get_or_create(key, lambda: 1 // 0)
    assert not cache._locks
    assert cache.get_or_create(1, lambda: "made") == "made"


def test_replays_are_fewer_than_other_pages(storage: Storage) -> None:
    visitor = Visitor(create_app(storage, limits=SiteLimits(reads=20, replays=2)))
    assert [visitor.get("/matches/99").status_code for _ in range(3)] == [404, 404, 429]
    assert [visitor.get("/static/icon.svg").status_code for _ in range(21)] == [200] * 20 + [429]
    refused = visitor.get(f"/static/icon.svg?v={ASSET_VERSIONS['icon.svg']}")
    assert (refused.status_code, refused.headers["cache-control"]) == (429, "no-store")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix socket", "unix socket"),
        ("", ""),
    ],
)
def test_a_network_of_addresses_is_one_place(address: str, place: str) -> None:
    assert client_network(address) == place


def test_who_changes_addresses_within_a_network_waits_as_well(storage: Storage) -> None:
    app = create_app(storage, limits=SiteLimits(reads=2, replays=1))
    asked = [Visitor(app, f"2001:db8::{at}").get("/static/icon.svg") for at in range(1, 4)]
    assert [answer.status_code for answer in asked] == [200, 200, 429]
    assert Visitor(app, "2001:db8:0:1::1").get("/static/icon.svg").status_code == 200


class Counted(list[Entrant]):
    """Says how often all of it was looked at."""

    looks = 0

    def __iter__(self) -> Iterator[Entrant]:
        self.looks += 1
        return super().__iter__()


def entrant(id: int, parent: int | None) -> Entrant:
    return Entrant(id, "", "", "", "", None, parent, 0)


def test_the_versions_of_a_bot_are_found_soon_among_many() -> None:
    entrants = Counted(entrant(id, parent={4: 2, 6: 4}.get(id)) for id in range(1, 200))
    assert [each.id for each in relatives(entrants, entrants[3])] == [2, 4, 6]
    assert entrants.looks < 10


def test_a_contest_that_grows_is_not_read_anew_for_every_match(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contests, "MIN_AGE", float("inf"))
    books = contests.Contests(storage.reader)
    before = books.tournament(1), books.league("summer")
    ((_, tournament),) = storage.reader.stages.of_league(1)
    bots = [entry.entrant for entry in storage.reader.leagues.submissions(1)[:2]]
    result = random_match(TABLES[0], 4)
    for where in (1, tournament.id):
        storage.results.add(where, [ScheduledResult(4, "more", "balanced", 0, tuple(bots), result)])
    again = books.tournament(1), books.league("summer")
    assert all(one is other for one, other in zip(before, again, strict=True))
    monkeypatch.setattr(contests, "MIN_AGE", 0.0)
    later = books.tournament(1), books.league("summer")
    assert [each.matches for each in later] == [each.matches + 1 for each in before]
