"""A page is made once for all who ask, and anew when the database says something else."""

import asyncio
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse, JSONResponse
from starlette.types import Receive, Scope, Send

from arena.site.app.factory import create_app
from arena.site.app.server.page_cache import MIN_AGE, PageCache
from leagues.accounts.site_state import Versions
from leagues.storage.handle import open_storage
from tests.arena.league.sample_league import enter, found
from tests.arena.site.sample_site import Visitor


class Site:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.versions = Versions(1, (1,))
        self.now = 0.0
        self.cache = PageCache(self, lambda: self.versions, lambda: self.now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        await asyncio.sleep(0)
        answer = HTMLResponse(f"page {self.asked}")
        if scope["path"] == "/watch":
            answer.set_cookie("a", "b")
        elif scope["path"] == "/rules/none":
            answer = HTMLResponse("none", 404)
        elif scope["path"] == "/leagues/data":
            await JSONResponse({})(scope, receive, send)
            return
        await answer(scope, receive, send)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def visitor(site: Site) -> Visitor:
    return Visitor(site.cache)


def test_a_page_is_made_once(site: Site, visitor: Visitor) -> None:
    assert [visitor.get("/leagues/x").text for _ in range(3)] == ["page 1"] * 3
    assert visitor.get("/leagues/x?players=3").text == "page 2"
    plain = visitor.get("/leagues/x", headers={"accept-encoding": "identity"})
    assert plain.text == "page 3"
    assert visitor.get("/", headers={"host": "other.example"}).text == "page 4"
    assert visitor.get("/").text == "page 5"
    assert visitor.get("/", headers={"accept-language": "fr"}).text == "page 6"
    assert visitor.get("/", headers={"accept-language": "en-GB"}).text == "page 5"


def test_what_changes_is_made_anew(site: Site, visitor: Visitor) -> None:
    visitor.get("/leagues/x")
    site.versions = Versions(2, (1,))
    assert visitor.get("/leagues/x").text == "page 1"  # new matches are not shown at once
    site.now += MIN_AGE
    assert visitor.get("/leagues/x").text == "page 2"
    site.versions = Versions(2, (2,))
    assert visitor.get("/leagues/x").text == "page 3"  # but what an organiser does is


@pytest.mark.parametrize("path", ["/watch", "/rules/none", "/leagues/data", "/submit", "/play/x"])
def test_other_answers_are_not_kept(site: Site, visitor: Visitor, path: str) -> None:
    for _ in range(3):
        visitor.cookies.clear()
        visitor.get(path)
    assert site.asked == 3


def test_who_came_in_sees_pages_of_their_own(site: Site, visitor: Visitor) -> None:
    visitor.get("/matches/1")
    visitor.cookies.set("arena_session", "x")
    assert visitor.get("/matches/1").text == "page 2"
    visitor.cookies.clear()
    assert visitor.get("/matches/1").text == "page 1"
    assert visitor.post("/matches/1").text == "page 3"


def test_many_who_ask_at_once_wait_for_one(site: Site) -> None:
    async def ask_all() -> list[str]:
        visitors = [Visitor(site.cache) for _ in range(5)]
        answers = await asyncio.gather(*(each._ask("GET", "/leagues/x", {}) for each in visitors))
        return [answer.text for answer in answers]

    assert asyncio.run(ask_all()) == ["page 1"] * 5


def test_the_site_shows_at_once_what_an_organiser_did(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db") as storage:
        league = found(storage)
        entry = enter(storage, league, "mine", "ann")
        visitor = Visitor(create_app(storage))
        page = visitor.get("/leagues/spring/entries")
        assert "ann/mine" in page.text.replace("<wbr>", "")
        again = visitor.get("/leagues/spring/entries")
        assert again.text == page.text
        assert again.headers["content-security-policy"] == page.headers["content-security-policy"]
        assert len(again.headers.get_list("content-security-policy")) == 1
        storage.moderation.hide(entry.id, "rude", "ref")
        assert "ann/mine" not in visitor.get("/leagues/spring/entries").text.replace("<wbr>", "")
