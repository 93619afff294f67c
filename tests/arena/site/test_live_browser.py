"""Pages that follow what happens, in a real browser: a league's matches, and a bot's state."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from leagues.records import SubmissionState
from leagues.storage.handle import Storage
from tests.arena.site.browser import CHROMIUM
from tests.arena.site.sample_site import add_league_match, stock

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]
WAIT = 60_000  # ms, for a loaded machine; nothing is decided by it
WHOLE_MATCH = 300_000  # ms of the page's own clock, more than a match takes to be shown


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", 3) as it:
        yield it


def test_a_league_plays_on_by_itself(visit: Any, site: str, storage: Storage) -> None:
    page = visit("about:blank", reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"{site}/leagues/summer/live")
    screen = page.locator("[data-live-frame]")
    first = screen.get_attribute("data-match")
    inside = page.frame_locator("[data-live-frame]")
    expect(inside.get_by_role("button", name="Pause")).to_be_visible(timeout=WAIT)
    added = add_league_match(storage)
    expect(page.locator(f"[data-queue] [data-match='{added}']")).to_be_visible(timeout=WAIT)
    page.clock.run_for(WHOLE_MATCH)
    expect(screen).to_have_attribute("data-match", str(added), timeout=WAIT)
    assert str(added) != first


def test_what_becomes_of_a_bot_shows_itself(visit: Any, site: str, storage: Storage) -> None:
    page = visit(f"{site}/submit")
    page.get_by_label("Your token").fill(storage.accounts.replace_tokens("bob"))
    page.get_by_role("button", name="Log in").click()
    (entry,) = [each for each in storage.reader.leagues.submissions(1) if each.owner == "bob"]
    page.goto(f"{site}/submit/{entry.id}")
    expect(page.get_by_role("status")).to_have_text("accepted")
    storage.leagues.set_submission_state(entry.id, SubmissionState.SUSPENDED, "it talks too much")
    expect(page.get_by_role("status")).to_contain_text("it talks too much", timeout=WAIT)
