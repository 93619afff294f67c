"""Addresses become links and files, each its own."""

from arena.site.links import CrawlQueue, Links, PageAddress, StaticLinks, address


def test_a_link_of_the_server_carries_language_and_question() -> None:
    links = Links(address(("leagues", "a-b"), "fr", players=3))
    assert (
        links.to("leagues", "a b/c", game=None, players=2) == "/leagues/a%20b%2Fc?players=2&lang=fr"
    )
    assert links.same("en") == "/leagues/a-b?players=3"
    assert links.to() == "/?lang=fr"


def test_pages_that_differ_have_files_that_differ() -> None:
    addresses = [
        address(path, lang, **query)
        for path in ((), ("leagues", "a-b"), ("leagues", "a_b"), ("leagues", "ab"), ("fr",))
        for lang in ("en", "fr")
        for query in ({}, {"players": 2}, {"players": 2, "faulty": 1}, {"page": 2})
    ]
    files = {it.file() for it in addresses}
    assert len(files) == len(set(addresses)) - 4  # a page called as a language is none of ours


def test_a_file_leads_to_another_and_remembers_it() -> None:
    found = CrawlQueue()
    found.add(PageAddress(()))
    links = StaticLinks(address(("tournaments", "3"), "fr"), found)
    assert links.root == "../../../"
    assert links.to() == "../../index.html"
    assert links.to("matches", 7) == "../../matches/7/index.html"
    assert links.same("en") == "../../../tournaments/3/index.html"
    assert [it.file() for it in found.each()] == [
        *("index.html", "fr/index.html", "fr/matches/7/index.html", "tournaments/3/index.html")
    ]
