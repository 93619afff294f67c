"""The pages where people come in, hand in bots and organise, in a real browser, seen by axe."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from arena.site.app.cookies import SESSION
from arena.site.app.factory import create_app
from leagues.records import SubmissionState
from leagues.storage.handle import Storage
from tests.arena.site.browser import CHROMIUM, PHONE, serving_site, take_every_picture, take_picture
from tests.arena.site.sample_site import MANY, hand_in, stock

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", 3) as it:
        yield it


@pytest.fixture(scope="module")
def site(storage: Storage) -> Iterator[str]:
    with serving_site(create_app(storage, limits=MANY, open_sign_up=True)) as address:
        yield address


def check(page: Page, name: str) -> None:
    """It fits a phone, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    take_picture(page, name, "fr", "dark", "phone")
    found = Axe().run(page)
    assert found.violations_count == 0, f"{name}: {found.generate_report()}"


def test_axe_finds_no_fault_where_people_come_in(visit: Any, site: str, storage: Storage) -> None:
    page = visit(f"{site}/join?lang=fr", viewport=PHONE, color_scheme="dark")
    check(page, "join")
    take_every_picture(page, "join")
    page.goto(f"{site}/join?lang=fr")
    page.locator("input[name=name]").fill("dora")
    page.locator("input[name=note]").fill("from the club")
    page.locator("main button[type=submit]").click()
    expect(page.get_by_role("status")).to_be_visible()
    check(page, "join-asked")
    page.goto(f"{site}/join/{storage.invitations.invite('cyd', 'ref')}?lang=fr")
    check(page, "join-invited")
    take_every_picture(page, "join-invited")
    page.locator("main button[type=submit]").click()
    expect(page.get_by_label("Votre jeton")).to_have_value(re.compile("^arena_"))
    check(page, "join-token")


def test_axe_finds_no_fault_where_owners_and_organisers_work(
    visit: Any, site: str, storage: Storage
) -> None:
    storage.accounts.set_organiser("ann", True, "helps", "ref")
    storage.invitations.ask("eve", "from the club")
    hand_in(storage, "dan")  # and it waits to be checked
    (mine,) = [each for each in storage.reader.leagues.submissions(1) if each.owner == "ann"]
    storage.leagues.set_submission_state(mine.id, SubmissionState.SUSPENDED, "it talks too much")
    token = storage.accounts.add_token("ann", "laptop")
    page = visit("about:blank", viewport=PHONE, color_scheme="dark")
    cookie = {"name": SESSION, "value": storage.accounts.open_session(token), "url": site}
    page.context.add_cookies([cookie])
    for name, url in {
        "account": "/account",
        "organiser": "/organiser",
        "submissions": "/submit",
        "submission": f"/submit/{mine.id}",
    }.items():
        answer = page.goto(f"{site}{url}?lang=fr")
        assert answer is not None
        assert answer.status == 200
        check(page, name)
        take_every_picture(page, name)
