"""arena ladder: the versions of an author's bots on one local ladder."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import OneGameOpt, OutputOptions, RunOptions, TurnsOpt, grouped

app = typer.Typer(no_args_is_help=True, help="Rate the versions of your own bot.")
FolderOpt = Annotated[
    Path, typer.Option("--ladder", metavar="DIR", file_okay=False, help="Where the ladder is kept.")
]
DEFAULT_FOLDER = Path("arena-ladder")


@app.command()
@grouped
def add(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A file or a folder.")],
    *,
    folder: FolderOpt = DEFAULT_FOLDER,
    game: OneGameOpt = "architects",
    players: TurnsOpt = "2",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that a new version plays.")] = 10,
    run: RunOptions,
) -> int:
    """Copy a bot as it is now, let it play the versions before it, and show the ladder.

    A version that was added already is not added again; if it was stopped, it plays on.
    """
    from arena.ladder.run import LadderSettings, add_to_ladder

    return add_to_ladder(
        bot,
        LadderSettings(folder, game, players, rounds, run.in_process, run.trust, run.workers()),
    )


@app.command()
@grouped
def show(
    *,
    folder: FolderOpt = DEFAULT_FOLDER,
    game: Annotated[str | None, typer.Option(help="Only architects, or only seven.")] = None,
    output: OutputOptions,
) -> None:
    """Show the ratings of all versions, and of the built-in bots that they met."""
    from arena.ladder.run import show_ladder

    show_ladder(folder, game, output.settle())
