"""The replay in a real browser: by keys, by mouse, without scripts, for every eye and ear."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from arena.site.pages.replay import replay_page
from arena.site.templating import copy_assets
from tests.arena.site.browser import CHROMIUM, DESK, PHONE, rendered, serving
from tests.arena.site.sample_replays import ROWS, frame
from tests.support.command import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]
ARCHITECTS_2 = 0
SEVEN_3 = 3
SEVEN_7 = 4
HOUR = 3_600_000  # ms
NAME = "it => it.getAttribute('aria-label') || it.textContent.trim()"
TABLE = "[...document.querySelectorAll('[data-slot]')].map(slot => slot.outerHTML)"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving() as address:
        yield address


def number(page: Page) -> int:
    """The step as addresses count; people count from one."""
    return int(page.locator("[data-number]").inner_text()) - 1


def test_keys_step_through_the_game(visit: Any, site: str) -> None:
    page = visit(f"{site}/{SEVEN_3}")
    last = len(rendered(SEVEN_3, "en", None).steps) - 1
    for key, step in [
        *(("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)),
        *(("ArrowRight", last), ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1)),
    ]:
        page.keyboard.press(key)
        assert number(page) == step
        assert page.url.endswith(f"?step={step}")
    expect(page.locator("[data-live]")).to_contain_text(f"Step 2 of {last + 1}: ")
    page.keyboard.press("End")
    expect(page.get_by_role("table", name="Score pad")).to_be_visible()


def test_the_script_draws_what_the_server_draws(visit: Any, site: str) -> None:
    for at in (ARCHITECTS_2, SEVEN_3):
        stepping = visit(f"{site}/{at}")
        plain = visit(f"{site}/{at}", java_script_enabled=False)
        last = len(rendered(at, "en", None).steps) - 1
        for step in range(0, last + 1, 1 + last // 8):
            plain.goto(f"{site}/{at}?step={step}")
            stepping.locator("[data-slider]").fill(str(step))
            # Marks of what has changed are the script's own.
            stepping.evaluate(
                "document.querySelectorAll('.fresh').forEach(s => s.classList.remove('fresh'))"
            )
            assert stepping.evaluate(TABLE) == plain.evaluate(TABLE)


def test_the_slider_moves_by_its_own_keys(visit: Any, site: str) -> None:
    page = visit(f"{site}/{SEVEN_3}?step=4")
    page.locator("[data-slider]").focus()
    page.keyboard.press("ArrowRight")
    assert number(page) == 5
    assert page.url.endswith("?step=5")
    page.keyboard.press("Home")
    assert number(page) == 0


def test_the_space_bar_plays_and_pauses(visit: Any, site: str) -> None:
    page = visit("about:blank")
    page.clock.install(time=0)
    page.goto(f"{site}/{SEVEN_3}")
    page.clock.pause_at(HOUR)  # it flows by itself until then
    page.keyboard.press(" ")
    page.clock.run_for(7000)
    assert number(page) == 2
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    page.clock.run_for(7000)
    assert number(page) == 2
    page.get_by_role("button", name="Play").press(" ")
    page.clock.run_for(120_000)
    assert number(page) == len(rendered(SEVEN_3, "en", None).steps) - 1
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_permanent_link_opens_its_step_and_follows_the_reader(visit: Any, site: str) -> None:
    page = visit(f"{site}/{ARCHITECTS_2}?step=7")
    assert number(page) == 7
    page.get_by_role("link", name="Next step").click()
    page.get_by_role("link", name="Français").click()
    assert page.url.endswith("/0?lang=fr&step=8")
    assert number(page) == 8
    page.get_by_role("link", name="Position précédente").click()
    page.get_by_text("Afficher").first.click()
    views = page.get_by_role("navigation", name="Afficher")
    views.get_by_role("link").nth(2).click()
    assert page.url.endswith("/0?lang=fr&seat=1&step=7")
    page.locator("[data-to='3']").click()
    assert page.url.endswith("/0?lang=fr&seat=1&step=3")
    assert number(page) == 3


def test_without_scripts_every_step_is_a_page(visit: Any, site: str) -> None:
    page = visit(f"{site}/{SEVEN_7}", java_script_enabled=False)
    expect(page.locator("[data-slider]")).to_be_hidden()
    for name, step in [("Next step", 1), ("Next step", 2), ("Previous step", 1), ("Last step", -1)]:
        page.get_by_role("link", name=name).click()
        steps = rendered(SEVEN_7, "en", None).steps
        assert number(page) == (step if step >= 0 else len(steps) - 1)
        expect(page.locator("[data-heading]")).to_have_text(steps[step].heading)
    expect(page.get_by_role("table", name="Score pad")).to_be_visible()


def test_a_plain_file_needs_no_server(visit: Any, tmp_path: Path) -> None:
    copy_assets(tmp_path)
    file = tmp_path / "match.html"
    text = replay_page(rendered(ARCHITECTS_2, "en", None), frame(root=""), fixed=True)
    file.write_text(text, encoding="utf-8")
    page = visit(f"{file.as_uri()}#step-5")
    assert number(page) == 5
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("#step-6")
    page.evaluate("location.hash = '#step-2'")
    expect(page.locator("[data-number]")).to_have_text("3")
    assert page.evaluate("scrollY") == 0


def test_the_tab_key_reaches_every_control(visit: Any, site: str) -> None:
    page = visit(f"{site}/{SEVEN_3}?step=2")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(f"({NAME})(document.activeElement)"))
        # What has the focus shows it.
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        if "Full screen" in reached:
            break
    wanted = ["Skip to the content", "First step", "Previous step", "Play", "Next step", "Step"]
    assert [name for name in reached if name in wanted] == wanted
    assert "Full screen" in reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("at", [ARCHITECTS_2, SEVEN_3])
def test_axe_finds_no_fault(visit: Any, site: str, at: int, scheme: str) -> None:
    last = len(rendered(at, "fr", None).steps) - 1
    page = visit(
        f"{site}/{at}?lang=fr&step={last // 2}", color_scheme=scheme, reduced_motion="reduce"
    )
    for step in (last // 2, last):
        page.locator("[data-slider]").fill(str(step))
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_tables(visit: Any, site: str, scheme: str) -> None:
    page = visit(f"{site}/rules/architects", color_scheme=scheme, viewport=PHONE)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("at", range(len(ROWS)), ids=[row.id for row in ROWS])
def test_pages_fit_their_screen_and_have_their_picture_taken(
    visit: Any, site: str, at: int
) -> None:
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    steps = len(rendered(at, "en", None).steps)
    screens: dict[str, dict[str, Any]] = {
        "desk": {"viewport": DESK},
        "phone-dark": {"viewport": PHONE, "color_scheme": "dark"},
    }
    for name, options in screens.items():
        page = visit(f"{site}/{at}?step={steps * 2 // 3}", **options)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= options["viewport"]["width"]
        seen = page.locator(".place:visible")
        assert seen.count() == (ROWS[at].players if name == "desk" else 1)
        for place in [*seen.all(), page.locator(".controls")]:
            box = place.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= options["viewport"]["height"], name
        page.screenshot(path=folder / f"replay-{ROWS[at].id}-{name}.png", full_page=True)
    page = visit(f"{site}/{at}?step={steps - 1}", viewport={"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_it_begins_to_play_and_the_graph_leads_anywhere(visit: Any, site: str) -> None:
    page = visit("about:blank", reduced_motion="no-preference")
    page.clock.install(time=0)
    page.goto(f"{site}/{SEVEN_7}")
    page.clock.pause_at(HOUR)  # it flows by itself until then
    page.get_by_label("Speed").select_option("4")
    before = number(page)
    page.clock.run_for(2000)
    assert number(page) == before + 2
    graph = page.locator(".graph svg")
    box = graph.bounding_box()
    assert box is not None
    last = len(rendered(SEVEN_7, "en", None).steps) - 1
    graph.click(position={"x": box["width"] * 0.53, "y": box["height"] / 2})
    assert abs(number(page) - last / 2) <= 1
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.locator("[data-card], .at-hand .card").first.hover()
    expect(page.locator(".tip")).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator(".opened .card .w").first).to_be_visible()
    assert page.locator(".place:visible").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".place:visible").count() == 7


def test_hands_stages_and_an_opened_city_are_not_cut(visit: Any, site: str) -> None:
    cut = """() => [...document.querySelectorAll(
            `.at-hand, .place > .at-cards, .stage, .opened > .stats, .opened > .at-goods, .decision,
            .caption`)]
        .filter(it => it.checkVisibility() && it.scrollHeight > it.clientHeight + 1)
        .map(it => it.className)"""
    for screen in (DESK, PHONE):
        page = visit(f"{site}/{SEVEN_3}?step=0", viewport=screen)
        for step in (0, 5, 12, len(rendered(SEVEN_3, "en", None).steps) - 1):
            page.locator("[data-slider]").fill(str(step))
            assert page.evaluate(cut) == []
        page.keyboard.press("2")
        assert page.evaluate(cut) == []


def test_escape_leaves_the_full_screen(visit: Any, site: str) -> None:
    page = visit(f"{site}/{SEVEN_3}")
    is_full = "document.fullscreenElement !== null"
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function(is_full)
    page.locator("[data-slider]").focus()  # which has keys of its own
    page.keyboard.press("Escape")
    page.wait_for_function(f"!({is_full})")


@pytest.mark.parametrize("at", [1, 2])
def test_tokens_and_decks_of_every_city_are_not_cut(visit: Any, site: str, at: int) -> None:
    cut = """() => [...document.querySelectorAll(
            '.place > .at-progress, .place > .at-deck, .at-cards')]
        .filter(it => it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1)
        .map(it => it.textContent)"""
    page = visit(f"{site}/{at}?step=0")
    last = len(rendered(at, "en", None).steps) - 1
    for step in (0, last // 3, last // 2, last - 5, last):
        page.locator("[data-slider]").fill(str(step))
        assert page.evaluate(cut) == []


def test_the_score_pad_covers_no_city(visit: Any, site: str) -> None:
    for at in (SEVEN_3, SEVEN_7):
        page = visit(f"{site}/{at}?step={len(rendered(at, 'en', None).steps) - 1}")
        pad = page.locator(".at-ending").bounding_box()
        assert pad is not None
        for place in page.locator(".place").all():
            box = place.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= pad["y"]
        if at == SEVEN_3:  # where there is room, cards have their names
            page.set_viewport_size({"width": 1280, "height": 1000})
            expect(page.locator(".at-cards .n").first).to_be_visible()


def test_by_touch_one_city_at_a_time(visit: Any, site: str) -> None:
    page = visit(f"{site}/{SEVEN_7}?step=5", viewport=PHONE, has_touch=True)
    assert page.locator(".place:visible").get_attribute("data-seat") == "0"
    page.locator("[data-city='2']").tap()
    assert page.locator(".place:visible").get_attribute("data-seat") == "2"
    swipe = """across => {
        const table = document.querySelector('.table');
        const at = x => [new Touch({identifier: 1, target: table, clientX: x, clientY: 300})];
        table.dispatchEvent(new TouchEvent('touchstart', {touches: at(200)}));
        table.dispatchEvent(new TouchEvent('touchend', {changedTouches: at(200 + across)}));
    }"""
    page.evaluate(swipe, -120)
    assert page.locator(".place:visible").get_attribute("data-seat") == "3"
    page.evaluate(swipe, 120)
    assert page.locator(".place:visible").get_attribute("data-seat") == "2"
    page.locator("[data-go=next]").tap()
    assert number(page) == 6
    for cards in (".at-cards", ".at-hand"):
        expect(page.locator(f".place:visible {cards} .n").first).to_be_visible()
    page.locator(".place:visible .at-hand .card").first.tap()
    expect(page.locator(".tip .w")).to_be_visible()


@pytest.mark.parametrize("at", [2, SEVEN_7])
def test_nothing_moves_but_what_changes(visit: Any, site: str, at: int) -> None:
    page = visit(f"{site}/{at}?step=0")
    shift = page.evaluate(
        """async () => {
            const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            await drawn();
            await drawn();  // loaded: what was drawn of half a page may move
            let sum = 0;
            new PerformanceObserver(list => {
                for (const entry of list.getEntries()) sum += entry.value;
            }).observe({type: 'layout-shift'});
            const slider = document.querySelector('[data-slider]');
            for (let step = 0; step <= Number(slider.max); step += 1) {
                slider.value = step;
                slider.dispatchEvent(new Event('input'));
                await drawn();
            }
            await drawn();
            return sum;
        }"""
    )
    assert shift < 0.001  # what is left is less than a pixel of a label
