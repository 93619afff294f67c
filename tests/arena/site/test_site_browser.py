"""The whole site in a real browser, as visitors, owners and players use it."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from arena.site.app.factory import create_app
from arena.site.contests import Contests
from arena.site.static_build import build
from arena.site.stored_games import encode_finished
from arena.site.templating import TEMPLATES
from leagues.records import LeagueState
from leagues.storage.handle import Storage
from tests.arena.site.browser import CHROMIUM, DESK, PHONE, take_every_picture, take_picture
from tests.arena.site.sample_site import MANY, Visitor, add_league_match, stock
from tests.support.command import arena
from tests.support.setups import Row, random_match

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]
SHOWN = {
    "start": "/",
    "board": "/tournaments/1",
    "league": "/leagues/summer",
    "entries": "/leagues/summer/entries",
    "meetings": "/tournaments/1/meetings",
    "bot": "/tournaments/1/bots/1",
    "league-bot": "/leagues/summer/bots/5",
    "matches": "/tournaments/1/matches",
    "no-matches": "/tournaments/1/matches?game=seven&players=2",
    "compare": "/tournaments/1/compare?a=1&b=2",
    "live": "/leagues/summer/live",
    "podium": "/leagues/summer/podium",
    "embedded": "/embed/leagues/summer",
    "embedded-match": "/embed/matches/4?begin=40",
    "match": "/matches/4",
    "explain": "/matches/4/explain",
    "shared": "/g/WORD",
    "shared-step": "/g/WORD?step=3",
    "shared-explain": "/g/WORD/explain",
    "empty": "/tournaments/3",
    "watch": "/watch",
    "rules": "/rules/seven",
    "rules-architects": "/rules/architects",
    "lobby": "/play",
    "submit": "/submit",
    "api": "/api",
}


# Other tests take the pictures of what these templates show.
PICTURED_ELSEWHERE = {
    *("account.html", "entry.html", "join.html", "organiser.html"),
    *("error.html", "game_over.html", "live_match.html", "table.html"),
}
# They have none: they need a login provider, and a match of a version of the rules that is gone.
WITHOUT_PICTURE = {"login.html", "match_facts.html"}
MAX_SENT = 150_000  # bytes of a first view: the page, its style, icons and scripts, compressed


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", 12) as it:
        game = encode_finished(random_match(Row("seven", 4, {"edition": "2nd"}), 1))
        it.site.add_finished_game("WORD", game)
        yield it


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
    for name in ("Whole leaderboard", "Matches", "20"):
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
    expect(page.get_by_role("img", name="Skill over the matches")).to_be_visible()


def test_a_leaderboard_is_searched_sorted_and_follows_the_league(
    visit: Any, site: str, storage: Storage
) -> None:
    pages = [visit(f"{site}/leagues/summer"), visit(f"{site}/leagues/summer?lang=fr")]
    page = pages[0]
    rows = page.locator("[data-board] tbody tr:visible")
    assert rows.count() == 2
    page.get_by_role("searchbox").fill("bob")
    assert rows.count() == 1
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Bot").click()
    first = rows.first.inner_text()
    page.get_by_role("button", name="Bot").click()
    assert rows.first.inner_text() != first
    assert page.locator("[aria-sort=descending]").count() == 1
    games = [it.locator("[data-board] tbody tr td:nth-child(7)").first for it in pages]
    before = [it.inner_text() for it in games]
    add_league_match(storage)
    for it, known in zip(games, before, strict=True):
        expect(it).not_to_have_text(known, timeout=30_000)
    assert page.locator("[aria-sort=descending]").count() == 1


# What has a scroll bar, in a frame of the page or on it.
SCROLLS = """() => [...document.querySelectorAll("*")]
    .filter((it) => it.checkVisibility() && (
        it === document.documentElement
            ? it.scrollHeight > innerHeight || it.scrollWidth > innerWidth
            : (/auto|scroll/.test(getComputedStyle(it).overflowY)
                    && it.scrollHeight > it.clientHeight + 1)
                || (/auto|scroll/.test(getComputedStyle(it).overflowX)
                    && it.scrollWidth > it.clientWidth + 1)))
    .map((it) => it.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_match_on_the_first_page_has_no_scroll_bars(visit: Any, site: str, screen: Any) -> None:
    page = visit(site, viewport=screen)
    page.locator("iframe.featured").scroll_into_view_if_needed()
    inside = page.frame_locator("iframe.featured")
    city = inside.locator(".place.shown")
    expect(city).to_be_visible()
    if inside.locator(".place.active").count() == 1:
        expect(inside.locator(".place.active")).to_be_visible()  # the city that decides
    frame = page.frames[1]
    slider = inside.locator("[data-slider]")
    for step in (0, int(slider.get_attribute("max") or 0) // 2):
        slider.fill(str(step))
        assert frame.evaluate(SCROLLS) == []
        expect(city).to_be_visible()
    slider.fill(slider.get_attribute("max") or "")
    assert frame.evaluate(SCROLLS) == []
    expect(inside.get_by_role("table", name="Score pad")).to_be_visible()


# Built cards that are cut off by their city, or lie under its hand.
CARDS_CUT_OFF = """() => [...document.querySelectorAll(".place")].flatMap((city) => {
    const hand = city.querySelector(".at-hand .row");
    const end = hand ? hand.getBoundingClientRect().top : city.getBoundingClientRect().bottom;
    return [...city.querySelectorAll(".at-cards .card")]
        .filter((it) => it.checkVisibility() && it.getBoundingClientRect().bottom > end + 2)
        .map((it) => it.textContent);
})"""


def test_four_cities_show_all_they_have_built(visit: Any, site: str) -> None:
    page = visit(f"{site}/g/WORD?step=0&lang=fr")
    steps = int(page.locator("[data-slider]").get_attribute("max") or 0)
    for step in range(1, steps + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-number]")).to_have_text(str(step + 1))
        assert page.evaluate(CARDS_CUT_OFF) == [], step


def test_a_wide_and_low_frame_does_not_scroll(visit: Any, site: str) -> None:
    page = visit(f"{site}/embed/matches/3?step=5", viewport={"width": 960, "height": 540})
    assert page.evaluate("document.documentElement.scrollHeight") == 540
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollHeight") == 540
    expect(page.get_by_role("table", name="Score pad")).to_be_visible()


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
    page.get_by_label("Your token").fill(storage.accounts.replace_tokens("eve"))
    page.get_by_role("button", name="Log in").click()
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


def begin(
    page: Page, game: str, *opponents: str, confirm: bool = False, open: str = "Begin"
) -> None:
    page.locator(f"input[value={game}]").check()
    for number in range(1, 7):
        name = opponents[number - 1] if number <= len(opponents) else ""
        page.locator(f"select[name=bot{number}]").select_option(name)
    page.locator(".lobby summary").click()
    page.locator("input[name=confirm]").set_checked(confirm)
    page.get_by_role("button", name=open).press("Enter")
    page.wait_for_url("**/play/*")


def await_turn(page: Page, after: str = "") -> str:
    """The turn after that one, as soon as it is for the visitor to decide; empty at the end."""
    turn = f".hand input[name=turn]:not([value='{after}'])"
    page.wait_for_selector(f"[data-replay], {turn}", state="attached", timeout=60_000)
    found = page.locator(turn)
    return f"{found.get_attribute('value')}" if found.count() else ""


def by_mouse(page: Page) -> None:
    """Click the last card and the first thing to do with it, or all there is to do with it."""
    card = page.locator(".hand > .pick-card").last
    if card.get_attribute("open") is None:  # a hint opens its card
        card.click()
    if card.locator("button.act").count():
        card.locator("button.act").first.click()


def by_touch(page: Page) -> None:
    """The same with a finger."""
    card = page.locator(".hand > .pick-card").last
    card.tap()
    if card.locator("button.act").count():
        card.locator("button.act").first.tap()


def by_keys(page: Page) -> None:
    """Tab leads to the first option, and it keeps the focus: Enter takes it, or opens the card."""
    if page.evaluate("document.activeElement === document.body"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    if page.locator(".pick-card[open]").count():
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")


SLOW = pytest.mark.slow  # one game of every kind is enough for every change


@pytest.mark.parametrize(
    ("game", "play"),
    [
        ("architects", by_keys),
        ("seven", by_touch),
        pytest.param("architects", by_mouse, marks=SLOW),
        pytest.param("architects", by_touch, marks=SLOW),
        pytest.param("seven", by_keys, marks=SLOW),
    ],
)
def test_a_whole_game_in_every_way(
    visit: Any, site: str, game: str, play: Callable[[Page], None]
) -> None:
    touch = play is by_touch
    page = visit(f"{site}/play", viewport=PHONE if touch else DESK, has_touch=touch)
    begin(page, game, "random", *(["random"] if game == "seven" else []))
    turns = 0
    turn = ""
    while turn := await_turn(page, turn):
        play(page)
        turns += 1
    expect(page.get_by_text(re.compile(r"^You (won|came) "))).to_be_visible()
    pad = page.get_by_role("table", name="Score pad")
    expect(pad.get_by_role("columnheader", name="player")).to_be_visible()
    assert turns > 5
    page.wait_for_load_state()  # a key before its script is there moves nothing
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"\?step=0$"))
    if play is by_keys:
        take_every_picture(page, "game-over")


# Where the cards of a hand are, how wide, and where they end.
CARDS = """(cards) => cards.map((each) => [
    each.offsetLeft, each.offsetTop, each.offsetWidth, each.querySelector(".card").offsetHeight])"""


def test_a_game_of_cards_by_mouse_is_shared_by_its_link(visit: Any, site: str) -> None:
    page = visit(f"{site}/play")
    begin(page, "seven", "random", "random")
    turn = await_turn(page)
    cards = page.locator(".hand > .pick-card")
    dealt = cards.evaluate_all(CARDS)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_role("status")).to_contain_text("oracle, the strongest house bot, would: ")
    expect(page.locator(".pick-card.best .grade").first).to_be_visible()
    expect(page.locator("button.act.best")).to_contain_text("hint")
    assert cards.evaluate_all(CARDS) == dealt  # nothing moves for a hint
    expect(page.get_by_role("link", name="Hide the hint")).to_be_visible()
    page.locator(".pick-card.best > summary").click()
    expect(page.locator("button.act.best")).to_be_visible()  # nor is its card closed by a click
    expect(page.locator("#scores tbody tr.own")).to_contain_text("you")
    by_mouse(page)
    turn = await_turn(page, turn)
    kept = cards.evaluate_all(CARDS)
    assert kept == dealt[: len(kept)]  # nor from turn to turn
    while turn:
        by_mouse(page)
        turn = await_turn(page, turn)
    link = page.get_by_label("Link to this game").input_value()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("document.activeElement.selectionEnd") == len(link)
    assert re.fullmatch(rf"{site}/g/\w{{10}}", link)
    stranger = visit(link, java_script_enabled=False)
    expect(stranger.locator("[data-replay]")).to_be_visible()
    expect(stranger.get_by_role("heading", name="Human, random, random")).to_be_visible()


def test_only_what_belongs_to_the_game_is_offered(visit: Any, site: str) -> None:
    page = visit(f"{site}/play")
    page.locator(".lobby summary").click()
    edition, expansion = page.locator("[name=edition]"), page.locator("[name=expansion]")
    expect(edition).to_be_visible()
    expect(expansion).to_be_hidden()
    page.locator("input[value=architects]").check()
    expect(edition).to_be_hidden()
    expansion.select_option(index=1)
    page.locator("input[value=seven]").check()
    expect(expansion).to_be_visible()  # it would be sent: one has to see why it is refused


def test_a_move_while_a_hint_is_computed_is_not_lost(visit: Any, site: str) -> None:
    page = visit(f"{site}/play")
    begin(page, "architects", "random")
    turn = await_turn(page)
    hint, move = page.get_by_role("button", name="Hint"), page.locator(".hand > button").last
    move.evaluate("(move, hint) => { hint.click(); move.click(); }", hint.element_handle())
    assert await_turn(page, turn) == str(int(turn) + 1)


def test_a_card_that_cannot_be_built_is_not_sold_by_a_look(visit: Any, site: str) -> None:
    page = visit(f"{site}/play")
    begin(page, "seven", "random", "random")
    turn = await_turn(page)
    for card in page.locator(".hand > .pick-card").all():
        card.click()
        expect(card.locator("button.act").first).to_be_visible()
    assert await_turn(page) == turn


def test_a_move_is_taken_back_by_touch(visit: Any, site: str) -> None:
    page = visit(f"{site}/play", viewport=PHONE, has_touch=True)
    begin(page, "seven", "random", "random", confirm=True)
    turn = await_turn(page)
    page.locator(".pick-card summary").first.tap()
    page.locator(".pick-card[open] button.act").last.tap()
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    assert await_turn(page) == turn
    page.locator(".pick-card summary").first.tap()
    page.locator(".pick-card[open] button.act").last.tap()
    page.get_by_role("button", name="Go on").tap()
    assert await_turn(page, turn) == str(int(turn) + 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_what_is_asked_about_a_move_keeps_its_place(visit: Any, site: str) -> None:
    page = visit(f"{site}/play")
    begin(page, "seven", "random", "random", confirm=True)
    height = "document.querySelector('.ask').offsetHeight"
    left = "(buttons) => buttons.map((each) => each.offsetLeft)"
    heights, places, words, sells = set(), set(), set(), set()
    assert page.evaluate("document.activeElement === document.body")  # no card looks chosen
    for at in range(7):
        await_turn(page)
        page.locator(".pick-card summary").nth(at).click()
        heights.add(page.evaluate(height))
        sell = page.locator(".pick-card[open] button.act").last
        sells.add(sell.evaluate("(button) => [button.offsetLeft, button.offsetHeight].join()"))
        sell.click()
        words.add(page.locator(".confirm [role=status]").inner_text())
        heights.add(page.evaluate(height))
        places.add(tuple(page.locator(".confirm button").evaluate_all(left)))
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Hint").wait_for()
    assert len(words) > 3
    assert len(places) == len(sells) == 1
    assert max(heights) - min(heights) <= 1


# The tables that are wider than their box.
CUT_OFF = """[...document.querySelectorAll(".scroll")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.textContent.slice(0, 40))"""
SENT = """["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, it) => sum + it.encodedBodySize, 0)"""
# By axe, which takes longer than the pictures: both screens, colours and languages.
CHECKED = (("desk", "light", "en"), ("phone", "dark", "fr"))


@pytest.mark.parametrize(
    ("screen", "scheme", "lang"),
    [
        *CHECKED,
        *(
            pytest.param(*each, marks=SLOW)
            for each in product(("desk", "phone"), ("light", "dark"), ("en", "fr"))
            if each not in CHECKED
        ),
    ],
)
def test_axe_finds_no_fault_and_pages_fit_their_screen(
    visit: Any, site: str, screen: str, scheme: str, lang: str
) -> None:
    """Every page has its picture taken, in every language and light, on both screens."""
    size = DESK if screen == "desk" else PHONE
    page = visit("about:blank", viewport=size, color_scheme=scheme)
    for name, url in SHOWN.items():
        page.goto(f"{site}{url}{'&' if '?' in url else '?'}lang={lang}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], url
        assert page.evaluate(SENT) < MAX_SENT, url
        if not name.startswith("rules"):  # a table there has all that is printed on the cards
            assert page.evaluate(CUT_OFF) == [], url
        take_picture(page, name, lang, scheme, screen)
        if (screen, scheme, lang) in CHECKED:
            found = Axe().run(page)
            assert found.violations_count == 0, f"{url}: {found.generate_report()}"


def test_every_page_has_its_picture_taken(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = set()
    load = TEMPLATES.get_template

    def record(name: str, *more: Any) -> Any:
        drawn.add(name)
        return load(name, *more)

    monkeypatch.setattr(TEMPLATES, "get_template", record)
    visitor = Visitor(create_app(storage, limits=MANY))
    with ThreadPoolExecutor(1) as pool:  # the browser has an event loop here
        answers = list(pool.map(visitor.get, SHOWN.values()))
    assert {answer.status_code for answer in answers} == {200}
    pages = {
        name
        for name in TEMPLATES.list_templates()
        if "{% extends" in TEMPLATES.loader.get_source(TEMPLATES, name)[0]  # type: ignore[union-attr]
    }
    assert pages - drawn == PICTURED_ELSEWHERE | WITHOUT_PICTURE


def test_without_scripts_every_page_is_read_and_fits(visit: Any, site: str) -> None:
    page = visit("about:blank", viewport=PHONE, java_script_enabled=False)
    for url in SHOWN.values():
        page.goto(f"{site}{url}")
        assert len(page.locator("main").inner_text()) > 40, url
        assert page.locator(".scripted:visible").count() == 0, url
        assert page.locator("html").evaluate("it => it.scrollWidth") <= PHONE["width"], url


def test_axe_finds_no_fault_where_nothing_is(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport=PHONE, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{site}/nothing-here?lang=fr")
    take_every_picture(page, "nothing")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.get_by_role("link", name="Regarder").last.click()
    expect(page).to_have_url(f"{site}/watch?lang=fr")
    context.close()


def test_axe_finds_no_fault_at_a_table(visit: Any, site: str) -> None:
    page = visit(f"{site}/play?lang=fr", viewport=PHONE, color_scheme="dark")
    begin(page, "seven", "random", "random", open="Commencer")
    expect(page.get_by_role("heading", name="À vous")).to_be_visible()
    for part in (".standings", ".brief", ".pick-card:last-of-type"):  # what a decision needs
        box = page.locator(part).last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= PHONE["height"], part
    page.locator(".pick-card summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for name in ("table", "table-hint"):
        take_picture(page, name, "fr", "dark", "phone")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        if name == "table":
            page.get_by_role("button", name="Conseil", exact=True).click()
            expect(page.locator(".hint")).to_be_visible()
    page.get_by_role("link", name="Masquer le conseil").click()
    expect(page.locator(".hint")).to_be_hidden()
    take_every_picture(page, "table")


def test_plain_files_need_no_server(visit: Any, storage: Storage, tmp_path: Path) -> None:
    build(Contests(storage.reader), tmp_path, replays=2, languages=("en", "fr"))
    page = visit((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name="summer").click()
    page.get_by_role("link", name="Français").click()
    page.get_by_role("link", name="Parties").click()
    page.get_by_role("link", name="20", exact=True).click()
    match = (tmp_path / "fr" / "matches" / "20" / "index.html").as_uri()
    page.wait_for_url(match)
    page.wait_for_selector("[hreflang=en][href$='#step-0']")  # the data is unpacked
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{match}#step-1")
