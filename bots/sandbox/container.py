"""A container for one bot: started once, it gives a fresh and locked worker for every match."""

from __future__ import annotations

import array
import itertools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from bots.discovery.files import ignored_places
from bots.discovery.spec import BotError
from bots.sandbox import visible_paths
from bots.sandbox.bind_copies import Copies
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import MAX_THREADS, PROGRAM_LIMITS, PYTHON_LIMITS, LockdownRules
from bots.sandbox.process_clock import ProcessClock
from bots.sandbox.seccomp import NoSeccomp, compile_policy
from bots.sandbox.verify_lockdown import pid_of, verify_lockdown
from bots.sandbox.visible_paths import DEVICES, Visible
from bots.sandbox.zygote import GO, LOCKED

PATIENCE: Final = 20.0  # seconds the machine has for what is not a bot's doing
LIFE: Final = 6 * 3600.0  # seconds after which a worker ends even if the arena forgot it
FIRST_USER: Final = 61_184  # of a range no account is made in
USERS: Final = 4_000
POOLS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
PRELOADED: Final = ("bots.protocol.host", "bots.house")

_numbers: Final = itertools.count()


@dataclass(frozen=True)
class Layers:
    """Which layers of the sandbox are applied."""

    container: bool = True
    landlock: bool = True
    seccomp: bool = True
    limits: bool = True
    sealed: bool = True  # the container's own root cannot be written


@dataclass
class Worker:
    """A process for one match, as the arena holds it."""

    number: int
    pidfd: int
    pid: int
    requests: int
    replies: int
    errors: int
    clock: ProcessClock
    status: int | None = None  # how it ended, as wait has it
    peak: int = 0  # kilobytes

    def kill(self) -> None:
        """End it; it cannot be another process by now."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def freeze(self, group: bool) -> None:
        """Stop it, with all it started if it may have started any."""
        self._signal(signal.SIGSTOP, group)

    def thaw(self, group: bool) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT, group)

    def _signal(self, number: int, group: bool) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if group:  # which it cannot leave; it is not another's while we hold the first
                os.killpg(self.pid, number)
            else:
                signal.pidfd_send_signal(self.pidfd, number)

    def close(self) -> None:
        """Give back what the arena holds of it."""
        self.clock.close()
        for fd in (self.pidfd, self.requests, self.replies, self.errors):
            os.close(fd)


class Container:
    """The process tree of one bot; close it when the bot is no longer needed."""

    def __init__(
        self,
        layers: Layers,
        visible: Visible,
        order: dict[str, Any],
        preload: tuple[str, ...] = PRELOADED,
        threads: bool = False,
    ) -> None:
        self.layers = layers
        self.threads = threads
        self.program = bool(order.get("words"))
        rules = self._rules(visible)
        self.renamed = layers.container and os.geteuid() == 0
        number = next(_numbers)
        user = FIRST_USER + (os.getpid() * 31 + number) % USERS if self.renamed else 0
        self.control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the container
        try:
            with inner:
                self.process = self._start(visible, inner.fileno())
        except (OSError, SandboxError) as problem:
            self._release()
            raise SandboxError(f"cannot start a container: {problem}") from None
        self.count = 0
        self.ready = False
        self.worker: Worker | None = None
        whole = {
            "words": [],
            "manifest": {},
            "params": {},
            "folder": visible.folder,
            "environment": {"PATH": visible_paths.search_path(), "LANG": "C.UTF-8"},
            "preload": list(() if self.program else preload),
            "rules": asdict(rules),
            "user": user,
            "life": LIFE,
        } | order
        with suppress(OSError):  # it is gone; told when a worker is wanted
            self.control.send(json.dumps(whole).encode())

    def _start(self, visible: Visible, control: int) -> subprocess.Popen[bytes]:
        environment = {
            "PYTHONPATH": os.pathsep.join(visible.python_path),
            "PYTHONHASHSEED": "0",
            "PYTHONIOENCODING": "utf-8:backslashreplace",
            "LD_LIBRARY_PATH": visible_paths.library_path(),
            "LANG": "C.UTF-8",
            "OPENBLAS_NUM_THREADS": "1",  # or numpy ends the process, refused a thread
        }
        if not self.threads:  # numpy's libraries would start some, and exit when refused
            environment |= dict.fromkeys(POOLS, "1")
        python = [visible_paths.interpreter(), "-P", "-s", "-S", "-B"]
        words = [*python, "-m", "bots.sandbox.zygote", str(control)]
        with closing(Copies()) as copies:
            if self.layers.container:
                try:
                    # As another user the bot may not be allowed to read its own files; and of its
                    # folder it sees what its digest covers, so neither links nor caches.
                    if self.renamed or visible.bot_folder:
                        for path in visible.own:
                            if not _shown_already(path, visible):
                                copies.add(path)
                    words = [*bubblewrap(visible, copies, self.layers.sealed), "--", *words]
                except OSError as problem:
                    raise BotError(
                        f"expected to read the bot's files, got {problem.strerror}"
                    ) from None
            return subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=self.log,
                stderr=self.log,
                pass_fds=[control, *copies.fds],
                env=environment,
                cwd="/",
                start_new_session=True,
            )

    def _rules(self, visible: Visible) -> LockdownRules:
        rules = LockdownRules()
        if self.layers.landlock:
            rules.readable = list(visible.shown)
            rules.writable = ["/dev/null"] if self.program else []
        if self.layers.limits:
            rules.limits = PROGRAM_LIMITS if self.program else PYTHON_LIMITS
            if self.threads:
                rules.limits = PYTHON_LIMITS | {"NPROC": MAX_THREADS}
        if self.layers.seccomp:
            try:
                rules.filter = compile_policy(self.program, self.threads).hex()
            except NoSeccomp as problem:
                raise SandboxError(str(problem)) from None
        return rules

    def spawn(self) -> Worker:
        """A worker that is locked down, as the kernel confirms, and has not seen its bot yet."""
        if not self.ready:
            facts, _ = self._receive()
            if "ready" not in facts:
                raise SandboxError(f"the container failed to start: {facts.get('failed')}")
            self.ready = True
        self.count += 1
        requests, ours = os.pipe()
        replies, its = os.pipe()
        errors, printed = os.pipe()
        opened = [ours, replies, errors]
        try:
            self._request_worker(self.count, [requests, its, printed])
            opened.append(self._pidfd())
            pid = pid_of(opened[-1])
            worker = Worker(self.count, opened[-1], pid, ours, replies, errors, ProcessClock(pid))
        except BaseException:
            for fd in opened:
                os.close(fd)
            raise
        finally:
            for fd in (requests, its, printed):
                os.close(fd)
        try:
            self._confirm(worker)
        except BaseException:
            worker.kill()
            worker.close()
            raise
        for fd in (ours, replies, errors):
            os.set_blocking(fd, False)
        self.worker = worker
        return worker

    def _request_worker(self, number: int, fds: list[int]) -> None:
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))
        try:
            self.control.sendmsg([json.dumps({"spawn": number}).encode()], [rights])
        except OSError:
            raise SandboxError(self._why_it_ended()) from None

    def _pidfd(self) -> int:
        while True:
            facts, fds = self._receive()
            if facts.get("spawned") == self.count and len(fds) == 1:
                return fds[0]
            for fd in fds:
                os.close(fd)
            self._record_exit(facts)

    def _confirm(self, worker: Worker) -> None:
        if not select.select([worker.replies], [], [], PATIENCE)[0]:
            raise SandboxError(f"the worker did not lock itself down within {PATIENCE:g} s")
        said = os.read(worker.replies, 600)
        if said != LOCKED:
            why = said.decode("utf-8", "replace").strip()
            raise SandboxError(f"the worker did not lock itself down: {why or 'it ended'}")
        verify_lockdown(worker.pid, self.layers.seccomp, self.renamed)
        os.write(worker.requests, GO)

    def end(self, worker: Worker) -> int:
        """Kill a worker, if it still runs, and tell how it ended."""
        worker.kill()
        return self.status(worker)

    def status(self, worker: Worker) -> int:
        """How a worker that is dying ended."""
        while worker.status is None:
            facts, _ = self._receive()
            self._record_exit(facts)
        return worker.status

    def _record_exit(self, facts: dict[str, Any]) -> None:
        if self.worker and facts.get("exit") == self.worker.number:
            self.worker.status = int(facts["status"])
            self.worker.peak = int(facts["peak"])

    def _receive(self) -> tuple[dict[str, Any], list[int]]:
        """The next message of the zygote, and the descriptors that came with it."""
        self.control.settimeout(PATIENCE)
        try:
            text, ancillary, _, _ = self.control.recvmsg(
                4096, socket.CMSG_SPACE(4), socket.MSG_CMSG_CLOEXEC
            )
        except OSError:
            text, ancillary = b"", []
        if not text:
            raise SandboxError(self._why_it_ended())
        fds = array.array("i")
        for _, _, data in ancillary:
            fds.frombytes(data)
        facts = json.loads(text)
        return facts if isinstance(facts, dict) else {}, list(fds)

    def _why_it_ended(self) -> str:
        """Why there is no container: the last line it printed."""
        self._kill()
        self.log.seek(0)
        lines = self.log.read(20_000).decode("utf-8", "replace").strip().splitlines()
        return f"the container ended: {lines[-1] if lines else 'it printed nothing'}"

    def close(self) -> None:
        """End it with everything in it."""
        self._kill()
        self._release()

    def _kill(self) -> None:
        # Its child, while it still waits to be let on, would wait for ever if left alone.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _release(self) -> None:
        self.control.close()
        self.log.close()


def bubblewrap(visible: Visible, copies: Copies, sealed: bool = True) -> list[str]:
    """The command that builds the container around another command."""
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed")
    words = [program, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--as-pid-1"]
    words += ["--cap-drop", "ALL"]
    if os.geteuid() == 0:  # the zygote becomes somebody else
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"]
    made: set[str] = set()
    for seen in sorted(set(visible.shown)):
        if _shown_already(seen, visible) or seen in copies.copied:
            continue
        for parent in _parents(seen):
            if parent not in made:
                made.add(parent)
                words += ["--perms", "0755", "--dir", parent]
        words += ["--dev-bind" if seen in DEVICES else "--ro-bind", seen, seen]
    if visible.bot_folder and visible.bot_folder not in copies.copied:
        words += _masks(visible.bot_folder)
    words += copies.words
    made |= copies.made
    for folder in (*_parents(visible.folder), visible.folder):
        if folder not in made and not _shown_already(folder, visible):
            words += ["--perms", "0755", "--dir", folder]
    words += ["--chdir", "/"]
    return words + (["--remount-ro", "/"] if sealed else [])


def _masks(folder: str) -> list[str]:
    """Hide what is in a bot's folder and not the bot's: no digest covers it, so it must not run."""
    words: list[str] = []
    for place in ignored_places(Path(folder)):
        if place.is_dir() and not place.is_symlink():
            words += ["--perms", "0555", "--tmpfs", str(place), "--remount-ro", str(place)]
        elif place.is_file() and not place.is_symlink():
            words += ["--ro-bind", DEVICES[0], str(place)]
    return words


def _parents(path: str) -> list[str]:
    parents = []
    while (path := os.path.dirname(path)) != "/":
        parents.append(path)
    return parents[::-1]


def _shown_already(seen: str, visible: Visible) -> bool:
    """Whether a folder above it is shown."""
    return any(parent in visible.shown and os.path.isdir(parent) for parent in _parents(seen))
