"""What is visible inside: the interpreter, the libraries it loads, and the bot; nothing else."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import msgspec

import engine
from bots.manifest import Manifest
from bots.spec import BotError

BOT: Final = "/bot"  # where a container shows the bot
SYSTEM: Final = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32")
ROOTS: Final = ("/lib", "/lib32", "/lib64", "/libx32")
PROGRAMS: Final = ("/usr", "/etc/alternatives")
DEVICES: Final = ("/dev/null", "/dev/urandom")
CACHE: Final = "/etc/ld.so.cache"


@dataclass(frozen=True)
class Visible:
    """Host paths and where they are seen; the worker's paths, and its search path."""

    shown: dict[str, str] = field(default_factory=dict)  # seen at: host path
    python_path: tuple[str, ...] = ()
    folder: str = "/"  # where a program runs


def interpreter() -> str:
    """The real interpreter: a virtual environment has only a link to it."""
    return os.path.realpath(sys.executable)


def library_path() -> str:
    """Where the interpreter's own shared library is."""
    return str(sysconfig.get_config_var("LIBDIR") or "")


def _interpreter() -> list[str]:
    stdlib = os.path.dirname(os.path.realpath(os.__file__))
    shared = Path(library_path(), str(sysconfig.get_config_var("INSTSONAME") or "none"))
    return [interpreter(), stdlib, *([str(shared)] if shared.is_file() else [])]


def _packages() -> tuple[list[str], list[str]]:
    """What to show of our own and of installed packages; and the search path for them."""
    sites = [p for p in sys.path if os.path.basename(p) in ("site-packages", "dist-packages")]
    sites = [os.path.realpath(site) for site in sites if os.path.isdir(site)]
    house = os.path.dirname(os.path.dirname(os.path.realpath(engine.__file__)))
    shown, path = list(sites), list(sites)
    if house not in sites:  # a work tree: its sources, not what else lies in it
        shown += [os.path.join(house, room) for room in ("bots", "engine")]
        path.insert(0, house)
    needed = os.path.dirname(os.path.dirname(os.path.realpath(msgspec.__file__)))
    if needed not in path:
        shown.append(needed)
        path.append(needed)
    return shown, path


def _system(links: bool) -> list[str]:
    roots = [root for root in ROOTS if os.path.exists(root) and (links or not _merged(root))]
    return [*(p for p in SYSTEM if os.path.exists(p)), *roots]


def _merged(root: str) -> bool:
    return os.path.islink(root)


def for_python(manifest: Manifest, moved: bool) -> tuple[Visible, Manifest]:
    """What a Python bot sees, and its manifest as seen from inside; moved: under a path of ours."""
    packages, path = _packages()
    same = [*_interpreter(), *packages, *_system(links=True), *_existing((CACHE, *DEVICES))]
    shown = {seen: seen for seen in same}
    if manifest.folder:
        # Of a bot that is one file, the file: its folder may be the user's home.
        name = manifest.entry if manifest.source == "file" else ""
        seen = os.path.join(BOT, name) if moved else os.path.join(manifest.folder, name)
        shown[seen.rstrip("/")] = os.path.join(manifest.folder, name).rstrip("/")
        if moved:
            manifest = replace(manifest, folder=BOT)
    return Visible(shown, tuple(path)), manifest


def _existing(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if os.path.exists(path)]


def for_program(words: Sequence[str]) -> tuple[Visible, list[str]]:
    """What a program sees: the system's programs, and the files its command names."""
    here = os.getcwd()
    program = shutil.which(words[0])
    if program is None:
        raise BotError(f"expected to run {words[0]}, got no such program")
    program = os.path.abspath(program)
    same = [*_existing((*PROGRAMS, "/bin", "/sbin", CACHE, *DEVICES)), *_system(links=True)]
    # The zygote is Python too, whatever it starts.
    packages, path = _packages()
    same += [*_interpreter(), *packages]
    for word in (program, *words[1:]):
        if os.path.exists(word):
            same += _named(os.path.abspath(word), here)
    kept = {seen: seen for seen in same if seen not in (here, "/", os.path.expanduser("~"))}
    return Visible(kept, tuple(path), here), [program, *words[1:]]


def _named(file: str, here: str) -> list[str]:
    """A file; with its folder where that is below the one we are in; with its environment."""
    shown = [file]
    environment = os.path.dirname(os.path.dirname(file))
    if os.path.exists(os.path.join(environment, "pyvenv.cfg")):
        shown += [environment, os.path.realpath(sys.base_prefix)]
    folder = os.path.dirname(file)
    if folder.startswith(here + os.sep):
        shown.append(folder)
    real = os.path.realpath(file)
    return shown if real == file else [*shown, real]
