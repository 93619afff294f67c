"""Submissions: what a bot says of itself, read from its files without running any of them."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from arena.league.rules import parse_rules
from arena.tempdirs import TempFolder
from bots.discovery.manifest import Manifest
from bots.discovery.manifest_reader import ENTRY_POINTS, MAX_FACTS, read_manifest
from bots.discovery.spec import BotError, BotSpec, is_name
from bots.protocol.sanitize import one_line
from engine.errors import ArenaError
from leagues.records import League, Submission
from leagues.storage.handle import Storage
from leagues.storage.submissions import NewSubmission
from leagues.submissions.archive import ArchiveError, BotArchive, Item, assemble, lay_out

MAX_PROJECT: Final = 8_000  # bytes of pyproject.toml: reading takes time by the square of it
MAX_SUMMARY: Final = 200
FOLDER: Final = "bot"


def submit(
    storage: Storage, league: League, archive: BotArchive, owner: str | None = None, by: str = ""
) -> tuple[Submission, bool]:
    """Receive a bot, and whether it is new to the league; ArenaError says what is wrong with it."""
    archive = runnable(with_manifest(archive))
    manifest = read_facts(archive)
    facts: dict[str, object] = {
        "source": manifest.source,
        "kind": manifest.kind,
        "entry": manifest.entry,
        "games": list(manifest.games),
        "summary": one_line(manifest.summary)[:MAX_SUMMARY],
        "threads": manifest.threads,
        "alone": archive.alone,
    }
    new = NewSubmission(league.id, archive, manifest.name, manifest.version, facts, owner, by)
    rules = parse_rules(league.rules, league.name)
    return storage.leagues.submit(new, rules.submissions, rules.active)


def read_facts(archive: BotArchive) -> Manifest:
    """What the bot says of itself; told of its files, not of where they were looked at."""
    with TempFolder() as scratch:
        path = write_bot(archive, scratch.path)
        try:
            return read_manifest(BotSpec(str(path), str(path)))
        except ArenaError as problem:
            fields = {name: _relative(value, path) for name, value in problem.fields.items()}
            raise BotError(problem.message, **fields) from None


def _relative(value: object, folder: Path) -> object:
    """A path or a text as seen from the bot's folder; anything else as it is."""
    if isinstance(value, int | list | dict):
        return value
    return str(value).replace(f"{folder}/", "").replace(str(folder), "the bot")


def write_bot(archive: BotArchive, folder: Path) -> Path:
    """Write a bot's files into a folder; the path that names the bot there."""
    lay_out(archive, folder / FOLDER)
    return folder / FOLDER / archive.items[0].path if archive.alone else folder / FOLDER


def with_manifest(archive: BotArchive) -> BotArchive:
    """The files, with a bot.toml where the source of a package says the same in its own words."""
    if archive.alone or archive.file("bot.toml") is not None:
        return archive
    project = archive.file("pyproject.toml")
    if project is None:
        raise ArchiveError("expected a bot.toml or a pyproject.toml beside the bot, got neither")
    facts = _project(project)
    items = [Item("bot.toml", False, facts.encode())]
    sources = any(item.path.startswith("src/") for item in archive.items)
    for item in archive.items:
        path = item.path.removeprefix("src/") if sources else item.path
        items.append(Item(path, item.executable, item.content))
    return assemble(items)


def runnable(archive: BotArchive) -> BotArchive:
    """The files, the one that is run executable whatever it was: archives often lose that."""
    program = _program(archive.file("bot.toml") or b"")
    items = (
        replace(item, executable=True) if item.path == program else item for item in archive.items
    )
    return replace(archive, items=tuple(items)) if program else archive


def _program(manifest: bytes) -> str:
    """The file a bot.toml says is run; nothing if it says nothing that can be understood."""
    if len(manifest) > MAX_FACTS:
        return ""
    try:
        said = tomllib.loads(manifest.decode()).get("program")
    except (ValueError, RecursionError):
        return ""  # told when all of it is read
    first = said[0] if isinstance(said, list) and said else said
    return str(PurePosixPath(first)) if isinstance(first, str) and first else ""


def _project(data: bytes) -> str:
    """A bot.toml out of a pyproject.toml."""
    if len(data) > MAX_PROJECT:
        raise BotError(
            "expected at most {limit} bytes in pyproject.toml, got more", limit=MAX_PROJECT
        )
    try:
        project: Any = tomllib.loads(data.decode()).get("project", {})
        points = project["entry-points"][ENTRY_POINTS]
        ((name, entry),) = points.items()
        facts = {"name": name, "version": project["version"], "entry": entry}
    except (ValueError, RecursionError) as problem:
        got = "several bots" if "unpack" in str(problem) else f"{problem}"
        raise BotError("expected one bot in pyproject.toml, got {got}", got=got) from None
    except (KeyError, TypeError, AttributeError) as problem:
        raise BotError(
            "expected project.version and one of project.entry-points.{entry_points!r} in "
            "pyproject.toml, got none: {problem}",
            entry_points=ENTRY_POINTS,
            problem=problem,
        ) from None
    if not all(isinstance(value, str) for value in facts.values()) or not is_name(name):
        raise BotError("expected a bot's name, version and entry in pyproject.toml as texts")
    if isinstance(summary := project.get("description"), str):
        facts["summary"] = one_line(summary)[:MAX_SUMMARY]
    return "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in facts.items()
    )
