"""A bot's sources compiled once, without being run, and imported from that in every process after.

What was compiled is bytes to whoever keeps it: only the process that runs the bot reads it.
"""

from __future__ import annotations

import importlib.machinery
import marshal
import os
import sys
import warnings
from collections.abc import Iterable
from types import CodeType
from typing import Any, ClassVar, Final, NoReturn

from bots.discovery.regular_file import read_regular

MAX_BYTES: Final = 1 << 20  # of one source
# What compiling a stranger's text may raise; the bot's own process will raise and tell it.
NO_CODE: Final = (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError, OSError)


def compile_sources(files: Iterable[str]) -> bytes:
    """Compile Python files; those that cannot be, or not without a warning, are left out."""
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # so that each process that runs the bot prints them
        for file in files:
            try:
                stat = os.stat(file)
                text = read_regular(file, MAX_BYTES + 1)
                if len(text) == stat.st_size <= MAX_BYTES:
                    code = compile(text, file, "exec", dont_inherit=True)
                    found[file] = (stat.st_mtime_ns, stat.st_size, marshal.dumps(code))
            except NO_CODE:
                continue
    return marshal.dumps(found)


class CompiledLoader(importlib.machinery.SourceFileLoader):
    """Loads a bot's own files, from what they were compiled to while they are the same."""

    # Of the one bot of this process, by file: when it was modified, its size, and the code.
    known: ClassVar[dict[str, tuple[int, int, bytes]]] = {}

    def get_code(self, fullname: str) -> CodeType | None:
        found = self.known.get(self.path)
        if found is not None:
            stat = os.stat(self.path)
            if (stat.st_mtime_ns, stat.st_size) == found[:2]:
                code: CodeType = marshal.loads(found[2])
                return code
        return super().get_code(fullname)

    def path_stats(self, path: str) -> NoReturn:
        """Keep the import system from reading or writing a cache, which no digest covers."""
        raise OSError(path)


def use_compiled(compiled: bytes) -> None:
    """Have the bot's files loaded from what they were compiled to."""
    # In place: what the interpreter knows of a class is forgotten when an attribute of it is set.
    CompiledLoader.known.update(marshal.loads(compiled))


def hook_folder(folder: str) -> None:
    """Have modules in a bot's folder imported by this loader too, and never from byte code."""
    if not _folders:
        sys.path_hooks.insert(0, _find_in_folder)
    _folders.add(folder)
    sys.path_importer_cache.pop(folder, None)


def unhook_folder(folder: str) -> None:
    """Have modules in a folder imported as ever."""
    _folders.discard(folder)
    sys.path_importer_cache.pop(folder, None)
    if not _folders:
        sys.path_hooks.remove(_find_in_folder)


def _find_in_folder(path: str) -> Any:
    """A hook of the import system."""
    if not any(path == folder or path.startswith(f"{folder}/") for folder in _folders):
        raise ImportError(path)  # not the bot's
    return _OF_FOLDER(path)


_folders: Final[set[str]] = set()
# Without the loader of compiled modules that have no source: what plays is what can be read.
_OF_FOLDER: Final = importlib.machinery.FileFinder.path_hook(
    (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
    (CompiledLoader, importlib.machinery.SOURCE_SUFFIXES),
)
