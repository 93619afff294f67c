"""What a bot says of itself, read without running any of its code."""

import difflib
import hashlib
import os
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.discovery.files import IGNORED_NAMES, is_ignored
from bots.discovery.manifest import Manifest, Source
from bots.discovery.program import read_words
from bots.discovery.regular_file import read_regular
from bots.discovery.spec import BotError, BotSpec, is_name
from engine.catalog import GAMES

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "wonders_arena.bots"
MAX_BYTES = 1_000_000
MAX_FACTS = 8_000  # bytes of bot.toml: the time and room that reading takes grow by the square
KEYS = {"name", "version", "entry", "program", "games", "summary", "threads"}
FILE_KEYS = {"games", "threads"}  # of a bot that is one file; the rest is known of it


def read_manifest(spec: BotSpec) -> Manifest:
    """Find the bot a spec names; BotError if there is none, or it describes itself wrongly."""
    if spec.is_command:
        name = spec.name or spec.command[0]
        return Manifest(name, "", Source.COMMAND, shlex.join(spec.command))
    if spec.is_path:
        return _at(spec.path, spec.text)
    for manifest in _each_manifest():
        if manifest.name == spec.target:
            return manifest
    names = [manifest.name for manifest in list_manifests()]
    hint = ""
    if spec.path.exists():
        hint = f"; did you mean ./{spec.target}?"
    elif os.path.exists(f"{spec.target}.py"):
        hint = f"; did you mean {spec.target}.py?"
    elif close := difflib.get_close_matches(spec.target, names, 1):
        hint = f"; did you mean {close[0]}?"
    raise BotError(
        "expected a bot out of {names}, a path or cmd:PROGRAM, got {target}{hint}",
        names=", ".join(names),
        target=spec.target,
        hint=hint,
    )


def list_manifests() -> list[Manifest]:
    """The built-in bots, and those of installed packages."""
    return list(_each_manifest())


def _each_manifest() -> Iterator[Manifest]:
    """The house first: every installed package is looked at only for a bot that is not in it."""
    from bots.house import LADDER

    games = tuple(game.id for game in GAMES)
    for name, what in LADDER.items():
        yield Manifest(name, "", Source.HOUSE, "bots.house", games=games, summary=what)
    from importlib import metadata  # which takes a while to load

    packages = [_package(point) for point in metadata.entry_points(group=ENTRY_POINTS)]
    yield from sorted(packages, key=lambda manifest: manifest.name)


def _package(point: "EntryPoint") -> Manifest:
    try:
        facts = point.dist.metadata.json if point.dist else {}
    except (TypeError, AttributeError):
        facts = {}  # half an installation
    version, summary = (str(facts.get(key, "")) for key in ("version", "summary"))
    return Manifest(point.name, version, Source.PACKAGE, point.value, summary=summary)


def _at(path: Path, text: str) -> Manifest:
    try:
        if path.is_dir():
            return _folder(path)
        if path.suffix == ".py" and path.is_file() and path.resolve().suffix == ".py":
            return _file(path)
    except OSError as problem:
        raise BotError(
            "expected to read {place}, got {why}", place=text, why=problem.strerror
        ) from None
    got = text if os.path.exists(path) else f"{text}, which is not there"
    raise BotError("expected a .py file or a folder with bot.toml, got {got}", got=got)


def _read(path: Path, most: int, follow: bool = True) -> bytes:
    try:
        content = read_regular(path, most + 1, follow)
    except OSError as problem:
        raise BotError(
            "expected to read {place}, got {why}", place=path, why=problem.strerror
        ) from None
    if len(content) > most:
        raise BotError("expected at most {limit} bytes in {path}, got more", limit=most, path=path)
    return content


def _file(path: Path) -> Manifest:
    content = _read(path, MAX_BYTES)
    digest = hashlib.sha256(content).hexdigest()[:8]
    summary = summary_of(content)
    real = path.resolve()
    facts = _inline_facts(content, path)
    return Manifest(
        path.stem,
        digest,
        Source.FILE,
        real.name,
        str(real.parent),
        _games(facts, path),
        summary,
        _threads(facts, path),
    )


def _inline_facts(source: bytes, path: Path) -> dict[str, Any]:
    """The table [tool.arena] of a file's inline script metadata, as PEP 723 has it."""
    lines = iter(source[:MAX_FACTS].decode("utf-8-sig", "replace").splitlines())
    if "# /// script" not in lines:  # which reads as far as that line
        return {}
    metadata = []
    for line in lines:
        if line == "# ///":
            break
        if line != "#" and not line.startswith("# "):
            return {}
        metadata.append(line[2:])
    tools = _toml("\n".join(metadata), path).get("tool", {})
    facts = tools.get("arena", {}) if isinstance(tools, dict) else {}
    if not isinstance(facts, dict) or not FILE_KEYS.issuperset(facts):
        raise BotError(
            "expected {keys} in [tool.arena] of {file}, got {got}",
            keys=" and ".join(sorted(FILE_KEYS)),
            file=path,
            got=", ".join(facts) if isinstance(facts, dict) else repr(facts),
        )
    return facts


def _toml(text: str, file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # not TOML, or absurd
        raise BotError(
            "expected {file} to be TOML, got {problem}", file=file, problem=problem
        ) from None


def _games(facts: dict[str, Any], file: Path) -> tuple[str, ...]:
    games = facts.get("games", [])
    known = [game.id for game in GAMES]
    if not isinstance(games, list) or any(game not in known for game in games):
        raise BotError(
            "expected games out of {known} in {file}, got {games!r}",
            known=", ".join(known),
            file=file,
            games=games,
        )
    return tuple(games)


def _threads(facts: dict[str, Any], file: Path) -> bool:
    threads = facts.get("threads", False)
    if not isinstance(threads, bool):
        raise BotError(
            "expected threads as true or false in {file}, got {threads!r}",
            file=file,
            threads=threads,
        )
    return threads


def summary_of(source: bytes) -> str:
    """The first line of the text a Python file begins with.

    Not by a parser, as a stranger's megabyte can keep one busy for minutes.
    """
    lines = [
        line.strip() for line in source[:MAX_FACTS].decode("utf-8-sig", "replace").splitlines()
    ]
    lines = [line for line in lines if line and not line.startswith("#")]
    first = lines[0].lstrip("rRuU") if lines else ""
    for quote in ('"""', "'''", '"', "'"):
        if first.startswith(quote):
            said = first[len(quote) :] or (lines[1] if len(lines) > 1 else "")
            return said.partition(quote)[0].strip()
    return ""


def _folder(path: Path) -> Manifest:
    file = path / "bot.toml"
    facts = _facts(file)
    source, entry = _code(path, facts)
    summary = facts.get("summary", "")
    if not isinstance(summary, str):
        raise BotError(
            "expected summary as text in {file}, got {summary!r}", file=file, summary=summary
        )
    return Manifest(
        facts["name"],
        facts["version"],
        source,
        entry,
        str(path.resolve()),
        _games(facts, file),
        summary,
        _threads(facts, file) and source is Source.FOLDER,  # a program may always have some
    )


def _facts(file: Path) -> dict[str, Any]:
    """What a bot.toml says, as far as all bots say it."""
    # A link in a bot's folder is not the bot's: no digest knows where it leads.
    content = _read(file, MAX_FACTS, follow=False)
    try:
        text = content.decode("utf-8")
    except ValueError as problem:
        raise BotError(
            "expected {file} to be TOML, got {problem}", file=file, problem=problem
        ) from None
    facts = _toml(text, file)
    if unknown := set(facts) - KEYS:
        raise BotError(
            "expected {keys} in {file}, got {key}",
            keys=", ".join(sorted(KEYS)),
            file=file,
            key=min(unknown),
        )
    if "entry" in facts and "program" in facts:
        raise BotError("expected entry or program in {file}, got both", file=file)
    for key in ("name", "version", *(() if "program" in facts else ("entry",))):
        if not isinstance(facts.get(key), str) or not facts[key].strip():
            raise BotError(
                "expected {key} as text in {file}, got {value!r}",
                key=key,
                file=file,
                value=facts.get(key),
            )
    if not is_name(facts["name"]):
        raise BotError(
            "expected a name of letters, digits, - and _, got {name!r}", name=facts["name"]
        )
    return facts


def _code(path: Path, facts: dict[str, Any]) -> tuple[Source, str]:
    """The sort of bot a folder has, and what is loaded or run of it."""
    if "program" in facts:
        return Source.PROGRAM, shlex.join(read_words(path.resolve(), facts["program"]))
    name = facts["entry"].partition(":")[0]
    if name.endswith(".py") and name.isprintable() and not (path / name).exists():
        raise BotError(
            "expected the entry {entry!r} of {file} to be a file in {folder}, got none there",
            entry=facts["entry"],
            file=path / "bot.toml",
            folder=path,
        )
    if not _has_entry(path.resolve(), facts["entry"]):
        raise BotError(
            "expected entry as FILE.py or MODULE:ATTRIBUTE in {file}, got {entry!r}",
            file=path / "bot.toml",
            entry=facts["entry"],
        )
    return Source.FOLDER, facts["entry"]


def _has_entry(folder: Path, entry: str) -> bool:
    """Whether the code an entry names lies in the folder."""
    module, _, attribute = entry.partition(":")
    if not module.isprintable() or (attribute and not attribute.isidentifier()):
        return False
    if module.endswith(".py"):
        file = folder / module
        # Not by way of a link, which no digest covers and no container shows.
        inside = os.path.realpath(file) == str(file) and file.is_relative_to(folder)
        return inside and not is_ignored(module) and file.is_file()
    parts = module.split(".")
    if not IGNORED_NAMES.isdisjoint(parts):
        return False
    return all(part.isidentifier() for part in parts) and any(
        item.name.partition(".")[0] == parts[0] for item in folder.iterdir()
    )
