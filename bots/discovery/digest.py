"""What a bot is made of, in one number: another content or parameter, another digest."""

from __future__ import annotations

import errno
import hashlib
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bots.discovery.files import list_files
from bots.discovery.manifest import Manifest, Source
from bots.discovery.manifest_reader import ENTRY_POINTS, read_manifest
from bots.discovery.regular_file import open_regular
from bots.discovery.spec import BotError, BotSpec
from engine.version import UNINSTALLED, program_version

HOUSE = Path(__file__).parents[1] / "house"
MAX_BYTES: Final = 2 << 30  # of all files of a bot
PART: Final = 1 << 18  # bytes read at once


def digest(spec: BotSpec) -> str:
    """64 hexadecimal digits, found without running any of the bot's code."""
    manifest = read_manifest(spec)
    try:
        parts = list(_parts(spec, manifest))
    except OSError as problem:
        raise BotError(f"expected to read {spec.text}, got {problem.strerror}") from None
    whole = hashlib.sha256()
    for part in (manifest.source, *parts, *(f"{key}={value}" for key, value in spec.params)):
        data = part.encode("utf-8", "surrogateescape")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def _parts(spec: BotSpec, manifest: Manifest) -> Iterator[str]:
    """What makes the bot this one: names, versions, and contents by their hash."""
    if manifest.source is Source.COMMAND:
        yield shlex.join(spec.command)
        yield from _program(spec.command)
    elif manifest.source is Source.HOUSE:
        yield manifest.name
        version = program_version()
        yield "a work tree" if version == UNINSTALLED else version  # as digests have always had it
        # They share modules, so a change in one is taken for a change in all; of what is
        # compiled, an installation has the source beside it.
        yield from _contents(HOUSE, [file for file in list_files(HOUSE) if file.suffix == ".py"])
    elif manifest.source is Source.PACKAGE:
        yield manifest.name
        yield from _distribution(manifest.name)
    elif manifest.source is Source.FILE:
        yield _hash(spec.path)[0]
    else:
        yield from _contents(spec.path, list_files(spec.path))


def _contents(folder: Path, files: list[Path]) -> Iterator[str]:
    left = MAX_BYTES
    for file in files:
        yield file.relative_to(folder).as_posix()
        found, size = _hash(file, left)
        yield found
        left -= size


def _hash(file: Path, most: int = MAX_BYTES) -> tuple[str, int]:
    """The hash of a file and its size; OSError if it is too long, or is made longer meanwhile."""
    whole = hashlib.sha256()
    size = 0
    with open(open_regular(file), "rb", buffering=0) as content:
        if os.fstat(content.fileno()).st_size <= most:
            while size <= most and (part := content.read(PART)):
                whole.update(part)
                size += len(part)
            if size <= most:
                return whole.hexdigest(), size
    raise OSError(errno.EFBIG, f"more than {MAX_BYTES >> 30} GB of files")


def _program(words: list[str]) -> Iterator[str]:
    """The program and the files its command names; what lies beside them is not known to be its."""
    program = shutil.which(words[0])
    for word in (program or words[0], *words[1:]):
        if os.path.isfile(word):
            yield word
            yield _hash(Path(word))[0]


def _distribution(name: str) -> Iterator[str]:
    """The name and version of what was installed, and of every file its recorded hash."""
    from importlib import metadata  # which takes a while to load

    for point in metadata.entry_points(group=ENTRY_POINTS):
        if point.name == name and point.dist is not None:
            yield point.dist.name
            yield point.dist.version
            for file in sorted(point.dist.files or [], key=str):
                if file.hash is not None:  # caches and the record itself have none
                    yield str(file)
                    yield f"{file.hash.mode}={file.hash.value}"
            return
