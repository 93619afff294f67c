"""The site answers to its own names alone."""

import socket
from pathlib import Path

import pytest

from arena.site.app.factory import create_app
from arena.site.security.rate_limit import SiteLimits
from arena.site.security.trusted_hosts import trusted_hosts
from engine.errors import ArenaError
from tests.arena.site.sample_site import Visitor, stock

OWN = ("localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1:1", "[::1]", "[0:0::1]:8000")
OTHERS = (
    "",
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "localhost@evil.example",
    "localhost/evil.example",
    "localhost:80:80",
    "localhost:x",
    "::1",
    "[::1",
    "[evil.example]",
    "[]",
    "127.0.0.1.evil.example",
    "127.1",
    "2130706433",
)


@pytest.mark.parametrize("header", OWN)
def test_this_machine_is_known_by_its_own_names(header: str) -> None:
    assert trusted_hosts("127.0.0.1", ()).accepts(header)
    assert trusted_hosts("0.0.0.0", ()).accepts(header)
    assert trusted_hosts("0.0.0.0", ["arena.example"]).accepts(header)


@pytest.mark.parametrize("header", OTHERS)
def test_others_are_not(header: str) -> None:
    for bound in ("127.0.0.1", "0.0.0.0", "::"):
        assert not trusted_hosts(bound, ()).accepts(header)
        assert not trusted_hosts(bound, ["arena.example"]).accepts(header)


def test_names_and_addresses_that_are_given_are_known() -> None:
    hosts = trusted_hosts("192.168.7.7", ["Arena.example", "2001:DB8::7"])
    for header in ("192.168.7.7:8000", "arena.EXAMPLE", "[2001:db8:0::7]:443"):
        assert hosts.accepts(header)
    for header in ("192.168.7.8:8000", "www.arena.example"):
        assert not hosts.accepts(header)
    everywhere = trusted_hosts("::", ())
    assert everywhere.accepts("192.168.7.8:8000")
    assert everywhere.accepts(f"{socket.gethostname()}:8000")
    # Names were chosen: what leads here otherwise is no longer meant.
    assert not trusted_hosts("::", ["arena.example"]).accepts("192.168.7.8:8000")


@pytest.mark.parametrize("name", ["", "*", "*.example", "http://x", "x:80", "a/b", "é", "x\n"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ArenaError, match="expected a host name"):
        trusted_hosts("127.0.0.1", [name])


def test_pages_forms_and_answers_are_for_those_who_asked_for_us(tmp_path: Path) -> None:
    with stock(tmp_path / "arena.db", 0) as storage:
        visitor = Visitor(create_app(storage, limits=SiteLimits(reads=3, replays=1)))
        for _ in range(5):  # nor are they counted: nobody could be kept out that way
            for method, url in (("GET", "/"), ("POST", "/submit"), ("GET", "/api/leagues")):
                answer = visitor.ask(method, url, headers={"host": "evil.example"})
                assert answer.status_code == 421
                assert answer.text.startswith("expected a host name of this site, got another")
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert "evil" not in answer.text
        assert visitor.get("/").status_code == 200
