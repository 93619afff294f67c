"""The command line: bad input is one line on stderr and exit code 2; an unsafe machine is 3."""

import errno
import gc
import os
import re
import sys
import traceback
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Final

import typer

from arena.cli.help_texts import add_help
from arena.command_list import COMMANDS, version_line
from bots.protocol.sanitize import for_terminal
from bots.sandbox.errors import SandboxError
from engine.errors import ArenaError

HELP_OPTIONS: Final = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="arena",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(version_line())
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
    """Bot competitions for the 7 Wonders family of games."""


_loaded: set[str] = set()


def _load(words: list[str]) -> None:
    """Add the command that is named first, or all of them: each takes time to load."""
    first = words[0] if words else ""
    wanted = [first] if first in COMMANDS else [] if first == "--version" else list(COMMANDS)
    for name in wanted:
        if name in _loaded:
            continue
        _loaded.add(name)
        command = COMMANDS[name]
        module = import_module(f"arena.cli.{command.module}")
        if name == command.module and hasattr(module, "app"):
            add_help(module.app, (name,))
            app.add_typer(module.app, name=name, short_help=command.summary)
        else:
            app.command(name)(getattr(module, name))
    add_help(app)


# What typer raises for options and arguments that it cannot parse.
_UsageError: type[typer.BadParameter] = typer.BadParameter.__bases__[0]


def run(words: list[str]) -> int | None:
    """Run a command given as words; what goes wrong is raised."""
    _load(words)
    code: int | None = app(words, prog_name="arena", standalone_mode=False)
    return code


def main() -> None:
    """Run the command given on the command line."""
    # Who stops a run at once is told how to go on, not what Python's tracker tidies up.
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    gc.set_threshold(20_000, 20, 50)  # most of what a command makes stays, and is no garbage
    try:
        code = _complete() if "_ARENA_COMPLETE" in os.environ else run(sys.argv[1:] or ["--help"])
    except ArenaError as problem:
        from arena.i18n import translate_error

        text = translate_error(problem, _language(sys.argv))
        _refuse(text, 3 if isinstance(problem, SandboxError) else 2)
    except _UsageError as problem:
        if problem.format_message().startswith("Usage:"):  # a group of commands by itself
            print(problem.format_message())  # noqa: T201
            sys.exit(0)
        text = _in_our_words(problem.format_message())
        if problem.ctx is not None and text.startswith(("Missing", "No such command")):
            text += f" See: {problem.ctx.command_path} --help"
        _refuse(text)
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


def _complete() -> int | None:
    """Answer a shell that completes a command line, which it gives in its environment."""
    _load(os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:])
    code: int | None = app(prog_name="arena")
    return code


def _language(words: list[str]) -> str:
    """The language that the output was asked in, by --lang."""
    asked = [after for word, after in pairwise([*words, ""]) if word == "--lang"]
    asked += [word.partition("=")[2] for word in words if word.startswith("--lang=")]
    return "fr" if asked[-1:] == ["fr"] else "en"


# What the library that converts options says, and what we say.
REPHRASED: Final = (
    (r"Value error, ", ""),
    (r"Input should be a valid integer.*", "expected a whole number."),
    (r"Input should be a valid number.*", "expected a number."),
    (r"Input should be greater than or equal to (\S+)", r"expected at least \1"),
    (r"Input should be less than or equal to (\S+)", r"expected at most \1"),
)


def _in_our_words(message: str) -> str:
    """A message about an option in one line, without the words of its library."""
    text = " ".join(message.split())
    for pattern, ours in REPHRASED:
        text = re.sub(pattern, ours, text)
    return text


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
