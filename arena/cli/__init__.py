"""The command line: bad input is one line on stderr and exit code 2; an unsafe machine is 3."""

import errno
import sys
from importlib import metadata
from typing import Annotated

import typer

from arena.cli import bot, league, match, rank, site, tournament
from arena.cli.compare import compare
from arena.cli.debug import debug, diff
from arena.cli.doctor import doctor
from arena.cli.perft import perft
from arena.cli.play import play
from arena.cli.replay import replay
from arena.cli.rules import rules
from arena.cli.serve import serve
from arena.render import plain
from bots.sandbox.attest import SandboxError
from engine import COMPILED
from engine.errors import ArenaError

app = typer.Typer(
    name="arena",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(asked: bool) -> None:
    if asked:
        form = "compiled" if COMPILED else "interpreted"
        try:
            version = metadata.version("wonders-arena")
        except metadata.PackageNotFoundError:  # run from the work tree
            version = "(not installed)"
        typer.echo(f"wonders-arena {version}, engine {form}")
        raise typer.Exit


@app.callback()
def arena(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """AI competitions for the 7 Wonders family of games."""


app.command()(play)
app.command()(compare)
app.command()(rules)
app.command()(perft)
app.command()(replay)
app.command()(doctor)
app.command()(serve)
app.add_typer(bot.app, name="bot")
app.add_typer(tournament.app, name="tournament")
match.app.command()(debug)
match.app.command()(diff)
app.add_typer(site.app, name="site")
app.add_typer(match.app, name="match")
app.add_typer(rank.app, name="rank")
app.add_typer(league.app, name="league")

# What typer raises for options and arguments that cannot be understood.
_UsageError: type[typer.BadParameter] = typer.BadParameter.__bases__[0]


def main() -> None:
    """Run the command given on the command line."""
    try:
        code = app(sys.argv[1:] or ["--help"], prog_name="arena", standalone_mode=False)
    except SandboxError as problem:
        _refuse(str(problem), 3)
    except ArenaError as problem:
        _refuse(str(problem))
    except _UsageError as problem:
        if problem.format_message().startswith("Usage:"):  # a group of commands by itself
            print(problem.format_message())  # noqa: T201
            sys.exit(0)
        _refuse(" ".join(problem.format_message().split()))
    except OSError as problem:
        if problem.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        _refuse(f"expected room to write, got {problem.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code)


def _refuse(problem: str, code: int = 2) -> None:
    print(f"arena: {plain(problem)}", file=sys.stderr)  # noqa: T201
    sys.exit(code)
