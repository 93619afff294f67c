"""How bots are named on a command line: NAME, a path, or cmd:PROGRAM, and parameters behind."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import ArenaError

if TYPE_CHECKING:
    from pathlib import Path


class BotError(ArenaError):
    """A bot that cannot be found, read or started."""


@dataclass(frozen=True)
class BotSpec:
    """A bot as the user wrote it, taken apart."""

    text: str
    target: str
    params: tuple[tuple[str, str], ...] = ()

    @property
    def is_command(self) -> bool:
        """Whether it is a program in any language."""
        return self.target.startswith("cmd:")

    @property
    def is_path(self) -> bool:
        """Whether it is a file or a folder."""
        return not self.is_command and ("/" in self.target or self.target.endswith((".py", ".")))

    @property
    def path(self) -> Path:
        """The file or folder."""
        from pathlib import Path  # which the processes of bots do without

        return Path(self.target)

    @property
    def command(self) -> list[str]:
        """The program and its arguments."""
        return _words(self.target.removeprefix("cmd:"))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise BotError(f"expected a program and its arguments, got {problem}: {command}") from None


def parse_spec(text: str) -> BotSpec:
    """Take a spec apart; BotError if it is none."""
    if not text.strip():
        raise BotError("expected the name of a bot, got nothing")
    if text.startswith("cmd:"):
        if not _words(text.removeprefix("cmd:")):
            raise BotError("expected a program after cmd:, got nothing")
        return BotSpec(text, text)
    target, _, tail = text.partition(":")
    params = []
    for part in filter(None, tail.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise BotError(f"expected parameters as key=value,..., got {part} in {text}")
        params.append((key, value))
    return BotSpec(text, target, tuple(params))
