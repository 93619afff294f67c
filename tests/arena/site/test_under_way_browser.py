"""Two people watch a slow match in real browsers, until it is over and they see its replay."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from leagues.storage.handle import Storage
from tests.arena.site.browser import CHROMIUM, take_every_picture
from tests.arena.site.sample_running import RunningGame, show_live
from tests.arena.site.sample_site import stock

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]
WAIT = 60_000  # ms, for a loaded machine; nothing is decided by it


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", 3) as it:
        show_live(it)
        yield it


def test_two_people_follow_a_match_to_its_replay(visit: Any, site: str, storage: Storage) -> None:
    first = visit(f"{site}/leagues/summer/live")
    expect(first.get_by_text("None just now.")).to_be_visible()
    game = RunningGame(storage)
    game.publish_rounds(2)
    link = first.get_by_role("link", name="age I, turn 3")
    expect(link).to_be_visible(timeout=WAIT)  # the list shows itself anew
    link.click()
    second = visit(f"{site}{game.path}")
    for page in (first, second):
        expect(page.get_by_role("status")).to_contain_text("age I, turn 3", timeout=WAIT)
    game.publish_rounds(4)
    for page in (first, second):
        expect(page.get_by_role("status")).to_contain_text("age I, turn 5", timeout=WAIT)
    plain = visit(f"{site}{game.path}", java_script_enabled=False)
    expect(plain.get_by_role("status")).to_contain_text("age I, turn 5")
    take_every_picture(visit(f"{site}{game.path}"), "live-match")
    stored = game.finish()
    for page in (first, second):
        expect(page).to_have_url(re.compile(rf"/matches/{stored}$"), timeout=WAIT)
        expect(page.locator("[data-replay]")).to_be_attached(timeout=WAIT)
    # Without scripts the page loads itself again every few seconds.
    expect(plain).to_have_url(re.compile(rf"/matches/{stored}$"), timeout=WAIT)
