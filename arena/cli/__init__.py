"""The command line: bad input is one line on stderr and exit code 2; an unsafe machine is 3."""

import errno
import sys
from importlib import import_module, metadata
from typing import Annotated, Final

import typer

from arena.reports.wording import plain
from bots.sandbox.errors import SandboxError
from engine import COMPILED
from engine.errors import ArenaError

# Each is a module beside this one: a group of commands `app`, or a function of the same name.
COMMANDS: Final = (
    "play",
    "compare",
    "tune",
    "tournament",
    "rank",
    "match",
    "league",
    "serve",
    "site",
    "bot",
    "rules",
    "replay",
    "perft",
    "upgrade",
    "doctor",
)

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


_loaded: set[str] = set()


def _load(words: list[str]) -> None:
    """Add the command that the words begin with, or all: loading one takes a part of a second."""
    wanted = words[:1] if words[0] in COMMANDS else () if words[0] == "--version" else COMMANDS
    for name in wanted:
        if name in _loaded:
            continue
        _loaded.add(name)
        module = import_module(f"arena.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, name))


# What typer raises for options and arguments that cannot be understood.
_UsageError: type[typer.BadParameter] = typer.BadParameter.__bases__[0]


def run(words: list[str]) -> int | None:
    """Run a command given as words; what goes wrong is raised."""
    _load(words)
    code: int | None = app(words, prog_name="arena", standalone_mode=False)
    return code


def main() -> None:
    """Run the command given on the command line."""
    try:
        code = run(sys.argv[1:] or ["--help"])
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
