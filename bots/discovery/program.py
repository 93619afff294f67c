"""A program over stdio in a folder of its own: what its bot.toml may say is run, and by what."""

from __future__ import annotations

import re
import shutil
import stat
from pathlib import Path, PurePosixPath
from typing import Final

from bots.discovery.files import is_ignored
from bots.discovery.regular_file import read_regular
from bots.discovery.spec import BotError

MAX_WORDS: Final = 20
MAX_WORD: Final = 200  # characters
MAX_LINE: Final = 255  # bytes of a first line that the kernel reads
SHOWN: Final = ("/usr/", "/bin/")  # what a program sees of the system, and so its interpreter
ENV: Final = ("/usr/bin/env", "/bin/env")
# An argument, or the value of an option, that is a path and does not lead down.
OUT: Final = re.compile(
    r"(?:^|[=:,]|^-[A-Za-z])[/~] | (?:^|[=:,/]|^-[A-Za-z])\.\.(?:[/=:,]|$)", re.VERBOSE
)


def read_words(folder: Path, said: object) -> tuple[str, ...]:
    """The file of the folder that is run, and its arguments; BotError for one reason."""
    words = [said] if isinstance(said, str) else said
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        raise BotError("expected program as FILE or [FILE, ARGUMENT, ...], got {said!r}", said=said)
    if len(words) > MAX_WORDS or any(len(w) > MAX_WORD or not w.isprintable() for w in words):
        raise BotError(
            "expected program as up to {max_words} words of {max_word} letters, got others",
            max_words=MAX_WORDS,
            max_word=MAX_WORD,
        )
    for word in words[1:]:
        if OUT.search(word):
            raise BotError(
                "expected arguments that stay in the bot's folder, got {word!r}", word=word
            )
    file = _file(folder, words[0])
    interpreter_of(folder / file)
    return (file, *words[1:])


def _file(folder: Path, name: str) -> str:
    path = PurePosixPath(name)
    file = folder / path
    outside = path.is_absolute() or ".." in path.parts or is_ignored(name)
    if outside or not file.is_file() or _has_link(folder, path):
        raise BotError("expected program to be a file in the bot's folder, got {name!r}", name=name)
    if not file.stat().st_mode & stat.S_IXUSR:
        raise BotError(
            "expected {path} to be executable, got a plain file: chmod +x {path}", path=path
        )
    return str(path)


def _has_link(folder: Path, path: PurePosixPath) -> bool:
    """Whether a link is on the way to a file; what it leads to would not be in the box."""
    return (folder / path).resolve() != folder.resolve() / path


def interpreter_of(file: Path) -> str:
    """What a script says it is run by, a path or a name; nothing for a compiled program."""
    try:
        head = read_regular(file, MAX_LINE + 1, follow=False)
    except OSError as problem:
        raise BotError(
            "expected to read {place}, got {why}", place=file.name, why=problem.strerror
        ) from None
    if not head.startswith(b"#!"):
        if b"\0" in head:
            return ""
        raise BotError(
            "expected {name} to be compiled or to begin with #!, got neither", name=file.name
        )
    line, end, _ = head[2:].partition(b"\n")
    if not end or line.endswith(b"\r"):
        if end:
            raise BotError(
                "expected a newline after the first line of {name}, "
                "got a return too, as Windows writes",
                name=file.name,
            )
        raise BotError(
            "expected a newline after the first line of {name}, got more", name=file.name
        )
    words = line.decode("utf-8", "replace").split()
    named = _named(words)
    by_name = words[:1] != [named] and named and "/" not in named
    if not by_name and (not named.startswith(SHOWN) or ".." in named.split("/")):
        raise BotError(
            "expected {name} to be run by /usr/bin/env NAME or a program in {shown}, got {words}",
            name=file.name,
            shown=" or ".join(SHOWN),
            words=" ".join(words) or "none",
        )
    return named


def _named(words: list[str]) -> str:
    """The interpreter in a first line; of several words env takes the first only after -S."""
    if words and words[0] in ENV:
        words = words[2:] if words[1:2] == ["-S"] else words[1:] if len(words) == 2 else []
    return words[0] if words else ""


def find_interpreter(file: Path, path: str) -> str:
    """What a script is run by, nothing for a compiled program; BotError if it is not here."""
    named = interpreter_of(file)
    found = shutil.which(named, path=path) if named else ""
    if found is None:
        raise BotError(
            "expected {named} for {name}, got none on this machine", named=named, name=file.name
        )
    return found
