"""What is visible inside: the interpreter, the libraries it loads, and the bot; nothing else."""

from __future__ import annotations

import importlib.util
import os
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

import engine
from bots.discovery.files import CACHES, IGNORED_NAMES, hidden_places, walk_files
from bots.discovery.manifest import Manifest, Source
from bots.discovery.program import find_interpreter
from bots.discovery.regular_file import read_regular
from bots.discovery.spec import BotError
from bots.sandbox.errors import SandboxError

SYSTEM: Final = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32")
ROOTS: Final = ("/lib", "/lib32", "/lib64", "/libx32")
PROGRAMS: Final = ("/usr", "/etc/alternatives", "/etc/ssl/openssl.cnf")
JAVA: Final = "/etc/java-*"  # where Debian keeps what Java needs before it reads a file
DEVICES: Final = ("/dev/null", "/dev/urandom")
MAX_FILES: Final = 500  # of a bot that is copied; each is a descriptor for a moment
MAX_BYTES: Final = 64 << 20
MAX_WORDS: Final = 8_900  # bubblewrap takes 9,000
HOST_NAME: Final = "arena"  # the same for all, whatever machine it is
ELF: Final = b"\x7fELF"
CACHE: Final = "/etc/ld.so.cache"


@dataclass(frozen=True)
class Visible:
    """Paths that are seen inside as outside, to be read; and Python's search path."""

    shown: tuple[str, ...] = ()
    python_path: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # of what is shown, the bot's own files and folders
    folder: str = "/"  # where a program runs
    executable: str = ""  # what a program's process runs: its libraries may be found from there
    bot_folder: str = ""  # a bot's own folder, of which only what its digest covers is seen


def interpreter() -> str:
    """The real interpreter: a virtual environment has only a link to it."""
    return os.path.realpath(sys.executable)


def search_path() -> str:
    """Where programs are looked for inside."""
    return f"{os.path.dirname(interpreter())}:/usr/local/bin:/usr/bin:/bin"


def library_path() -> str:
    """Where the interpreter's own shared library is."""
    return str(sysconfig.get_config_var("LIBDIR") or "")


def _interpreter() -> list[str]:
    stdlib = os.path.dirname(os.path.realpath(os.__file__))
    shared = os.path.join(library_path(), str(sysconfig.get_config_var("INSTSONAME") or "none"))
    # An interpreter that was copied names a folder that this user may not be let into.
    return [interpreter(), stdlib, *([shared] if os.path.isfile(shared) else [])]


def _packages() -> tuple[list[str], list[str]]:
    """What to show of our own and of installed packages; and the search path for them."""
    sites = [p for p in sys.path if os.path.basename(p) in ("site-packages", "dist-packages")]
    sites = [os.path.realpath(site) for site in sites if os.path.isdir(site)]
    house = os.path.dirname(os.path.dirname(os.path.realpath(engine.__file__)))
    shown, path = list(sites), list(sites)
    if house not in sites:  # a work tree: its sources, not what else lies in it
        shown += [os.path.join(house, room) for room in ("arena", "bots", "engine")]
        path.insert(0, house)
    needed = os.path.dirname(os.path.dirname(os.path.realpath(msgspec.__file__)))
    if needed not in path:
        shown.append(needed)
        path.append(needed)
    return shown, path


def _system() -> list[str]:
    return _existing((*SYSTEM, *ROOTS))


def for_python(manifest: Manifest) -> Visible:
    """What a Python bot sees; of one that is a single file, the file, not the folder it is in."""
    packages, path = _packages()
    same = [*_interpreter(), *packages, *_system(), *_existing((CACHE, *DEVICES))]
    own = []
    if manifest.source in (Source.FILE, Source.FOLDER):
        name = manifest.entry if manifest.source is Source.FILE else ""
        own = [os.path.join(manifest.folder, name).rstrip("/")]
    elif manifest.source is Source.PACKAGE:
        found = _package(manifest.entry.partition(":")[0].partition(".")[0])
        same += found
        path += [os.path.dirname(place) for place in found]
    bot_folder = own[0] if manifest.source is Source.FOLDER else ""
    return Visible((*same, *own), tuple(path), tuple(own), bot_folder=bot_folder)


def _package(name: str) -> list[str]:
    """Where an installed package is, found without running it."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        return []
    places = spec.submodule_search_locations or ([spec.origin] if spec.origin else [])
    return [os.path.realpath(place) for place in places]


def _existing(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if os.path.exists(path)]


def _programs() -> tuple[list[str], list[str]]:
    """What every program sees; and the search path of the zygote, which is Python whatever runs."""
    packages, path = _packages()
    settings = sorted(glob(JAVA))
    same = [*_existing((*PROGRAMS, *settings, "/bin", "/sbin", CACHE, *DEVICES)), *_system()]
    return [*same, *_interpreter(), *packages, os.path.realpath(sys.base_prefix)], path


def for_program(words: Sequence[str]) -> tuple[Visible, list[str]]:
    """What a program sees: the system's programs, and the files its command names."""
    here = os.getcwd()
    program = shutil.which(words[0], path=search_path()) or shutil.which(words[0])
    if program is None:
        raise BotError(f"expected to run {words[0]}, got no such program")
    program = os.path.abspath(program)
    same, path = _programs()
    own: list[str] = []
    for word in (program, *words[1:]):
        if os.path.exists(word):
            same += (environment := _environment(os.path.abspath(word)))
            own += [] if environment else _named(os.path.abspath(word))
    own = [place for place in own if not place.startswith("/usr/")]
    seen = Visible((*same, *own), tuple(path), tuple(own), here, _compiled(program))
    return seen, [program, *words[1:]]


def for_folder(manifest: Manifest) -> tuple[Visible, list[str]]:
    """What a program in a folder of its own sees: the system's programs, and the folder."""
    file = manifest.words[0]
    executable = os.path.realpath(find_interpreter(Path(file), search_path()) or file)
    same, path = _programs()
    own = (manifest.folder,)
    seen = Visible((*same, *own), tuple(path), own, manifest.folder, executable, manifest.folder)
    return seen, manifest.words


def _compiled(program: str) -> str:
    """The file of a program, behind all links; nothing for a script."""
    try:
        with open(program, "rb") as file:
            return os.path.realpath(program) if file.read(len(ELF)) == ELF else ""
    except OSError:
        return ""


def _named(file: str) -> list[str]:
    """A file with what lies beside it, unless that is all the user has."""
    folder = file if os.path.isdir(file) else os.path.dirname(file)
    shown = {file, os.path.realpath(file)} - _wide()
    if folder not in _wide():
        shown.add(folder)
    return sorted(shown)


def _environment(file: str) -> list[str]:
    """The virtual environment a program is of, if it is of one."""
    folder = os.path.dirname(os.path.dirname(file))
    return [folder] if os.path.exists(os.path.join(folder, "pyvenv.cfg")) else []


def _wide() -> set[str]:
    """Folders too wide to be a program's own: home, what is above it, and where all may write."""
    home = os.path.realpath(os.path.expanduser("~"))
    above = {str(parent) for parent in Path(home).parents}
    return above | {home, "/tmp", "/var/tmp", tempfile.gettempdir()}


def bubblewrap(visible: Visible, copies: Copies, sealed: bool = True) -> list[str]:
    """The command that builds the container around another command."""
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed")
    words = [program, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--hostname", HOST_NAME]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--as-pid-1"]
    words += ["--cap-drop", "ALL"]
    if os.geteuid() == 0:  # the zygote becomes somebody else
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"]
    made: set[str] = set()
    for seen in sorted(set(visible.shown)):
        if shown_already(seen, visible) or seen in copies.copied:
            continue
        for parent in _parents(seen):
            if parent not in made:
                made.add(parent)
                words += ["--perms", "0755", "--dir", parent]
        words += ["--dev-bind" if seen in DEVICES else "--ro-bind", seen, seen]
    for place in visible.own:
        if place not in copies.copied and os.path.isdir(place):
            words += _masks(place, IGNORED_NAMES if place == visible.bot_folder else CACHES)
    words += copies.words
    made |= copies.made
    for folder in (*_parents(visible.folder), visible.folder):
        if folder not in made and not shown_already(folder, visible):
            words += ["--perms", "0755", "--dir", folder]
    if visible.executable:  # a link, as a run-time looks for; not what else the kernel tells there
        words += ["--perms", "0755", "--dir", "/proc", "--perms", "0755", "--dir", "/proc/self"]
        words += ["--symlink", visible.executable, "/proc/self/exe"]
    if len(words) > MAX_WORDS:
        raise BotError("expected fewer files and folders of a bot, got more than a container takes")
    words += ["--chdir", "/"]
    return words + (["--remount-ro", "/"] if sealed else [])


def _masks(folder: str, names: frozenset[str]) -> list[str]:
    """Hide what is in a bot's folder and not the bot's: no digest covers it, so it must not run."""
    words: list[str] = []
    for place in hidden_places(Path(folder), names):
        if place.is_dir() and not place.is_symlink():
            words += ["--perms", "0555", "--tmpfs", str(place), "--remount-ro", str(place)]
        elif not place.is_symlink():
            words += ["--ro-bind", DEVICES[0], str(place)]
    return words


def _parents(path: str) -> list[str]:
    parents = []
    while (path := os.path.dirname(path)) != "/":
        parents.append(path)
    return parents[::-1]


def shown_already(seen: str, visible: Visible) -> bool:
    """Whether a folder above it is shown."""
    return any(parent in visible.shown and os.path.isdir(parent) for parent in _parents(seen))


def snapshot(source: str) -> list[Path] | None:
    """The files of a file or folder as `walk_files` has them; None if they are too many."""
    if os.path.isfile(source):
        files = [Path(source)]
    else:
        files = list(islice(walk_files(Path(source)), MAX_FILES + 1))
    if len(files) > MAX_FILES or sum(file.lstat().st_size for file in files) > MAX_BYTES:
        return None
    return files


def covered_files(folder: str) -> list[str]:
    """The files of a bot's folder that its digest covers; BotError if they are too many to name."""
    try:
        files = snapshot(folder)
    except OSError as problem:
        raise BotError(f"expected to read the bot's files, got {problem.strerror}") from None
    if files is None:
        raise BotError(
            f"expected at most {MAX_FILES} files of {MAX_BYTES >> 20} MB in a bot's folder "
            f"where there are no containers, got more"
        )
    return [str(file) for file in files]


class Copies:
    """Open files that go into a container as copies, and leave none outside."""

    def __init__(self) -> None:
        self.fds: list[int] = []
        self.words: list[str] = []
        self.made: set[str] = set()
        self.copied: set[str] = set()

    def add(self, path: str) -> None:
        """Have a file or folder copied, if it is small enough."""
        files = snapshot(path)
        if files is None:
            return
        self.copied.add(path)
        if os.path.isdir(path):
            self._make(Path(path))
        left = MAX_BYTES
        for file in files:
            self._make(file.parent)
            perms = "0755" if file.lstat().st_mode & stat.S_IXUSR else "0644"
            # Not what a link may lead to by now; and no longer than it is now.
            content = read_regular(file, left, follow=False)
            left -= len(content)
            fd = os.memfd_create("bot")
            self.fds.append(fd)
            with open(fd, "wb", closefd=False) as copy:
                copy.write(content)
            os.lseek(fd, 0, os.SEEK_SET)
            self.words += ["--perms", perms, "--file", str(fd), str(file)]

    def _make(self, folder: Path) -> None:
        for parent in (*reversed(folder.parents), folder):
            if str(parent) not in (*self.made, "/"):
                self.made.add(str(parent))
                self.words += ["--perms", "0755", "--dir", str(parent)]

    def close(self) -> None:
        """Give the descriptors back."""
        while self.fds:
            os.close(self.fds.pop())
