"""A browser, the whole site in it, and a note of every complaint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from arena.site.app.factory import create_app
from leagues.storage.handle import Storage
from tests.arena.site.sample_site import MANY

if TYPE_CHECKING:  # playwright is for the tests in a browser alone
    from playwright.sync_api import Browser, Page

    from tests.arena.site.browser import Visit


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.arena.site.browser import chromium

    with chromium() as it:
        yield it


@pytest.fixture(scope="module")
def site(storage: Storage) -> Iterator[str]:
    """The address of the site over the module's database."""
    from tests.arena.site.browser import serving_site

    with serving_site(create_app(storage, limits=MANY)) as address:
        yield address


@pytest.fixture
def visit(browser: Browser) -> Iterator[Any]:
    """Opens pages, and fails if any of them complained."""
    from tests.arena.site.browser import Visit

    visits: list[Visit] = []

    def open(url: str, **options: Any) -> Page:
        visits.append(Visit(browser, **options))
        visits[-1].page.goto(url)
        return visits[-1].page

    yield open
    for it in visits:
        it.context.close()
    assert [trouble for it in visits for trouble in it.trouble] == []
