"""arena serve and site: the web site on this machine, and its pages as files."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import DbOpt, split
from arena.extras import needs_extra
from arena.reports.wording import DEFAULT_DB
from engine.errors import ArenaError

app = typer.Typer(help="Write the web site to files.", no_args_is_help=True)

ProxyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--trusted-proxy",
        metavar="ADDRESS",
        help="Address or network of a reverse proxy whose X-Forwarded-For and -Proto are trusted; "
        "may be repeated.",
    ),
]
RootPathOpt = Annotated[
    str,
    typer.Option(metavar="PATH", help="The path the site is mounted at, such as /arena."),
]
LimitOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        help="Change a limit, such as reads=5000; may be repeated. Of one address: "
        "reads, replays, writes (a minute), connections, tables; of an owner: uploads (a minute); "
        "of all: all_connections, all_tables.",
    ),
]
AccessLogOpt = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Append a line for every request; - for stderr."),
]
JsonLogOpt = Annotated[bool, typer.Option("--json-log", help="Access log lines as JSON.")]
SignUpOpt = Annotated[
    bool,
    typer.Option("--open-sign-up", help="Let anybody apply for an account; organisers decide."),
]
MetricsOpt = Annotated[
    bool,
    typer.Option("--metrics", help="Serve /metrics in Prometheus' format; keep it private."),
]

IssuerOpt = Annotated[
    str,
    typer.Option("--oidc-issuer", metavar="URL", help="Let owners log in with this provider."),
]
ClientOpt = Annotated[
    str, typer.Option("--oidc-client", metavar="ID", help="Client ID of this site at the provider.")
]
SecretOpt = Annotated[
    Path | None,
    typer.Option("--oidc-secret", metavar="FILE", help="A file with the client secret."),
]
ProviderOpt = Annotated[
    str,
    typer.Option("--oidc-name", metavar="NAME", help="Name of the provider, as visitors see it."),
]


def serve(
    db: DbOpt = DEFAULT_DB,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")
    ] = 8000,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--host-name",
            metavar="NAME",
            help="A host name of the site, such as its proxy's; may be repeated.",
        ),
    ] = None,
    proxies: ProxyOpt = None,
    root_path: RootPathOpt = "",
    limits: LimitOpt = None,
    access_log: AccessLogOpt = None,
    json_log: JsonLogOpt = False,
    metrics: MetricsOpt = False,
    sign_up: SignUpOpt = False,
    issuer: IssuerOpt = "",
    client: ClientOpt = "",
    secret: SecretOpt = None,
    provider: ProviderOpt = "OpenID Connect",
) -> None:
    """Serve the site: leaderboards, bots, replays, the rules, uploads, and JSON for programs.

    It plays no league matches: keep a worker running, arena league work --follow.
    """
    with needs_extra("the site", "site"):
        from arena.site.app.serve import ServeOptions, oidc_settings, serve_site
        from arena.site.security.rate_limit import parse_limits
    given = parse_limits(limits or ())
    place = (host, port, names or (), proxies or (), given, root_path)
    logs = (access_log, json_log, metrics)
    oidc = oidc_settings(issuer, client, secret, provider)
    serve_site(db, ServeOptions(*place, *logs, open_sign_up=sign_up, oidc=oidc))


@app.callback()
def site() -> None:
    """Write the web site to files."""


@app.command("build")
def build(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", file_okay=False, help="Where the pages are written.")
    ],
    replays: Annotated[
        int, typer.Option(min=0, help="How many of the latest matches can be replayed.")
    ] = 500,
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that has other files.")
    ] = False,
    lang: Annotated[str, typer.Option(help="Languages of the pages: en, or en,fr.")] = "en",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Write leaderboards, bots, replays and rules to DIR: open its index.html, or put it online.

    Run again with the same DIR, it writes only what has changed.
    """
    with needs_extra("the site", "site"):
        from arena.site.static_build import build_site
    languages = split(lang)
    if languages not in (("en",), ("en", "fr")):
        raise ArenaError(f"expected en or en,fr, got {lang!r}")
    pages = build_site(db, folder, replays, force, languages)
    typer.echo(f"{pages:,} pages in {folder}")


def open_viewer(db: str) -> Callable[[str], None]:
    """What opens a page about this database in a browser; ArenaError where there is no site."""
    with needs_extra("a browser", "site"):
        from arena.site.app.serve import ServeOptions, serve_site
    return lambda page: serve_site(db, ServeOptions("127.0.0.1", 0, opens=page))
