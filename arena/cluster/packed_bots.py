"""Bots on their way to other machines: as archives with digests, or by name if installed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bots.discovery.digest import digest
from bots.discovery.files import is_ignored
from bots.discovery.manifest import Source
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.regular_file import read_regular
from bots.discovery.spec import BotError, BotSpec, parse_spec
from engine.errors import ArenaError
from leagues.submissions.archive import (
    MAX_BYTES,
    BotArchive,
    Item,
    assemble,
    lay_out,
    pack_archive,
    receive,
    unpack_archive,
)

PYTHON: Final = "{python}"  # a word of a command: the interpreter of whoever runs it
SYSTEM: Final = ("/usr/", "/bin/", "/sbin/", "/opt/")  # what is installed, and does not travel


class MachineRefusedError(ArenaError):
    """A machine cannot play what it was given, which is no bot's fault."""


@dataclass(frozen=True)
class PackedBot:
    """One bot: its files, or the digest that it must have where it is installed."""

    target: str  # as specs name it
    home: str  # its file or folder, as its user has it
    digest: str
    content: bytes = b""
    alone: bool = False
    words: tuple[str, ...] = ()  # of a command; those of files begin with ./

    def unpack(self, folder: Path) -> tuple[str, dict[str, str]]:
        """Write the files below a folder: what names the bot there, and what its user calls it."""
        if not self.content:
            self._check_installed()
            return self._command(folder) if self.words else self.target, {}
        archive = unpack_archive(self.content, self.alone)
        if archive.digest != self.digest:
            raise MachineRefusedError(f"expected {self.target} as it was sent, got other files")
        place = folder / (Path(self.home).name if not self.alone and not self.words else "bot")
        lay_out(archive, place)
        if self.words:
            words = zip(self.words, parse_spec(self.target).command, strict=True)
            return self._command(place), {str(place / word): home for word, home in words}
        path = place / archive.items[0].path if self.alone else place
        return str(path), {str(path): self.home}

    def _command(self, folder: Path) -> str:
        """The target of a program, with the files and the interpreter of this machine."""
        words = [str(folder / word) if word.startswith("./") else word for word in self.words]
        words = [sys.executable if word == PYTHON else word for word in words]
        if shutil.which(words[0]) is None:
            raise MachineRefusedError(f"expected to run {words[0]}, got no such program")
        return f"cmd:{shlex.join(words)}"

    def _check_installed(self) -> None:
        if self.words:
            return
        try:
            found = digest(parse_spec(self.target))
        except BotError as problem:
            raise MachineRefusedError(str(problem)) from None
        if found != self.digest:
            raise MachineRefusedError(f"expected {self.target} in the same version, got another")


def pack_bots(specs: Iterable[str]) -> dict[str, PackedBot]:
    """The bots that specs name, packed, by their targets."""
    targets = {parse_spec(text).target for text in specs}
    return {target: _pack(target) for target in sorted(targets)}


def _pack(target: str) -> PackedBot:
    spec = BotSpec(target, target)
    source = read_manifest(spec).source
    if source is Source.COMMAND:
        return _pack_command(spec)
    if source in (Source.HOUSE, Source.PACKAGE):
        return PackedBot(target, "", digest(spec))
    home = os.path.abspath(target)
    archive = receive(home, is_ignored)
    return _packed(target, home, archive)


def _packed(target: str, home: str, archive: BotArchive, words: Sequence[str] = ()) -> PackedBot:
    content = pack_archive(archive)
    return PackedBot(target, home, archive.digest, content, archive.alone, tuple(words))


def _pack_command(spec: BotSpec) -> PackedBot:
    """A program with the files its command names; what the system has is expected there too."""
    words: list[str] = []
    items: list[Item] = []
    first, *rest = spec.command
    program = os.path.realpath(shutil.which(first) or first)
    if program == os.path.realpath(sys.executable):
        words.append(PYTHON)
    elif program.startswith(SYSTEM) or not os.path.isfile(program):
        words.append(first)
    else:
        words.append(_add_file(items, first, executable=True))
    for word in rest:
        travels = os.path.isfile(word) and not os.path.abspath(word).startswith(SYSTEM)
        words.append(_add_file(items, word) if travels else word)
    if not items:
        return PackedBot(spec.target, "", digest(spec), words=tuple(words))
    return _packed(spec.target, "", assemble(items), words)


def _add_file(items: list[Item], word: str, executable: bool = False) -> str:
    """Have a file travel; the word that names it where it arrives."""
    path = f"{len(items)}/{os.path.basename(word)}"
    executable = executable or os.access(word, os.X_OK)
    try:
        content = read_regular(word, MAX_BYTES + 1)  # of more, its archive is refused
    except OSError as problem:
        raise BotError(f"expected to read {word}, got {problem.strerror}") from None
    items.append(Item(path, executable, content))
    return f"./{path}"
