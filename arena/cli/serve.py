"""arena serve: the site on this machine."""

from typing import Annotated

import typer

from arena.cli.options import DbOpt
from arena.reports.wording import DEFAULT_DB
from arena.site.hosts import LOOPBACK, hosts_at
from engine.errors import ArenaError
from leagues.storage.leagues import open_roster


def serve(
    db: DbOpt = DEFAULT_DB,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen at; 0 for any.")
    ] = 8000,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--host-name",
            metavar="NAME",
            help="A name people reach the site by, such as its proxy's; may be repeated.",
        ),
    ] = None,
) -> None:
    """Serve the site: leaderboards, bots, replays, the rules, uploads, and JSON for programs.

    What is uploaded is checked and played by workers: keep arena league work --follow running.
    """
    try:
        from arena.site.app.factory import create_app, listen, run
    except ImportError as problem:
        raise ArenaError(
            f"expected the site's libraries, got no {problem.name}: "
            'pip install "wonders-arena[site]"'
        ) from None
    hosts = hosts_at(host, names or ())
    with open_roster(db, create=False) as store, listen(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        typer.echo(f"http://{shown}:{listening.getsockname()[1]}/", err=True)
        if hosts.addresses:
            known = ", ".join(sorted(hosts.names - set(LOOPBACK) | {"localhost"}))
            typer.echo(f"answers to any address, {known}; else: --host-name NAME", err=True)
        run(create_app(store, hosts), listening)
