"""The site as a server on this machine."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.extras import needs_extra
from arena.reports.output import read_text
from arena.site.app.factory import create_app, listen, run
from arena.site.monitoring.access_log import open_access_log
from arena.site.security.rate_limit import SiteLimits
from arena.site.security.trusted_hosts import LOOPBACK, check_proxy, parse_root_path, trusted_hosts
from engine.errors import ArenaError
from leagues.storage.handle import open_storage

if TYPE_CHECKING:
    from arena.site.security.oidc import OidcProvider

USUAL: Final = SiteLimits()


@dataclass(frozen=True)
class OidcSettings:
    """Whom visitors may log in with, as a command says it."""

    issuer: str
    client_id: str
    secret_file: Path
    name: str


@dataclass(frozen=True)
class ServeOptions:
    """How the site is served: where it listens, whom it answers, and what it logs."""

    host: str
    port: int
    names: Sequence[str] = ()
    proxies: Sequence[str] = ()
    limits: SiteLimits = USUAL
    root_path: str = ""
    access_log: Path | None = None
    json_log: bool = False
    metrics: bool = False
    opens: str | None = None  # the page that a browser of this machine is shown
    open_sign_up: bool = False
    oidc: OidcSettings | None = None


def oidc_settings(issuer: str, client: str, secret: Path | None, name: str) -> OidcSettings | None:
    """The settings, if there are any; they are of no use in part."""
    if not (issuer or client or secret):
        return None
    if not issuer or not client or secret is None:
        raise ArenaError("expected --oidc-issuer, --oidc-client and --oidc-secret, got not all")
    return OidcSettings(issuer, client, secret, name)


def open_provider(settings: OidcSettings) -> OidcProvider:
    """The provider of the settings; ArenaError if it cannot be one."""
    with needs_extra("log-in", "oidc"):
        from arena.site.security.oidc import OidcOptions, OidcProvider
    secret = read_text(settings.secret_file).strip()
    if not secret:
        raise ArenaError(
            "expected the secret of the client in {file}, got none", file=settings.secret_file
        )
    return OidcProvider(OidcOptions(settings.issuer, settings.client_id, secret, settings.name))


def serve_site(db: str, options: ServeOptions) -> None:
    """Serve the pages of a database until it is stopped; the address goes to stderr."""
    host = options.host
    hosts = trusted_hosts(host, options.names)
    root = parse_root_path(options.root_path)
    for proxy in options.proxies:
        check_proxy(proxy)
    oidc = None if options.oidc is None else open_provider(options.oidc)
    with (
        open_storage(db, create=False) as storage,
        open_access_log(options.access_log) as log,
        listen(host, options.port) as listening,
    ):
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/"
        print(address, file=sys.stderr, flush=True)  # noqa: T201
        if hosts.addresses:
            known = ", ".join(sorted(hosts.names - set(LOOPBACK) | {"localhost"}))
            line = f"answers to any IP address, {known}; add others with --host-name NAME"
            print(line, file=sys.stderr, flush=True)  # noqa: T201
        if options.opens is not None:
            webbrowser.open(address + options.opens)  # it waits until the site answers
        sign_up = options.open_sign_up
        app = create_app(storage, hosts, options.limits, root, options.metrics, sign_up, oidc)
        run(app, listening, options.proxies, log, options.json_log)
