"""Every form of the site asks for its token, and takes none from another site."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from arena.site.app.factory import create_app
from arena.site.security.oidc import OidcOptions, OidcProvider
from leagues.storage.handle import open_storage
from tests.arena.site.sample_site import Visitor
from tests.arena.site.test_people import come_in, form_token

pytestmark = pytest.mark.slow


def test_no_form_is_taken_without_its_token_or_from_elsewhere(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db") as storage:
        provider = OidcProvider(OidcOptions("https://club.example", "arena", "x"))
        site = create_app(storage, open_sign_up=True, oidc=provider)
        visitor = Visitor(site)
        storage.accounts.set_organiser("ann", True, "runs it", "ref")
        come_in(visitor, storage.accounts.add_token("ann"))
        token = form_token(visitor.get("/submit").text)
        posts = [
            route.path.replace("{id}", "1").replace("{secret}", "x").replace("{name}", "spring")
            for route in all_routes(site.routes)
            if route.methods and "POST" in route.methods
        ]
        assert {"/submit", "/organiser", "/account/tokens", "/login/unlink", "/play"} < set(posts)
        for path in posts:
            if path.startswith("/api/"):  # takes no cookie, but a token in a header
                assert visitor.post(path + "?filename=x.py").status_code == 401
                continue
            assert visitor.post(path, data={"token": "x"}).status_code == 403, path
            for headers in (
                {"sec-fetch-site": "same-site"},
                {"sec-fetch-site": "cross-site"},
                {"origin": "http://localhost:9999"},
                {"origin": "null"},
            ):
                refused = visitor.post(path, data={"token": token}, headers=headers)
                assert refused.status_code == 403, (path, headers)
                assert "another&#39;s" in refused.text
        kept = {"token": token, "name": "ci"}
        headers = {"origin": "https://localhost", "sec-fetch-site": "same-origin"}
        made = visitor.post("/account/tokens", data=kept, headers=headers)
        assert made.status_code == 200


def all_routes(routes: Iterable[object]) -> list[APIRoute]:
    """The routes of an application, with those of its routers."""
    found = []
    for route in routes:
        router = getattr(route, "original_router", None)
        found += [route] if isinstance(route, APIRoute) else []
        found += all_routes(router.routes) if router is not None else []
    return found
