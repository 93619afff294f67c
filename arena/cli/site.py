"""arena site: the pages as plain files."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DB, DbOpt
from engine.errors import ArenaError
from leagues.roster import read_roster

app = typer.Typer(help="The pages of the site as plain files.", no_args_is_help=True)


@app.callback()
def site() -> None:
    """The pages of the site as plain files."""


@app.command("build")
def build(
    folder: Annotated[Path, typer.Argument(metavar="DIR", file_okay=False)],
    replays: Annotated[
        int, typer.Option(min=0, help="Matches that can be watched again: the latest.")
    ] = 500,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Write leaderboards, bots, replays and rules to DIR: open its index.html, or put it online."""
    try:
        from arena.site import files
        from arena.site.archive import Archive
    except ImportError as problem:
        raise ArenaError(
            f"expected the site's libraries, got no {problem.name}: "
            'pip install "wonders-arena[site]"'
        ) from None
    with read_roster(db) as store:
        pages = files.build(Archive(store), folder, replays)
    typer.echo(f"{pages:,} pages in {folder}")
