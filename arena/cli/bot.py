"""arena bot: make, list, show and check bots."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.options import JsonOpt, LimitOptions, TrustOpt, grouped

app = typer.Typer(no_args_is_help=True, help="Create, list and check bots.")
SpecArg = Annotated[
    str, typer.Argument(metavar="SPEC", help="NAME, NAME:key=value, a path, or cmd:PROGRAM.")
]


@app.command("list")
def list_(as_json: JsonOpt = False) -> None:
    """List the built-in bots and those of installed packages; none of their code runs."""
    from arena.bot_list import list_bots

    list_bots(as_json)


@app.command()
def show(spec: SpecArg, as_json: JsonOpt = False) -> None:
    """Show what a bot declares about itself; none of its code runs."""
    from arena.bot_list import show_bot

    show_bot(spec, as_json)


@app.command()
@grouped
def check(
    spec: SpecArg,
    *,
    game: Annotated[
        list[str] | None,
        typer.Option(help="Only this game; may be repeated. All that the bot plays if not given."),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=2, max=7, help="Only this number of players.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Only this game, by the seed that a check printed.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Play all games, however long it takes.")
    ] = False,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="Start no further game after this time.")
    ] = "20s",
    limits: LimitOptions,
    trust: TrustOpt = False,
    as_json: JsonOpt = False,
) -> int:
    """Check a bot step by step, in the sandbox it will play in; exit code 1 if it fails."""
    from arena.playing.bot_report import check_bot, check_scope

    scope = check_scope(game or [], players, seed, budget, full)
    return check_bot(spec, limits.parse(), trust, scope, as_json)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot and its folder.")],
    lang: Annotated[
        Literal[
            "python",
            "python-stdio",
            "javascript",
            "java",
            "go",
            "rust",
            "c",
            "cpp",
            "csharp",
            "lua",
        ],
        typer.Option(help="python with our library; the others speak JSON over stdio."),
    ] = "python",
    folder: Annotated[
        Path, typer.Option("--in", metavar="DIR", file_okay=False, help="Where to put it.")
    ] = Path(),
) -> None:
    """Create a folder with a working bot, in one of nine languages."""
    from arena import new_bot

    made = new_bot.write(name, new_bot.BotTemplate(lang), folder)
    typer.echo(f"made {made}")
    for step in new_bot.next_steps(made):
        typer.echo(step)
