"""arena league webhook: addresses that are sent a league's news."""

from typing import Annotated

import typer

from arena.cli.league.options import LeagueArg
from arena.cli.options import DbOpt, OutputOptions, grouped
from arena.reports.wording import DEFAULT_DB

app = typer.Typer(help="Send a league's news to a URL.", no_args_is_help=True)


@app.command()
def add(
    league: LeagueArg,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where messages are sent by POST.")],
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Send the news of a league to URL; prints the secret that signs the messages.

    A worker sends them: arena league work --follow.
    """
    from arena.league.organiser.webhooks import add_webhook

    typer.echo(add_webhook(league, url, db))


@app.command("list")
@grouped
def list_webhooks(league: LeagueArg, *, db: DbOpt = DEFAULT_DB, output: OutputOptions) -> None:
    """List the webhooks of a league and their last deliveries."""
    from arena.league.organiser.webhooks import show_webhooks

    show_webhooks(league, output.settle(), db)


@app.command()
def remove(
    league: LeagueArg,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Its number in the list.")],
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Remove a webhook."""
    from arena.league.organiser.webhooks import remove_webhook

    typer.echo(remove_webhook(league, number, db))
