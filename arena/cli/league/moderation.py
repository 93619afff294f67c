"""arena league: bots taken out and back in, hidden and erased; what looks like cheating."""

from typing import Annotated

import typer

from arena.cli.league.options import (
    BotArg,
    ByOpt,
    LeagueArg,
    ReasonOpt,
    WhyOpt,
    YesOpt,
    confirm,
)
from arena.cli.options import DbOpt, OutputOptions, grouped
from arena.reports.wording import DEFAULT_DB

app = typer.Typer()


def _change_bot(league: str, bot: str, state: str, reason: str, by: str, db: str) -> None:
    from arena.league.manage import change_bot_state
    from leagues.records import SubmissionState

    typer.echo(change_bot_state(league, bot, SubmissionState(state), reason, by, db))


@app.command()
def withdraw(
    league: LeagueArg,
    bot: BotArg,
    reason: ReasonOpt = "",
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Withdraw a bot at its owner's request; its games stay."""
    _change_bot(league, bot, "WITHDRAWN", reason, by, db)


@app.command()
def suspend(
    league: LeagueArg,
    bot: BotArg,
    reason: ReasonOpt = "",
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Suspend a bot, with a reason."""
    _change_bot(league, bot, "SUSPENDED", reason, by, db)


@app.command()
def resume(
    league: LeagueArg,
    bot: BotArg,
    reason: ReasonOpt = "",
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Let a bot play again; one that never played is checked first."""
    _change_bot(league, bot, "RESUMED", reason, by, db)


@app.command()
def hide(
    league: LeagueArg, bot: BotArg, reason: WhyOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Hide all versions of a bot; its matches stay, anonymously."""
    from arena.league.organiser.moderation import hide_bot

    typer.echo(hide_bot(league, bot, reason, by, db))


@app.command()
def unhide(
    league: LeagueArg, bot: BotArg, reason: WhyOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Show a hidden bot again."""
    from arena.league.organiser.moderation import unhide_bot

    typer.echo(unhide_bot(league, bot, reason, by, db))


@app.command()
def erase(
    league: LeagueArg,
    bot: BotArg,
    reason: WhyOpt,
    by: ByOpt = "",
    yes: YesOpt = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Delete a bot's files, name and owner permanently; its matches stay, anonymously."""
    from arena.league.organiser.moderation import erase_bot

    confirm(f"Erase {bot} permanently?", yes)
    typer.echo(erase_bot(league, bot, reason, by, db))


@app.command()
@grouped
def acts(
    league: Annotated[
        str, typer.Argument(metavar="[LEAGUE]", help="All leagues of the database if not given.")
    ] = "",
    *,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """List organisers' actions with author and reason (a hash chain)."""
    from arena.league.organiser.moderation import show_acts

    show_acts(league, output.settle(), db)


@app.command()
@grouped
def duplicates(league: LeagueArg, *, db: DbOpt = DEFAULT_DB, output: OutputOptions) -> None:
    """List bots of different owners that have the same content."""
    from arena.league.organiser.moderation import show_duplicates

    show_duplicates(league, output.settle(), db)


@app.command()
@grouped
def collusion(
    league: LeagueArg,
    *,
    most: Annotated[int, typer.Option(min=1, help="Number of rows.")] = 20,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """Look for bots that do better in each other's company than their skill explains."""
    from arena.league.manage import show_collusion

    show_collusion(league, most, output.settle(), db)
