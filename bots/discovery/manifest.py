"""What is known of a bot before any of its code is run."""

import os
import shlex
from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """Where a bot comes from."""

    HOUSE = "house"
    FILE = "file"
    FOLDER = "folder"
    PACKAGE = "package"
    PROGRAM = "program"  # in a folder with a bot.toml
    COMMAND = "command"  # cmd:


@dataclass(frozen=True)
class Manifest:
    """A bot's name and version, where its code is, and which games it plays."""

    name: str
    version: str
    source: Source
    entry: str  # what its own process loads: a file, module:attribute, or a command
    folder: str = ""  # where its modules are imported from
    games: tuple[str, ...] = ()
    summary: str = ""
    threads: bool = False  # whether it has threads

    @property
    def is_program(self) -> bool:
        """Whether it speaks over stdio, in any language."""
        return self.source in (Source.PROGRAM, Source.COMMAND)

    @property
    def words(self) -> list[str]:
        """The command of a program: its file and arguments."""
        first, *rest = shlex.split(self.entry)
        return [os.path.join(self.folder, first) if self.folder else first, *rest]

    @property
    def kind(self) -> str:
        """What it is, for people."""
        return "program over stdio" if self.is_program else "Python"
