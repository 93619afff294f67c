"""arena owner: whose bots compete."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.league.options import ByOpt, OwnerArg, WhyOpt, YesOpt, confirm
from arena.cli.options import DbOpt, OutputOptions, grouped
from arena.reports.wording import DEFAULT_DB

app = typer.Typer(help="Manage the owners of a league's bots.", no_args_is_help=True)


@app.command("list")
@grouped
def list_(*, db: DbOpt = DEFAULT_DB, output: OutputOptions) -> None:
    """List the owners."""
    from arena.league.organiser.moderation import show_owners

    show_owners(output.settle(), db)


@app.command()
def ban(owner: OwnerArg, reason: WhyOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Ban an owner: no submissions, and none of its bots play, in any league."""
    from arena.league.organiser.moderation import ban_owner

    typer.echo(ban_owner(owner, reason, by, db))


@app.command()
def unban(owner: OwnerArg, reason: WhyOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Lift a ban; every bot returns to the state it had before."""
    from arena.league.organiser.moderation import unban_owner

    typer.echo(unban_owner(owner, reason, by, db))


@app.command()
def rename(
    owner: OwnerArg,
    name: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
    reason: WhyOpt,
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Rename an owner and all its bots; reasons that people wrote are not changed."""
    from arena.league.organiser.moderation import rename_owner

    typer.echo(rename_owner(owner, name, reason, by, db))


@app.command()
def erase(
    owner: OwnerArg,
    reason: WhyOpt,
    by: ByOpt = "",
    yes: YesOpt = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Delete an owner and all its bots permanently; their matches stay, anonymously.

    Its tokens and sessions end. Reasons that organisers wrote stay as they are.
    """
    from arena.league.organiser.moderation import erase_owner

    confirm(f"Erase {owner} and all its bots permanently?", yes)
    typer.echo(erase_owner(owner, reason, by, db))


@app.command()
def token(
    owner: OwnerArg,
    name: Annotated[str, typer.Option(help="What the token is for, such as laptop.")] = "",
    days: Annotated[int | None, typer.Option(min=1, help="Days until it expires.")] = None,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Create another token for an owner, who is added if new; it is shown only once."""
    from leagues.storage.handle import open_storage

    with open_storage(db) as storage:
        known = {each.name for each in storage.reader.leagues.owners()}
        made = storage.accounts.add_token(owner, name, days)
    if owner not in known:
        typer.echo(f"{owner} is a new owner", err=True)
    typer.echo(made)


@app.command()
@grouped
def tokens(owner: OwnerArg, *, db: DbOpt = DEFAULT_DB, output: OutputOptions) -> None:
    """List the tokens of an owner, without their secrets."""
    from arena.league.organiser.people import show_tokens

    show_tokens(owner, output.settle(), db)


@app.command()
def revoke(
    owner: OwnerArg,
    token: Annotated[int, typer.Argument(metavar="TOKEN", help="Its number, as listed.")],
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Revoke a token and end the sessions that were started with it."""
    from leagues.storage.handle import open_storage

    with open_storage(db, create=False) as storage:
        storage.accounts.revoke_token(owner, token)
    typer.echo(f"token {token} of {owner} is revoked")


@app.command()
def organiser(
    owner: OwnerArg,
    reason: WhyOpt,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="Make it an ordinary owner again.")
    ] = False,
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Make an owner an organiser of the site; a new owner is added."""
    from arena.league.organiser.people import name_organiser

    typer.echo(name_organiser(owner, not revoke, reason, by, db))


@app.command()
def team(
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Its name; a new one is added.")],
    reason: WhyOpt,
    add: Annotated[
        list[str] | None, typer.Option(metavar="OWNER", help="An owner who may act for it.")
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(metavar="OWNER", help="An owner who may no longer act for it."),
    ] = None,
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Let several people submit bots as one owner."""
    from arena.league.organiser.people import change_team

    typer.echo(change_team(team, add or [], remove or [], reason, by, db))


@app.command()
def invite(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Names to invite.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE.csv", help="A table with a column called name."),
    ] = None,
    site: Annotated[
        str, typer.Option(metavar="URL", help="Address of the site.")
    ] = "http://127.0.0.1:8000",
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Print a CSV with an invitation link per name, valid once and for 30 days."""
    from arena.league.organiser.people import invite_people

    typer.echo(invite_people(names or [], file, site, by, db), nl=False)


@app.command()
@grouped
def invitations(
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also those that were used, revoked or expired.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """List the invitations that nobody has used yet, without their links."""
    from arena.league.organiser.people import show_invitations

    show_invitations(everything, output.settle(), db)


@app.command()
def uninvite(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Its number, as listed.")],
    reason: WhyOpt,
    by: ByOpt = "",
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Revoke an invitation; its link stops working."""
    from arena.league.organiser.people import call_back

    typer.echo(call_back(number, reason, by, db))
