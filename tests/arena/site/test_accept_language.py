"""A visitor who has chosen no language sees the pages in that of the browser."""

import re
from collections.abc import Iterator

import pytest

from arena.site.app.factory import create_app
from arena.site.app.server.accept_language import preferred_language
from leagues.storage.handle import Storage
from tests.arena.site.sample_site import MANY, Visitor, stock

FRENCH = {"accept-language": "fr-CA,fr;q=0.9,en;q=0.8"}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", 6) as it:
        yield it


@pytest.fixture(scope="module")
def visitor(storage: Storage) -> Visitor:
    return Visitor(create_app(storage, limits=MANY))


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),  # as robots ask
        ("*", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("en;q=0.5, fr;q=0.7", "fr"),
        ("de,fr;q=0.6,en;q=0.4", "fr"),
        ("de", "en"),
        ("fr;q=0", "en"),
        ("fr;q=x,frr,,;;q=1", "en"),
    ],
)
def test_the_language_is_the_one_that_is_wanted_most(header: str, lang: str) -> None:
    assert preferred_language(header) == lang


def test_a_first_visit_is_in_the_language_of_the_browser(visitor: Visitor) -> None:
    assert '<html lang="en">' in visitor.get("/").text
    answer = visitor.get("/", headers=FRENCH)
    assert '<html lang="fr">' in answer.text
    assert "Accept-Language" in answer.headers["vary"]
    assert '<html lang="en">' in visitor.get("/").text  # what is kept is kept by language
    assert '<html lang="fr">' in visitor.get("/nothing-here", headers=FRENCH).text


@pytest.mark.parametrize("url", ["/", "/matches/1?step=2", "/tournaments/1/compare?a=1&b=2"])
def test_a_chosen_language_is_kept_by_every_link(visitor: Visitor, url: str) -> None:
    chosen = f"{url}{'&' if '?' in url else '?'}lang=en"
    page = visitor.get(chosen, headers=FRENCH).text
    assert '<html lang="en">' in page
    links = re.findall(r'<a [^>]*href="([^"#]+)[^"]*"([^>]*)', page)
    assert len(links) > 9
    for href, more in links:
        assert ("lang=en" in href) is ('hreflang="fr"' not in more), href
    if "compare" in url:
        assert '<input type="hidden" name="lang" value="en">' in page
