"""arena site: the pages as plain files."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from arena.cli.options import DbOpt
from arena.reports.wording import DEFAULT_DB
from engine.errors import ArenaError
from leagues.storage.leagues import read_roster

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
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that has other files.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Write leaderboards, bots, replays and rules to DIR: open its index.html, or put it online.

    Again into the same DIR, it writes what is new.
    """
    try:
        from arena.site import static_build
        from arena.site.contests import Contests
    except ImportError as problem:
        raise ArenaError(
            f"expected the site's libraries, got no {problem.name}: "
            'pip install "wonders-arena[site]"'
        ) from None
    messages = Console(stderr=True)
    with (
        read_roster(db) as store,
        Progress(console=messages, disable=not messages.is_terminal) as bar,
    ):
        task = bar.add_task("pages")

        def tell(done: int, known: int) -> None:
            bar.update(task, completed=done, total=known)

        pages = static_build.build(Contests(store, still=True), folder, replays, force, tell)
    typer.echo(f"{pages:,} pages in {folder}")
