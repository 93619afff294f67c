"""arena bot: make, list, show and check bots."""

import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.options import JsonOpt, LimitOptions, TrustOpt, grouped

app = typer.Typer(no_args_is_help=True, help="Make, list, show and check bots.")
SpecArg = Annotated[
    str, typer.Argument(metavar="SPEC", help="NAME, NAME:key=value, a path, or cmd:PROGRAM.")
]


@app.command("list")
def list_(as_json: JsonOpt = False) -> None:
    """List the bots of the house and of installed packages; none of their code runs."""
    from arena.playing.bot_report import list_bots

    list_bots(as_json)


@app.command()
def show(spec: SpecArg, as_json: JsonOpt = False) -> None:
    """Show what a bot's manifest says; none of its code runs."""
    from arena.playing.bot_report import show_bot

    show_bot(spec, as_json)


@app.command()
@grouped
def check(
    spec: SpecArg,
    *,
    limits: LimitOptions,
    trust: TrustOpt = False,
    as_json: JsonOpt = False,
) -> int:
    """Check a bot step by step, in the sandbox it will play in; exit code 1 if it fails."""
    from arena.playing.bot_report import check_bot

    return check_bot(spec, limits.parse(), trust, as_json)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot and its folder.")],
    lang: Annotated[
        Literal["python", "stdio"],
        typer.Option(help="python with our library, or any language over stdio."),
    ] = "python",
    folder: Annotated[
        Path, typer.Option("--in", metavar="DIR", file_okay=False, help="Where to put it.")
    ] = Path(),
) -> None:
    """Make a folder with a bot that works, and a test of its own."""
    from arena import new_bot

    made = new_bot.write(name, new_bot.BotTemplate(lang), folder)
    typer.echo(f"made {made}; now: arena bot check {shlex.quote(new_bot.spec_of(made))}")
    typer.echo(f"its own test: pip install pytest; pytest {shlex.quote(str(made))}")
