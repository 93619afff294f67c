"""One line for the author of a bot whose fault the sandbox may be the cause of."""

from __future__ import annotations

import os
import re
from typing import Final

from bots.discovery.manifest import Manifest, Source

PACKAGES: Final = ("arena", "bots", "engine", "leagues")
PAGE: Final = "docs/sandbox.md"
MISSING_MODULE: Final = re.compile(r"No module named '(\w+)")
NETWORK: Final = re.compile(r"\bsocket\b|urllib|http\.client|Name or service|name resolution", re.I)
REFUSED: Final = re.compile(
    r"Operation not permitted|Permission denied|Read-only file system|Function not implemented"
    r"|\bE(?:PERM|ACCES|ROFS|NOSYS)\b|\bos error (?:1|13|30)\b",
)
ABSENT: Final = re.compile(r"FileNotFoundError|No such file or directory|\bENOENT\b|os error 2\b")
THREAD: Final = re.compile(r"can't start new thread|Resource temporarily unavailable|\bEAGAIN\b")


def sandbox_hint(manifest: Manifest, detail: str) -> str:
    """What the sandbox may have to do with this fault, and the way out; nothing if not known."""
    found = MISSING_MODULE.search(detail)
    if found and _is_neighbour(manifest, found[1]):
        return (
            f"the sandbox shows a bot of one file nothing beside it: put {found[1]}.py in a folder "
            "with the bot and a bot.toml (docs/bot_toml.md)"
        )
    if THREAD.search(detail) and not manifest.is_program:
        return "the sandbox allows threads if the bot says threads = true (docs/bot_toml.md)"
    if NETWORK.search(detail) and (REFUSED.search(detail) or ABSENT.search(detail)):
        return f"the sandbox has no network ({PAGE})"
    if REFUSED.search(detail):
        return f"the sandbox forbids writing files, other processes and the network ({PAGE})"
    if ABSENT.search(detail):
        return f"the sandbox shows a bot its own files only, at their own paths ({PAGE})"
    return ""


def taken_names(manifest: Manifest) -> list[str]:
    """The modules of a Python bot's folder that have the name of a package of the arena."""
    if manifest.source is not Source.FOLDER or manifest.is_program:
        return []
    places = [name for package in PACKAGES for name in (f"{package}.py", package)]
    return [name for name in places if os.path.exists(os.path.join(manifest.folder, name))]


def _is_neighbour(manifest: Manifest, module: str) -> bool:
    """Whether a module lies beside a bot that is one file."""
    if manifest.source is not Source.FILE:
        return False
    beside = os.path.join(manifest.folder, module)
    return os.path.exists(f"{beside}.py") or os.path.isdir(beside)
