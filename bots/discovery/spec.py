"""How bots are named on a command line: NAME, a path, or cmd:PROGRAM, with parameters or a name."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import lru_cache
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
    name: str = ""  # that the user gave a command

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


def is_name(text: str) -> bool:
    """Whether a text can be the name of a bot."""
    return 0 < len(text) <= 64 and all(c.isascii() and (c.isalnum() or c in "-_") for c in text)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise BotError(f"expected a program and its arguments, got {problem}: {command}") from None


@lru_cache(maxsize=256)  # each is asked for again with every match
def parse_spec(text: str) -> BotSpec:
    """Take a spec apart; BotError if it is none."""
    if not text.strip():
        raise BotError("expected the name of a bot, got nothing")
    name, equals, command = text.partition("=")
    if not equals or not command.startswith("cmd:") or text.startswith("cmd:"):
        name, command = "", text
    if command.startswith("cmd:"):
        if not _words(command.removeprefix("cmd:")):
            raise BotError("expected a program after cmd:, got nothing")
        if text != command and not is_name(name):
            raise BotError(
                f"expected a name of letters, digits, - and _ before =cmd:, got {name!r}"
            )
        return BotSpec(text, command, name=name)
    target, _, tail = text.partition(":")
    params = []
    for part in filter(None, tail.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise BotError(f"expected parameters as key=value,..., got {part} in {text}")
        params.append((key, value))
    return BotSpec(text, target, tuple(params))
