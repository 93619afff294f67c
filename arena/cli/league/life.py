"""arena league: a league over its seasons, from open to closed and on to the next."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.league.options import ByOpt, LeagueArg, ReasonOpt, YesOpt, confirm
from arena.cli.options import DbOpt, given_only, grouped
from arena.reports.wording import DEFAULT_DB, db_option

app = typer.Typer()


def _change_league(league: str, state: str, reason: str, by: str, db: str) -> None:
    from arena.league.manage import change_league_state
    from leagues.records import LeagueState

    change_league_state(league, LeagueState(state), reason, by, db)
    typer.echo(f"{league} is {state}")


@app.command("open")
def open_(
    league: LeagueArg, reason: ReasonOpt = "", by: ByOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Open a league: workers start to play its matches."""
    _change_league(league, "OPEN", reason, by, db)


@app.command()
def pause(
    league: LeagueArg, reason: ReasonOpt = "", by: ByOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Pause play; submissions are still accepted."""
    _change_league(league, "PAUSED", reason, by, db)


@app.command("freeze")
def freeze_(
    league: LeagueArg, reason: ReasonOpt = "", by: ByOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Close submissions; play goes on."""
    _change_league(league, "FROZEN", reason, by, db)


@app.command()
def final(
    league: LeagueArg, reason: ReasonOpt = "", by: ByOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Start the final: submissions stop, and every bot plays more games on newly drawn deals."""
    from arena.league.organiser.seasons import begin_final

    typer.echo(begin_final(league, reason, by, db))


@app.command()
def close(
    league: LeagueArg,
    reason: ReasonOpt = "",
    by: ByOpt = "",
    yes: YesOpt = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """End a league permanently and publish its seed; results stay, and a new season can follow."""
    confirm(f"Close {league} permanently?", yes)
    _change_league(league, "CLOSED", reason, by, db)


@app.command()
def archive(
    league: LeagueArg,
    undo: Annotated[bool, typer.Option("--undo", help="Show it again.")] = False,
    reason: ReasonOpt = "",
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Hide a league that was a mistake; nothing is deleted."""
    from arena.league.organiser.seasons import archive_league

    typer.echo(archive_league(league, undo, reason, by, db))


@app.command("next")
def next_(
    leagues: Annotated[
        list[str],
        typer.Argument(metavar="LEAGUE... NEW", help="Closed league or divisions; the new name."),
    ],
    divisions: Annotated[
        int, typer.Option(min=0, help="Split a league without divisions into this many.")
    ] = 0,
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Create the next season of a closed league, with its bots and their skills as priors.

    Given all divisions of a season, the highest first, it promotes the best and relegates the last.
    """
    from arena.league.organiser.seasons import follow_league

    if len(leagues) < 2:
        raise typer.BadParameter("expected a closed league and a new name, got one name")
    for line in follow_league(leagues[:-1], leagues[-1], divisions, by, db):
        typer.echo(f"{line}{db_option(db)}")


@dataclass(frozen=True, kw_only=True)
class EditOptions:
    """What may be changed of a league."""

    title: Annotated[str | None, typer.Option(help="Title of its page.")] = None
    contact: Annotated[str | None, typer.Option(help="Whom to contact with questions.")] = None
    opens: Annotated[str | None, typer.Option(metavar="DATE", help="When it opens.")] = None
    closes: Annotated[str | None, typer.Option(metavar="DATE", help="When it closes.")] = None


@dataclass(frozen=True, kw_only=True)
class BudgetOptions:
    """The rules that may change while a league is played."""

    placement: Annotated[int | None, typer.Option(help="As for league create.")] = None
    games: Annotated[int | None, typer.Option(help="As for league create.")] = None
    until: Annotated[str | None, typer.Option(metavar="GOAL", help="As for league create.")] = None
    extra: Annotated[int | None, typer.Option(help="As for league create.")] = None
    per_day: Annotated[int | None, typer.Option(help="As for league create.")] = None
    submissions: Annotated[int | None, typer.Option(help="As for league create.")] = None
    active: Annotated[int | None, typer.Option(help="As for league create.")] = None
    final: Annotated[int | None, typer.Option(help="As for league create.")] = None
    promoted: Annotated[int | None, typer.Option(help="As for league create.")] = None
    live_delay: Annotated[
        str | None, typer.Option(metavar="TIME", help="As for league create.")
    ] = None


@app.command()
@grouped
def edit(
    league: LeagueArg,
    *,
    options: EditOptions,
    budgets: BudgetOptions,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="What its page says, in Markdown.")
    ] = None,
    reason: ReasonOpt = "",
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Change a league's description, dates and match limits; each change is recorded."""
    from arena.league.organiser.seasons import edit_league
    from arena.reports.output import read_text

    told = given_only(**asdict(options)) | ({"text": read_text(text)} if text else {})
    typer.echo(edit_league(league, told, given_only(**asdict(budgets)), reason, by, db))
