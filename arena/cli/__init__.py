"""The command line: bad input is one line on stderr and exit code 2; an unsafe machine is 3."""

import errno
import gc
import os
import sys
import traceback
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Final

import typer

from bots.protocol.sanitize import for_terminal
from bots.sandbox.errors import SandboxError
from engine import COMPILED
from engine.errors import ArenaError
from engine.version import program_version

# The module beside this one that has a command: as a group `app`, or as a function of its name.
COMMANDS: Final = {
    "play": "play",
    "compare": "compare",
    "tune": "tune",
    "tournament": "tournament",
    "rank": "rank",
    "match": "match",
    "league": "league",
    "serve": "site",
    "site": "site",
    "cluster": "cluster",
    "bot": "bot",
    "rules": "rules",
    "replay": "play",
    "perft": "rules",
    "upgrade": "maintenance",
    "doctor": "maintenance",
}

app = typer.Typer(
    name="arena",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(asked: bool) -> None:
    if asked:
        form = "compiled" if COMPILED else "interpreted"
        typer.echo(f"wonders-arena {program_version()}, engine {form}")
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
    """Add the command that is named first, or all of them: each takes time to load."""
    wanted = words[:1] if words[0] in COMMANDS else () if words[0] == "--version" else COMMANDS
    for name in wanted:
        if name in _loaded:
            continue
        _loaded.add(name)
        module = import_module(f"arena.cli.{COMMANDS[name]}")
        if name == COMMANDS[name] and hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, name))


# What typer raises for options and arguments that it cannot parse.
_UsageError: type[typer.BadParameter] = typer.BadParameter.__bases__[0]


def run(words: list[str]) -> int | None:
    """Run a command given as words; what goes wrong is raised."""
    _load(words)
    code: int | None = app(words, prog_name="arena", standalone_mode=False)
    return code


def main() -> None:
    """Run the command given on the command line."""
    gc.set_threshold(20_000, 20, 50)  # most of what a command makes stays, and is no garbage
    try:
        code = run(sys.argv[1:] or ["--help"])
    except ArenaError as problem:
        from arena.i18n import translate_error

        text = translate_error(problem, _language(sys.argv))
        _refuse(text, 3 if isinstance(problem, SandboxError) else 2)
    except _UsageError as problem:
        if problem.format_message().startswith("Usage:"):  # a group of commands by itself
            print(problem.format_message())  # noqa: T201
            sys.exit(0)
        _refuse(" ".join(problem.format_message().split()))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has left, such as head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno in (
            errno.ENOSPC,
            errno.EDQUOT,
            errno.EIO,
        ):
            _refuse(f"cannot write: {problem.strerror}")
        _report_bug()
    sys.exit(code)


def _language(words: list[str]) -> str:
    """The language that the output was asked in, by --lang."""
    asked = [after for word, after in pairwise([*words, ""]) if word == "--lang"]
    asked += [word.partition("=")[2] for word in words if word.startswith("--lang=")]
    return "fr" if asked[-1:] == ["fr"] else "en"


def _refuse(problem: str, code: int = 2) -> None:
    print(f"arena: {for_terminal(problem)}", file=sys.stderr)  # noqa: T201
    sys.exit(code)


def _report_bug() -> None:
    """Show the traceback of an error that nothing foresaw, and ask for a report."""
    traceback.print_exc()
    print(  # noqa: T201
        "arena: this is a bug in wonders-arena. Please report it in the project's issue tracker, "
        "with the command and the lines above.",
        file=sys.stderr,
    )
    sys.exit(1)
