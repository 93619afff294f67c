"""Options that several commands of leagues and owners share."""

import sys
from typing import Annotated

import typer

from engine.errors import ArenaError

LeagueArg = Annotated[str, typer.Argument(metavar="LEAGUE", help="Name of the league.")]
BotArg = Annotated[
    str, typer.Argument(metavar="BOT", help="NAME, OWNER/NAME, or either with @VERSION.")
]
OwnerArg = Annotated[str, typer.Argument(metavar="OWNER", help="Name of the owner.")]
ReasonOpt = Annotated[str, typer.Option(help="The reason; it is stored and shown.")]
YesOpt = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
WhyOpt = Annotated[str, typer.Option("--reason", help="The reason; it is stored and shown.")]
ByOpt = Annotated[str, typer.Option(help="Who decided it; your login name if not given.")]


def confirm(question: str, yes: bool) -> None:
    """Ask before what cannot be undone, unless --yes was given; a no ends the command."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ArenaError(f"{question} Nobody can be asked here: expected --yes, got none")
    try:
        agreed = typer.confirm(question)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise typer.Exit(1)
