"""The reference of commands, out of the program: docs/commands.md; `make docs` writes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer import Context
from typer.main import get_command

import arena.cli
from arena.command_list import GROUPS, root_help

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
WIDTH = 90


def text() -> str:
    """The whole page."""
    arena.cli._load(["--help"])
    root = get_command(arena.cli.app)
    parts = [
        "# Commands",
        "Generated from the program: the same as `--help` prints.",
        _fenced(root_help()),
    ]
    for title, commands in GROUPS.items():
        parts.append(f"## {title}")
        for name in commands:
            parts += _pages(root.commands[name], name)  # type: ignore[attr-defined]
    return "\n\n".join(parts) + "\n"


def _pages(command: Any, path: str) -> Iterator[str]:
    below = getattr(command, "commands", None)
    if below is None:
        context = Context(
            command, info_name=f"arena {path}", max_content_width=WIDTH, terminal_width=WIDTH
        )
        yield f"### arena {path}"
        yield _fenced(command.get_help(context))
    for name, each in (below or {}).items():
        yield from _pages(each, f"{path} {name}")


def _fenced(lines: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in lines.strip().splitlines())


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
