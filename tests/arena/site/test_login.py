"""Log-in through a provider: what it says is checked, and leads to an owner that linked it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from starlette.types import ASGIApp

from arena.site.app.factory import create_app
from arena.site.app.people.routes_login import LOGIN, seal, unseal
from arena.site.app.serve import OidcSettings, open_provider
from arena.site.security.oidc import OidcOptions, OidcProvider
from engine.errors import ArenaError
from leagues.errors import StorageError
from leagues.storage.handle import Storage, open_storage
from tests.arena.site.provider import CLIENT, SECRET, Provider, running_provider
from tests.arena.site.sample_site import Visitor
from tests.arena.site.test_people import come_in, form_token

pytestmark = pytest.mark.slow


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as it:
        yield it


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as it:
        yield it


@pytest.fixture
def site(storage: Storage, provider: Provider) -> ASGIApp:
    provider.changes, provider.subject, provider.signs_with_secret = {}, "person-1", False
    options = OidcOptions(provider.issuer, CLIENT, SECRET, "The Club")
    return create_app(storage, oidc=OidcProvider(options))


def log_in(visitor: Visitor, words: str = "") -> httpx.Response:
    """Go to the provider, agree, and come back."""
    there = visitor.get(f"/login{words}")
    assert there.status_code == 303, there.text
    back = httpx.get(there.headers["location"], follow_redirects=False).headers["location"]
    assert back.startswith("http://localhost/login/callback?")
    return visitor.get(back)


def test_an_owner_links_a_log_in_and_comes_in_by_it(storage: Storage, site: ASGIApp) -> None:
    ann, elsewhere = Visitor(site), Visitor(site)
    assert "Log in with The Club" in ann.get("/submit").text
    assert log_in(elsewhere).status_code == 403  # nobody's yet
    assert elsewhere.get("/login?link=1").status_code == 403
    come_in(ann, storage.accounts.add_token("ann"))
    assert "/login?link=1" in ann.get("/account").text
    assert log_in(ann, "?link=1").status_code == 200
    page = ann.get("/account").text
    assert "Linked to The Club" in page
    came = log_in(elsewhere)
    assert came.status_code == 200
    assert "HttpOnly" in came.headers["set-cookie"]
    assert "<b>ann</b>" in elsewhere.get("/account").text
    storage.moderation.ban("ann", "why", "ref")
    assert elsewhere.get("/account").headers["location"].endswith("/submit")
    assert log_in(Visitor(site)).status_code == 403
    storage.moderation.unban("ann", "why", "ref")
    form = {"token": form_token(page)}
    assert ann.post("/login/unlink", data={"token": "x"}).status_code == 403
    assert ann.post("/login/unlink", data=form).headers["location"].endswith("/account")
    # Its session began with the log-in.
    assert elsewhere.get("/account").headers["location"].endswith("/submit")
    assert log_in(Visitor(site)).status_code == 403


def test_a_log_in_is_one_owner_s_and_ends_with_it(storage: Storage, site: ASGIApp) -> None:
    issuer = "https://club.example"
    for name in ("ann", "bob"):
        storage.accounts.add_token(name)
    storage.identities.link("ann", issuer, "1")
    storage.identities.link("ann", issuer, "1")
    with pytest.raises(StorageError, match="already linked to another owner"):
        storage.identities.link("bob", issuer, "1")
    storage.moderation.erase_owner("ann", "asked for", "ref")
    assert storage.identities.open_session(issuer, "1") is None


WRONG: dict[str, dict[str, object]] = {
    "issuer": {"iss": "https://other.example"},
    "audience": {"aud": "another"},
    "nonce": {"nonce": "old"},
    "expired": {"exp": 1},
    "no subject": {"sub": None},
    "not signed": {},
}


@pytest.mark.parametrize("what", WRONG)
def test_what_a_provider_did_not_say_is_refused(
    storage: Storage, site: ASGIApp, provider: Provider, what: str
) -> None:
    storage.accounts.add_token("ann")
    storage.identities.link("ann", provider.issuer, "person-1")
    assert log_in(Visitor(site)).status_code == 200
    provider.changes = WRONG[what]
    provider.signs_with_secret = what == "not signed"
    refused = log_in(Visitor(site))
    assert refused.status_code == 400
    assert "the log-in was not confirmed" in refused.text
    assert "arena_session" not in refused.headers.get("set-cookie", "")


def test_a_log_in_that_another_began_is_refused(
    storage: Storage, site: ASGIApp, provider: Provider
) -> None:
    storage.accounts.add_token("ann")
    storage.identities.link("ann", provider.issuer, "person-1")
    mine, victim = Visitor(site), Visitor(site)
    there = mine.get("/login").headers["location"]
    asked = {key: each[0] for key, each in parse_qs(urlsplit(there).query).items()}
    assert {"state", "nonce", "code_challenge"} <= set(asked)
    assert asked["code_challenge_method"] == "S256"
    back = provider.authorize(asked)
    assert victim.get(back).status_code == 403  # without the cookie of who began it
    victim.get("/login")
    assert victim.get(back).status_code == 403  # with the cookie of another
    assert mine.get(back.replace("code=", "code=x")).status_code == 400
    assert mine.get(provider.authorize(asked)).status_code == 200
    assert mine.get(back).status_code == 403  # once


def test_a_sealed_cookie_is_not_changed_and_grows_old() -> None:
    whole = seal(b"key", {"until": 2e9, "link": "ann"})
    assert unseal(b"key", whole) == {"until": 2e9, "link": "ann"}
    assert unseal(b"other", whole) is None
    assert unseal(b"key", f"x{whole}") is None
    assert unseal(b"key", "") is None
    assert unseal(b"key", seal(b"key", {"until": 1.0})) is None
    assert LOGIN == "arena_login"


def test_settings_are_checked(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("\n")
    with pytest.raises(ArenaError, match="expected the secret of the client in"):
        open_provider(OidcSettings("https://club.example", "arena", secret, "Club"))
    secret.write_text("x\n")
    for issuer in ("http://club.example", "club.example", "file:///etc/passwd"):
        with pytest.raises(ArenaError, match="expected the https:// address of a provider"):
            open_provider(OidcSettings(issuer, "arena", secret, "Club"))


def test_without_a_provider_there_is_no_log_in(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    assert visitor.get("/login").status_code == 404
    assert "/login" not in visitor.get("/submit").text
