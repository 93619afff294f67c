"""A container for one bot: started once, it gives fresh and locked workers."""

from __future__ import annotations

import array
import errno
import itertools
import marshal
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from bots.discovery.spec import BotError
from bots.sandbox import visible_paths
from bots.sandbox.control import (
    COUNTED,
    ENDED,
    FAILED,
    LOCKED,
    MAX_ORDER,
    PREPARED,
    REPORT,
    REQUEST,
    SPAWN,
    STATUS,
)
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import PROGRAM_LIMITS, PYTHON_LIMITS, LockdownRules
from bots.sandbox.process_clock import ProcessClock
from bots.sandbox.process_numbers import ProcessNumbers
from bots.sandbox.seccomp import (
    CountedCalls,
    NoSeccomp,
    compile_policy,
    counted_pipes,
    counted_threads,
    own_signals,
)
from bots.sandbox.verify_lockdown import expected_status, verify_lockdown
from bots.sandbox.visible_paths import Copies, Visible, covered_files

PATIENCE: Final = 20.0  # seconds the machine has for what is not a bot's doing
LAST_WORDS: Final = 1.0  # seconds that a container has to end by itself, once either side hung up
LIFE: Final = 6 * 3600.0  # seconds after which a worker ends even if the arena forgot it
FIRST_USER: Final = 61_184  # of a range no account is made in
USERS: Final = 4_000
NO_DATA: Final = 1.125  # of a program's data: with stacks, and code it made and may not write
SCORE: Final = "/proc/self/oom_score_adj"
FIRST_TO_END: Final = "1000"  # of -1000 to 1000
POOLS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# Process, user and group, by the kernel; and a descriptor.
ANCILLARY: Final = socket.CMSG_SPACE(12) + socket.CMSG_SPACE(4)
ZYGOTE: Final = "from bots.sandbox.zygote import main; main()"  # which may be compiled
# Java would size its heap by the machine's memory, which it is not told: it takes what chance left
# in its own for an answer. What the run-time says itself must not be among a bot's answers.
JAVA_OPTIONS: Final = (
    "-Xmx512m -Xlog:disable -Xlog:all=warning:stderr -XX:+DisplayVMOutputToStderr "
    "-XX:+SuppressFatalErrorMessage"  # which would be on stdout all the same
)
PRELOADED: Final = ("bots.protocol.warm_up", "bots.house")

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
    """A process in which a bot plays, as the arena holds it."""

    number: int
    pidfd: int
    pid: int
    requests: int
    replies: int
    errors: int
    clock: ProcessClock
    counted: CountedCalls | None = None  # where the kernel asks the arena
    status: int | None = None  # how it ended, as wait has it
    peak: int = 0  # kilobytes it took at most, once it has ended

    def kill(self) -> None:
        """End it; it cannot be another process by now."""
        self._signal(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop it, with all its threads."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def close(self) -> None:
        """Give back what the arena holds of it, once it was killed."""
        if self.counted is not None:
            self.counted.close()
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
        # Who may have no process at all cannot fork, whatever else its filter allows.
        self.childless = layers.limits and not threads and not self.program
        rules = self.rules = self._rules(visible)
        self.renamed = layers.container and os.geteuid() == 0
        number = next(_numbers)
        self.user = FIRST_USER + (os.getpid() * 31 + number) % USERS if self.renamed else 0
        self.preload = preload
        data = self._order(visible, rules, order)
        self.zygote = 0  # its number, once it is ready
        self.expected: list[bytes] = []  # of its workers
        self.peak = 0  # kilobytes that any worker took, as far as was told
        self.numbers: ProcessNumbers | None = None  # of its processes, where they are seen
        self.passed: list[int] = []  # descriptors that came with what was heard last
        self._open(visible, data)

    def _open(self, visible: Visible, data: bytes) -> None:
        """Start the process tree, and tell it what to do."""
        self.control, inner = _control_line()
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the container
        try:
            with inner:
                self.process = self._start(visible, inner.fileno())
        except BotError:
            self._release()
            raise
        except (OSError, SandboxError) as problem:
            self._release()
            if isinstance(problem, OSError) and problem.errno == errno.E2BIG:
                raise BotError(
                    "expected shorter names of a bot's files, got too many letters"
                ) from None
            raise SandboxError(f"cannot start a container: {problem}") from None
        with suppress(OSError):  # it is gone; told when a worker is wanted
            self.control.send(data)

    def _order(self, visible: Visible, rules: LockdownRules, order: dict[str, Any]) -> bytes:
        """What the zygote is told first; BotError if the bot's files have too many letters."""
        whole = {
            "words": [],
            "manifest": {},
            "params": {},
            "sources": [],
            "imports": [],
            "threads": self.threads,
            "folder": visible.folder,
            "environment": {
                "PATH": visible_paths.search_path(),
                "LANG": "C.UTF-8",
                "JDK_JAVA_OPTIONS": JAVA_OPTIONS,
            },
            "preload": () if self.program else self.preload,
            "rules": asdict(rules),
            "user": self.user,
            "life": LIFE,
        } | order
        data = marshal.dumps(whole)
        if len(data) > MAX_ORDER:  # it can do without having them compiled
            data = marshal.dumps(whole | {"sources": []})
        if len(data) > MAX_ORDER:
            raise BotError(
                f"expected names of a bot's files of {MAX_ORDER >> 10} KB together, got more"
            )
        return data

    def _start(self, visible: Visible, control: int) -> subprocess.Popen[bytes]:
        environment = {
            "PYTHONPATH": os.pathsep.join(visible.python_path),
            "PYTHONHASHSEED": "0",
            "PYTHONIOENCODING": "utf-8:backslashreplace",
            "LD_LIBRARY_PATH": visible_paths.library_path(),
            "LANG": "C.UTF-8",
            "LD_BIND_NOW": "1",  # else every worker links what it calls, for itself
            "OPENBLAS_NUM_THREADS": "1",  # or numpy ends the process, refused a thread
        }
        if not self.threads:  # numpy's libraries would start some, and exit when refused
            environment |= dict.fromkeys(POOLS, "1")
        python = [visible_paths.interpreter(), "-P", "-s", "-S", "-B"]
        words = [*python, "-c", ZYGOTE, str(control)]
        with closing(Copies()) as copies:
            if self.layers.container:
                try:
                    # As another user the bot may not be allowed to read its own files; and of its
                    # folder it sees what its digest covers, so neither links nor caches.
                    if self.renamed or visible.bot_folder:
                        for path in visible.own:
                            if not visible_paths.shown_already(path, visible):
                                copies.add(path)
                    words = [
                        *visible_paths.bubblewrap(visible, copies, self.layers.sealed),
                        "--",
                        *words,
                    ]
                except OSError as problem:
                    raise BotError(
                        f"expected to read the bot's files, got {problem.strerror}"
                    ) from None
            with ended_first():
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
        # Root is not held to that limit; the zygote tries it out all the same.
        once = self.childless and (self.layers.container or os.geteuid() != 0)
        rules = LockdownRules(inherited=once)
        if self.layers.landlock:
            rules.readable = list(visible.shown)
            if visible.bot_folder and not self.layers.container:
                rules.listed = [visible.bot_folder]
                rules.readable.remove(visible.bot_folder)
                rules.readable += covered_files(visible.bot_folder)
            rules.writable = ["/dev/null"] if self.program else []
        if self.layers.limits:
            rules.limits = dict(PROGRAM_LIMITS if self.program else PYTHON_LIMITS)
            if self.threads:
                rules.limits["NPROC"] = PROGRAM_LIMITS["NPROC"]
        if self.layers.seccomp:
            try:
                rules.filter = compile_policy(self.program, self.threads)
                rules.signals = own_signals() if self.program else []
                rules.counted = counted_pipes() if self.program else []
                # The kernel would count the threads of everything else that this user runs.
                rules.asks = not (self.layers.container or self.childless)
                if rules.asks and "NPROC" in rules.limits:
                    del rules.limits["NPROC"]
                    rules.counted += counted_threads()
                if once:
                    rules.forking = compile_policy(forking=True)
            except NoSeccomp as problem:
                raise SandboxError(str(problem)) from None
        return rules

    def spawn(self) -> Worker:
        """A worker that is locked down, as the kernel confirms, and has not seen its bot yet.

        It loads it when GO is the first that it reads.
        """
        if not self.expected:
            self._await_zygote()
        # Drawn, not counted: it is none of a worker's business how many there were before.
        number = int.from_bytes(os.urandom(4), "little")
        requests, ours = os.pipe()
        replies, its = os.pipe()
        errors, printed = os.pipe()
        opened = [ours, replies, errors]
        try:
            try:
                self._request(SPAWN, number, [requests, its, printed])
            finally:
                _close_all([requests, its, printed])
            pid, listeners = self._locked(number, replies)
            opened += listeners
            if self.rules.asks and self.rules.counted and not listeners:
                raise SandboxError("the worker did not lock itself down: it asks nobody")
            pidfd = _open_pidfd(pid)
            opened.append(pidfd)
            verify_lockdown(pid, self.expected, self.childless)
            counted = CountedCalls(listeners[0], pidfd, pid) if listeners else None
        except BaseException:
            _close_all(opened)  # without requests it ends
            raise
        for fd in (ours, replies, errors):
            os.set_blocking(fd, False)
        return Worker(number, pidfd, pid, ours, replies, errors, ProcessClock(pid), counted)

    def _await_zygote(self) -> None:
        """Wait until the zygote is there, and learn what its workers will be."""
        kind, zygote, *_ = self._receive()
        if kind != PREPARED:
            raise SandboxError("the container failed to start")
        self.zygote = zygote
        self.expected = expected_status(zygote, self.layers.seccomp, self.user)
        if not self.program:
            self._rehearse()
        self.forget()  # what was in there until now

    def _rehearse(self) -> None:
        """Have a worker that sees no bot: what is new to the zygote tells no match it is first."""
        worker = self.spawn()
        worker.kill()
        self.status(worker)
        worker.close()

    def _request(self, kind: int, number: int, fds: Sequence[int] = ()) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        try:
            self.control.sendmsg([REQUEST.pack(kind, number)], rights)
        except OSError:
            raise SandboxError(self._why_it_ended()) from None

    def _locked(self, number: int, replies: int) -> tuple[int, list[int]]:
        """The process that says it is the new worker, and locked down; what it passed on."""
        waiting = select.poll()
        waiting.register(self.control, select.POLLIN)
        waiting.register(replies, 0)  # to hear that nobody is there any more
        found = waiting.poll(1000 * PATIENCE)
        if not found:
            raise SandboxError(f"the worker did not lock itself down within {PATIENCE:g} s")
        if self.control.fileno() not in dict(found):
            raise SandboxError("the worker did not lock itself down: it ended")
        kind, pid, told, *_ = self._receive()
        passed: list[int] = []
        if kind == COUNTED:
            passed = self.passed
            try:
                kind, pid, told, *_ = self._receive()
            except SandboxError:
                _close_all(passed)
                raise
        if (kind, told) != (LOCKED, number):
            _close_all(passed)
            raise SandboxError("the worker did not lock itself down")
        return pid, passed

    def end(self, worker: Worker) -> None:
        """Kill a worker, if it still runs."""
        worker.kill()
        if not self.childless:  # the container goes too, with what is to be known of its worker
            self.status(worker)

    def forget(self) -> bool:
        """Have the next worker find no number that grew since the first; whether that can be."""
        # Who has one process and one thread is told no number; without a container, they are the
        # host's own.
        if self.childless or not self.layers.container:
            return True
        if self.numbers is None:
            self.numbers = ProcessNumbers(self.zygote)
        return self.numbers.restart()

    @property
    def memory(self) -> int:
        """Kilobytes that a worker may fill; 0 if that has no end."""
        limits = self.rules.limits
        return limits.get("DATA", limits.get("AS", 0)) >> 10

    @property
    def most_filled(self) -> int:
        """Kilobytes for which the arena ends a worker; 0 where the kernel sees to it.

        Of a program it counts what may be written, and what was and may not be any more is free.
        """
        return int(self.memory * NO_DATA) if self.program else 0

    def status(self, worker: Worker) -> int:
        """How a worker that is dying ended."""
        if worker.status is None:
            self._request(STATUS, worker.number)
            kind, _, number, worker.status, worker.peak = self._receive()
            if (kind, number) != (ENDED, worker.number):
                raise SandboxError("the container does not tell how a worker ended")
        return worker.status

    def _receive(self) -> tuple[int, int, int, int, int]:
        """What came from inside: its kind, who says it, a worker, its status, what it took."""
        try:
            data, ancillary, _, _ = self.control.recvmsg(4096, ANCILLARY, socket.MSG_CMSG_CLOEXEC)
        except OSError:
            data, ancillary = b"", []
        if not data:
            raise SandboxError(self._why_it_ended())
        if data[0] == FAILED:
            why = data[1:].decode("utf-8", "replace")
            what = (
                "a worker was not locked down" if self.expected else "the container failed to start"
            )
            raise SandboxError(f"{what}: {why}")
        kind, number, status, own_peak, self.peak = REPORT.unpack(data)
        said = {what: content for _, what, content in ancillary}
        self.passed = [fd for (fd,) in struct.iter_unpack("i", said.get(socket.SCM_RIGHTS, b""))]
        return kind, struct.unpack("3i", said[socket.SCM_CREDENTIALS])[0], number, status, own_peak

    def _why_it_ended(self) -> str:
        """Why there is no container: the last line it printed."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_WORDS)  # it hangs up before it prints why
        self._kill()
        self.log.seek(0)
        lines = self.log.read(20_000).decode("utf-8", "replace").strip().splitlines()
        return f"the container ended: {lines[-1] if lines else 'it printed nothing'}"

    def close(self) -> None:
        """End it with everything in it."""
        self._kill()
        self._release()

    def _kill(self) -> None:
        # A zygote that is hung up on ends, and bubblewrap reaps it. Were both killed, it would be
        # left to the machine's first process, which in many a container reaps nobody.
        if self.zygote:
            with suppress(OSError):
                self.control.shutdown(socket.SHUT_RDWR)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(LAST_WORDS)
                return
        # Its child, while it still waits to be let on, would wait for ever if left alone.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _release(self) -> None:
        if self.numbers is not None:
            self.numbers.close()
        self.control.close()
        self.log.close()


@contextmanager
def ended_first() -> Iterator[None]:
    """What is started meanwhile is ended before this process, where the machine has no memory left.

    It is inherited; given later it might be refused, as a container's user is not always ours.
    """
    before = _own_score()
    _write_score(FIRST_TO_END)
    try:
        yield
    finally:
        _write_score(before)


@cache
def _own_score() -> str:
    """The score this process was given; that of most where there is no such thing."""
    try:
        with open(SCORE, encoding="ascii") as file:
            return file.read()
    except OSError:
        return "0"


def _write_score(score: str) -> None:
    with suppress(OSError), open(SCORE, "w", encoding="ascii") as file:
        file.write(score)


def _control_line() -> tuple[socket.socket, socket.socket]:
    """A line to a zygote, and its end of it; the kernel adds to what is heard who said it."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(PATIENCE), 0))
    return ours, its


def _close_all(fds: list[int]) -> None:
    for fd in fds:
        os.close(fd)


def _open_pidfd(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except OSError as problem:
        raise SandboxError(f"the worker is gone: {problem.strerror}") from None
