"""The whole site in a real browser, as visitors, owners and players use it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from arena.site.app.factory import create_app
from arena.site.contests import Contests
from arena.site.static_build import build
from leagues.records import LeagueState
from leagues.storage.handle import Storage
from tests.arena.site.browser import CHROMIUM, chromium, serving_site
from tests.arena.site.sample_site import stock
from tests.arena.site.test_replay_browser import DESK, PHONE, Visit
from tests.support.command import ROOT, arena

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
]
SHOWN = {
    "start": "/",
    "board": "/tournaments/1",
    "league": "/leagues/summer",
    "entries": "/leagues/summer/entries",
    "meetings": "/tournaments/1/meetings",
    "bot": "/tournaments/1/bots/1",
    "matches": "/tournaments/1/matches",
    "match": "/matches/4",
    "lobby": "/play",
    "submit": "/submit",
    "api": "/api",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as it:
        yield it


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", 12) as it:
        yield it


@pytest.fixture(scope="module")
def site(storage: Storage) -> Iterator[str]:
    with serving_site(create_app(storage, reads=100_000, writes=100_000)) as address:
        yield address


@pytest.fixture
def visit(browser: Browser) -> Iterator[Any]:
    """Opens pages, and fails if any of them complained."""
    visits: list[Visit] = []

    def open(url: str, **options: Any) -> Page:
        visits.append(Visit(browser, **{"viewport": DESK, **options}))
        visits[-1].page.goto(url)
        return visits[-1].page

    yield open
    for it in visits:
        it.context.close()
    assert [trouble for it in visits for trouble in it.trouble] == []


def tab_to(page: Page, name: str) -> None:
    """Move the focus by the tab key alone to what is called so."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "(document.activeElement.getAttribute('aria-label')"
            " || document.activeElement.textContent).trim()"
        )
        if found == name:
            return
    raise AssertionError(f"the tab key does not reach {name}")


def test_by_keys_alone_from_the_first_page_to_a_step_of_a_replay(visit: Any, site: str) -> None:
    page = visit(f"{site}/")
    for name in ("summer", "Matches", "20"):
        tab_to(page, name)
        with page.expect_navigation():
            page.keyboard.press("Enter")
    assert page.url == f"{site}/matches/20"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{site}/matches/20?step=2")
    expect(page.get_by_role("heading", name="About this match")).to_be_visible()


def test_a_leaderboard_draws_how_sure_it_is(visit: Any, site: str) -> None:
    page = visit(f"{site}/tournaments/1?game=architects", java_script_enabled=False)
    rows = page.get_by_role("table", name="Leaderboard").locator("tbody tr")
    assert rows.count() == 4
    for row in rows.all():
        box = row.locator("svg.interval line").bounding_box()
        assert box is not None
        assert box["width"] > 10
    page.get_by_role("link", name="2", exact=True).click()
    expect(page).to_have_url(f"{site}/tournaments/1?game=architects&players=2")
    page.get_by_role("link", name="second").click()
    expect(page.get_by_role("img", name="Rating over the matches")).to_be_visible()


def test_french_stays_french(visit: Any, site: str) -> None:
    page = visit(f"{site}/")
    page.get_by_role("link", name="Français").click()
    page.get_by_role("link", name="summer").click()
    page.get_by_role("link", name="Face à face").click()
    page.get_by_role("link", name="Parties").click()
    page.get_by_role("link", name="20", exact=True).click()
    page.get_by_role("link", name="Position suivante").click()
    expect(page).to_have_url(f"{site}/matches/20?lang=fr&step=1")
    assert page.locator("html").get_attribute("lang") == "fr"


def test_a_good_and_a_broken_bot_are_uploaded_and_judged(
    visit: Any, site: str, storage: Storage, tmp_path: Path
) -> None:
    good = tmp_path / "good.py"
    good.write_text("def decide(decision):\n    return decision.options[-1]\n")
    bad = tmp_path / "bad.py"
    bad.write_text("def decide(decision):\n    raise ValueError('<b>no</b>')\n")
    page = visit(f"{site}/submit", java_script_enabled=False)
    page.get_by_label("Your token").fill(storage.leagues.new_token("eve"))
    page.get_by_role("button", name="Come in").click()
    pages = []
    for file in (good, bad):
        page.goto(f"{site}/submit")
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Upload").click()
        expect(page.get_by_role("status")).to_have_text("waits to be checked")
        pages.append(page.url)
    judge(storage, tmp_path)
    page.goto(pages[0])
    expect(page.get_by_role("status")).to_have_text("accepted")
    page.goto(pages[1])
    expect(page.get_by_role("status")).to_contain_text("rejected: ")
    expect(page.locator("pre")).to_contain_text("ValueError: <b>no</b>")
    page.get_by_role("link", name="bad.py").click()
    expect(page.locator("body")).to_contain_text("raise ValueError")


def judge(storage: Storage, folder: Path) -> None:
    """Check who is new, as a worker does, and play nothing."""
    storage.leagues.set_league_state(1, LeagueState.PAUSED)
    db = str(storage.database.engine.url.database)
    done = arena("league", "work", "--once", "--in-process", "--db", db, cwd=folder)
    assert done.returncode == 0, done.stderr


def test_a_game_to_its_end_by_the_keyboard_alone(visit: Any, site: str) -> None:
    page = visit(f"{site}/play")
    page.get_by_label("Opponent 2").select_option("")
    page.get_by_label("Opponent 1").select_option("random")
    page.get_by_role("button", name="Begin").press("Enter")
    page.wait_for_url("**/play/*")
    turns = 0
    while await_turn(page):
        with page.expect_navigation():
            page.keyboard.press("Enter")  # the first option has the focus
        turns += 1
    expect(page.get_by_text("The game is over.")).to_be_visible()
    expect(page.get_by_role("table", name="Score pad")).to_be_visible()
    assert turns > 5
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"\?step=0$"))


def await_turn(page: Page) -> bool:
    """Whether it is for the visitor to decide; the page reloads itself while bots think."""
    page.wait_for_selector(".ask, [data-replay]", timeout=60_000)
    return page.locator(".ask").count() == 1


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
def test_axe_finds_no_fault_and_pages_fit_their_screen(
    visit: Any, site: str, lang: str, scheme: str
) -> None:
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    screen = DESK if scheme == "light" else PHONE
    page = visit("about:blank", viewport=screen, color_scheme=scheme, reduced_motion="reduce")
    for name, url in SHOWN.items():
        page.goto(f"{site}{url}?lang={lang}")
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"], url
        page.screenshot(path=folder / f"site-{name}-{lang}-{scheme}.png", full_page=True)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{url}: {found.generate_report()}"


def test_axe_finds_no_fault_at_a_table(visit: Any, site: str) -> None:
    page = visit(f"{site}/play?lang=fr", viewport=PHONE, color_scheme="dark")
    page.get_by_label("7 Wonders (").check()
    page.get_by_role("button", name="Commencer").click()
    expect(page.get_by_role("heading", name="À vous")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.screenshot(path=ROOT / "build" / "screenshots" / "site-table-fr-dark.png", full_page=True)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_plain_files_need_no_server(visit: Any, storage: Storage, tmp_path: Path) -> None:
    build(Contests(storage.reader), tmp_path, replays=1)
    page = visit((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name="summer").click()
    page.get_by_role("link", name="Français").click()
    page.get_by_role("link", name="Parties").click()
    page.get_by_role("link", name="20", exact=True).click()
    match = (tmp_path / "fr" / "matches" / "20" / "index.html").as_uri()
    page.wait_for_url(match)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{match}#step-1")
