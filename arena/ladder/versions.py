"""Versions of bots as they were when they were added: copies of their files, numbered from 1."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bots.discovery.digest import digest
from bots.discovery.files import list_files
from bots.discovery.manifest import Source
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import BotSpec, parse_spec
from engine.errors import ArenaError

VERSION: Final = re.compile(r"(?P<name>.+)-v(?P<number>[0-9]{1,6})(?:\.py)?")
NAME_LINE: Final = re.compile(r'^(\s*name\s*=\s*)"[^"]*"', re.MULTILINE)


@dataclass(frozen=True)
class BotVersion:
    """A copy of a bot."""

    name: str
    number: int
    path: Path

    @property
    def label(self) -> str:
        return f"{self.name}-v{self.number}"


def list_versions(folder: Path) -> list[BotVersion]:
    """All versions of a ladder, by name and number."""
    paths = folder.iterdir() if folder.is_dir() else ()
    matches = ((VERSION.fullmatch(path.name), path) for path in paths)
    found = [BotVersion(each["name"], int(each["number"]), path) for each, path in matches if each]
    return sorted(found, key=lambda each: (each.name, each.number))


def add_version(folder: Path, bot: str) -> tuple[BotVersion, bool]:
    """The version of the bot as it is now, and whether it is new; one that was added stays."""
    spec = parse_spec(bot)
    manifest = read_manifest(spec)
    if manifest.source not in (Source.FILE, Source.FOLDER, Source.PROGRAM) or spec.params:
        raise ArenaError(f"expected a file or a folder without parameters, got {bot}")
    same = [each for each in list_versions(folder) if each.name == manifest.name]
    number = same[-1].number + 1 if same else 1
    suffix = ".py" if manifest.source is Source.FILE else ""
    label = f"{manifest.name}-v{number}"
    made = BotVersion(manifest.name, number, folder / f"{label}{suffix}")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _copy(spec, made)
    except OSError as problem:
        raise ArenaError(f"cannot copy {bot} to {made.path}: {problem.strerror}") from None
    for each in same:
        if _content(each) == _content(made):
            _remove(made.path)
            return each, False
    return made, True


def _copy(spec: BotSpec, made: BotVersion) -> None:
    if spec.path.is_file():
        shutil.copyfile(spec.path, made.path)
        return
    for file in list_files(spec.path):
        target = made.path / file.relative_to(spec.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    manifest = made.path / "bot.toml"
    text = NAME_LINE.sub(rf'\g<1>"{made.label}"', manifest.read_text(encoding="utf-8"), count=1)
    manifest.write_text(text, encoding="utf-8")


def _content(version: BotVersion) -> object:
    """What two versions share that are the same but for their name."""
    if version.path.is_file():
        return digest(parse_spec(str(version.path)))
    return [
        (
            file.relative_to(version.path),
            NAME_LINE.sub("", file.read_text(encoding="utf-8"), count=1).encode()
            if file.name == "bot.toml" and file.parent == version.path
            else file.read_bytes(),
        )
        for file in list_files(version.path)
    ]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
