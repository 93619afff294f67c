"""How well this machine can contain a bot: found by doing, never inferred from versions."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from bots.discovery.manifest import Manifest, Source
from bots.sandbox import landlock, visible_paths
from bots.sandbox.affinity import cores
from bots.sandbox.container import Container, Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import MAX_THREADS
from bots.sandbox.seccomp import NoSeccomp, compile_policy


class Level(StrEnum):
    """From all layers to none; a bot is run at the best there is."""

    FULL = "full"
    STRONG = "strong"
    REDUCED = "reduced"
    UNSAFE = "unsafe"


LAYERS: Final = {  # that a level is made of
    Level.FULL: Layers(),
    Level.STRONG: Layers(landlock=False),
    Level.REDUCED: Layers(container=False),
}
LOST = {
    Level.FULL: "",
    Level.STRONG: "nothing known; one layer less if another has a vulnerability",
    Level.REDUCED: "bots can learn that a file exists, its size and date, but not open it",
    Level.UNSAFE: "nothing keeps a bot from your files, the network and other bots",
}
ORDER: Final = tuple(Level)  # best first
NO_USERS = (
    "allow user namespaces: an AppArmor profile for bwrap, or "
    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0; in Docker: "
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined"
)
FIXES = {
    "landlock": "run a kernel with landlock, 5.13 or newer, and lsm=landlock",
    "seccomp": "install libseccomp (apt-get install libseccomp2) and pyseccomp (pip)",
    "system": "run the arena on Linux",
}
INSTALLERS: Final = {  # of packages, by the distribution or the one it is made from
    "debian": "sudo apt-get install",
    "fedora": "sudo dnf install",
    "suse": "sudo zypper install",
    "arch": "sudo pacman -S",
    "alpine": "sudo apk add",
    "nixos": "nix-env -f '<nixpkgs>' -iA",
}


def is_less(level: str, required: str) -> bool:
    """Whether a level is below another."""
    return ORDER.index(Level(level)) > ORDER.index(Level(required))


CORE_PATTERN: Final = "/proc/sys/kernel/core_pattern"
HANDLERS: Final = ("|", "@")  # a program or a socket that the kernel hands a dump to


@dataclass(frozen=True)
class Finding:
    """What was tried, whether it worked, and what was found."""

    name: str
    works: bool
    found: str
    fix: str = ""


@dataclass(frozen=True)
class Guarantee:
    """A promise, whether it is kept here, and by what, or why not."""

    name: str
    holds: bool
    found: str


@dataclass(frozen=True)
class ProbeReport:
    """The level, the layers it is made of, and every finding."""

    level: Level
    layers: Layers
    findings: tuple[Finding, ...]

    @property
    def lost(self) -> str:
        """What a bot can do here that it cannot at the best level."""
        return LOST[self.level]

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What is promised beyond the level, and whether it is kept here."""
        return guarantees(self.layers)

    @property
    def fixes(self) -> list[str]:
        """What would raise the level."""
        return [finding.fix for finding in self.findings if finding.fix]

    @property
    def weakness(self) -> str:
        """What a bot can do at the reduced level, and what raises it; nothing at other levels."""
        if self.level is not Level.REDUCED:
            return ""
        return f"sandbox {self.level}: {self.lost}; fix: {'; '.join(self.fixes)}"

    def line(self) -> str:
        """The level and why it is not better, in one line."""
        if self.level is Level.FULL:
            return (
                f"{self.level} ({', '.join(f'{f.name} {f.found}'.strip() for f in self.findings)})"
            )
        missing = [f"{f.name}: {f.found}" for f in self.findings if not f.works]
        return f"{self.level} ({'; '.join(missing)})"


def guarantees(layers: Layers) -> tuple[Guarantee, ...]:
    """What holds with these layers, for this user, on this machine."""
    walls = layers.seccomp and layers.limits
    return (
        Guarantee("time", walls, "a bot is one process, charged by the kernel's CPU clock"),
        Guarantee("memory", walls, "limited per process; no other way to allocate memory"),
        Guarantee("processes", walls, "system calls cannot reach other processes"),
        _files(layers),
        _numbers(layers),
        _threads(layers),
        _dumps(),
    )


def _files(layers: Layers) -> Guarantee:
    if layers.container:
        return Guarantee("files", True, "only the bot's own files and its runtime are visible")
    return Guarantee("files", False, "names, sizes and dates of all files are visible")


def _numbers(layers: Layers) -> Guarantee:
    if layers.container:
        return Guarantee("host", True, "process numbers and the machine's name are its own")
    return Guarantee("host", False, "process numbers and the machine's name are the host's")


def _threads(layers: Layers) -> Guarantee:
    if layers.container or not (layers.seccomp and layers.limits):
        return Guarantee("threads", layers.seccomp and layers.limits, "counted per bot")
    # Asked about each by the kernel, which another program may have forbidden.
    problem = why_not(layers, threads=True)
    return Guarantee("threads", not problem, problem or "counted per bot")


def _dumps() -> Guarantee:
    try:
        with open(CORE_PATTERN, encoding="utf-8", errors="replace") as file:
            handled = file.read().startswith(HANDLERS)
    except OSError:
        handled = True
    if handled and resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        return Guarantee("dumps", False, "a crash starts the host's handler: raise ulimit -Hc to 1")
    return Guarantee("dumps", True, "a crash starts no handler of the host")


def grade(layers: Layers) -> Level:
    """The level that layers amount to."""
    if not (layers.seccomp and layers.limits) or not (layers.container or layers.landlock):
        return Level.UNSAFE
    if not layers.container:
        return Level.REDUCED
    return Level.FULL if layers.landlock else Level.STRONG


@cache
def probe() -> ProbeReport:
    """Try all layers on a throw-away worker; where that fails, each by itself to know why."""
    if sys.platform != "linux":
        found = Finding("system", False, sys.platform, FIXES["system"])
        return ProbeReport(Level.UNSAFE, Layers(False, False, False, False), (found,))
    if landlock.version() and shutil.which("bwrap") and not why_not(Layers()):
        return ProbeReport(
            Level.FULL, Layers(), (_works("bubblewrap"), _works("landlock"), _works("seccomp"))
        )
    seccomp = _seccomp()
    files = _landlock(seccomp.works)
    inside = _container(seccomp.works, files.works)
    layers = Layers(inside.works, files.works, seccomp.works)
    return ProbeReport(grade(layers), layers, (inside, files, seccomp))


def _works(name: str) -> Finding:
    if name == "bubblewrap":
        words = [shutil.which("bwrap") or "bwrap", "--version"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return Finding(name, True, done.stdout.split()[-1] if done.stdout else "")
    if name == "landlock":
        return Finding(name, True, f"ABI {landlock.version()}")
    return Finding(name, True, "")


def why_not(layers: Layers, threads: bool = False) -> str:
    """Why no worker can be had with these layers now; nothing if it can."""
    visible = visible_paths.for_python(Manifest("", "", Source.HOUSE, ""))
    try:
        container = Container(layers, visible, {}, preload=(), threads=threads)
    except SandboxError as problem:
        return str(problem)
    try:
        worker = container.spawn()
        worker.kill()
        worker.close()
    except SandboxError as problem:
        return str(problem)
    finally:
        container.close()
    return ""


def _seccomp() -> Finding:
    try:
        compile_policy()
    except NoSeccomp as why:
        return Finding("seccomp", False, str(why), FIXES["seccomp"])
    if problem := why_not(Layers(container=False, landlock=False)):
        return Finding("seccomp", False, problem, FIXES["seccomp"])
    return _works("seccomp")


def _landlock(seccomp: bool) -> Finding:
    if not landlock.version():
        return Finding("landlock", False, "this kernel has none", FIXES["landlock"])
    if problem := why_not(Layers(container=False, seccomp=seccomp)):
        return Finding("landlock", False, problem, FIXES["landlock"])
    return _works("landlock")


def _container(seccomp: bool, files: bool) -> Finding:
    if shutil.which("bwrap") is None:
        return Finding("bubblewrap", False, "not installed", how_to_install("bubblewrap"))
    if problem := why_not(Layers(landlock=files, seccomp=seccomp)):
        return Finding("bubblewrap", False, problem, NO_USERS)
    return _works("bubblewrap")


def has_spare_threads() -> bool:
    """Whether this user may start as many threads now as two bots may have."""
    end = threading.Event()
    started = []
    before = threading.stack_size(1 << 16)  # it is threads that are counted, and not memory
    try:
        for _ in range(2 * MAX_THREADS):
            thread = threading.Thread(target=end.wait)
            thread.start()
            started.append(thread)
    except RuntimeError:
        return False
    finally:
        threading.stack_size(before)
        end.set()
        for thread in started:
            thread.join()
    return True


def how_to_install(package: str) -> str:
    """The command that installs a package on this distribution, if it is a known one."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:  # the system has no such file
        release = {}
    for name in (release.get("ID", ""), *release.get("ID_LIKE", "").split()):
        if name in INSTALLERS:
            command = INSTALLERS[name]
            if os.geteuid() == 0:
                command = command.removeprefix("sudo ")
            return f"{command} {package}"
    return f"install {package}"


def suggested_jobs() -> int:
    """How many matches to play at once: one a physical core this process may use."""
    return len(cores()) or os.cpu_count() or 1
