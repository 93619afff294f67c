"""What a bot imports that is ours to trust: its zygote imports it once, for all its workers."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bots.discovery.files import walk_files
from bots.discovery.manifest import Manifest, Source
from bots.discovery.regular_file import read_regular

# Packages by the name they are imported by, with what else of them a worker would load.
KNOWN: Final = {"numpy": ("numpy", "numpy.random")} | {
    name: (name,)
    for name in (
        "csv",
        "datetime",
        "decimal",
        "fractions",
        "hashlib",
        "heapq",
        "pathlib",
        "statistics",
        "string",
        "uuid",
    )
}
MAX_SOURCES: Final = 500
MAX_BYTES: Final = 1 << 20  # of a source that is looked into
# A statement at the margin; a parser would have to be trusted with a stranger's text.
IMPORT: Final = re.compile(rb"^(?:from[ \t]+(\w+)|import[ \t]+([^\n#;(]+))", re.MULTILINE)


def sources_of(manifest: Manifest) -> list[str]:
    """The Python files of a bot that is a file or a folder."""
    if manifest.source is Source.FILE:
        return [os.path.join(manifest.folder, manifest.entry)]
    if manifest.source is not Source.FOLDER:
        return []
    try:
        files = [str(file) for file in walk_files(Path(manifest.folder)) if file.suffix == ".py"]
    except OSError:
        return []  # one it may not read itself
    return files if len(files) <= MAX_SOURCES else []


def shared_imports(manifest: Manifest, sources: Iterable[str]) -> list[str]:
    """The known modules that the sources import; not those the bot has its own of."""
    named = {name for file in sources for name in _imported(_read(file))}
    wanted = [name for name in KNOWN if name in named]
    if not wanted:
        return []
    own = {entry.partition(".")[0] for entry in _own_names(manifest)}
    return [
        module
        for name in wanted
        if name not in own and importlib.util.find_spec(name) is not None
        for module in KNOWN[name]
    ]


def _own_names(manifest: Manifest) -> list[str]:
    """What a bot could import that lies in its own folder: of a bot that is a file, the file."""
    if manifest.source is Source.FILE:
        return [os.path.basename(manifest.entry)]
    return os.listdir(manifest.folder)


def _imported(text: bytes) -> set[str]:
    found: set[str] = set()
    for match in IMPORT.finditer(text):
        for word in (match[1] or match[2]).split(b","):
            name = word.split()[:1]
            found.update(part.partition(b".")[0].decode("ascii", "replace") for part in name)
    return found


def _read(file: str) -> bytes:
    """The beginning of a regular file; nothing if it is another sort of file by now."""
    try:
        return read_regular(file, MAX_BYTES)
    except OSError:
        return b""
