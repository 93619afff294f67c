"""The trusted first process of a container: it forks the workers, and loads no stranger's bot."""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import resource
import select
import signal
import struct
import sys
import time
from _socket import (  # without what is built on it
    CMSG_SPACE,
    MSG_CMSG_CLOEXEC,
    SCM_RIGHTS,
    SOL_SOCKET,
    socket,
)
from contextlib import suppress
from typing import Any, Final, NoReturn

from bots.sandbox import lockdown
from bots.sandbox.control import (
    COUNTED,
    ENDED,
    FAILED,
    GO,
    LOCKED,
    MAX_ORDER,
    PREPARED,
    REPORT,
    REQUEST,
    SPAWN,
)

REQUESTS: Final = 3  # descriptors of a worker
REPLIES: Final = 4
CONTROL: Final = 5  # of the zygote; a worker closes it before it loads a bot
ERRORS: Final = 6
COMPILED: Final = 7  # of the zygote: what comes from the process that compiles
COMPILING: Final = 8  # of that process
MAX_COMPILED: Final = 4 << 20  # bytes
MAX_COMPILING: Final = 2  # seconds
UNLOCKED: Final = 97  # exit code of a worker that could not lock itself down
DEVICE: Final = "/dev/null"
MAX_DESCRIPTOR: Final = 1 << 20  # the kernel's own limit
SIZE: Final = struct.Struct("<Q")  # of what was compiled, before it


class Zygote:
    """Holds the workers and the line to the arena."""

    def __init__(self, control: socket, order: dict[str, Any]) -> None:
        self.control = control
        self.order = order
        self.rules = lockdown.LockdownRules(**order["rules"])
        self.host: Any = None  # of a Python bot, which it has not loaded
        self.poller = select.poll()
        self.poller.register(CONTROL, select.POLLIN)
        self.life: float = order["life"]  # seconds
        self.numbered = bool(order["threads"] or order["words"])  # as threads and programs are
        self.is_first = os.getpid() == 1  # of a container, with which all in it ends
        self.workers: dict[int, int] = {}  # pid: number
        self.end = 0.0  # of the life of all
        self.ended: dict[int, tuple[int, int]] = {}  # number: status and kilobytes, of the latest
        self.peak = 0

    def prepare(self) -> None:
        """Load what workers share, give up root, and put up the walls that workers inherit."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # which a first process does not hear at all
        lockdown.die_with_parent()
        preload(self.order)
        if self.order["manifest"]:
            self.host = make_host(self.order)
        gc.collect()
        gc.freeze()
        if self.order["user"]:
            lockdown.become(self.order["user"])
        if os.geteuid() == 0 or self.order["user"]:
            lockdown.drop_capabilities()
        if self.is_first or not self.numbered:
            lockdown.die_with_parent()  # forgotten when the user changed
        else:
            # A program can forget that signal: begun anew by a thread, or with capabilities.
            signal.signal(signal.SIGTERM, self.end_all)
            lockdown.die_with_parent(signal.SIGTERM)
        self.rules.inherited = self.rules.inherited and limit_binds()
        compiler = start_compiling(self.rules, self.order["sources"])
        open_stdin()
        if self.rules.inherited:
            lockdown.lock_zygote(self.rules)
        if compiler:
            # Before the first worker, which would share a processor with it and be called starved.
            self.host.compiled = receive_compiled()
            os.waitpid(compiler, 0)
        rehearse()

    def serve(self) -> None:
        """Fork and reap until the arena is gone, or has forgotten a worker."""
        while True:
            if self.poller.poll(1000 if self.workers else None):
                if not self.handle_request():
                    return
                continue  # who has ended is reaped when nobody waits for it
            self.reap()
            if self.workers and time.monotonic() > self.end:
                return  # and the worker with it

    def end_all(self, *_: object) -> NoReturn:
        """End at once, with all workers."""
        for pid in self.workers:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        os._exit(0)  # the arena waits for that, not for what the interpreter would tidy up

    def handle_request(self) -> bool:
        """Do what the arena asks; whether it may ask again."""
        data, ancillary, _, _ = self.control.recvmsg(REQUEST.size, CMSG_SPACE(12), MSG_CMSG_CLOEXEC)
        if not data:
            return False
        kind, number = REQUEST.unpack(data)
        if kind == SPAWN:
            self.fork(number, list(struct.unpack("3i", ancillary[0][2])))
        else:
            self.tell_end(number)
        return True

    def fork(self, number: int, fds: list[int]) -> None:
        self.ended.clear()
        self.reap()
        # Made before: a worker copies every page that it touches.
        locked = REPORT.pack(LOCKED, number, 0, 0, 0)
        pid = os.fork() if self.numbered else lockdown.fork_unnumbered()
        if pid == 0:
            self.work(locked, fds)
        for fd in fds:
            os.close(fd)
        self.workers[pid] = number
        self.end = time.monotonic() + self.life

    def reap(self, pid: int = -1, options: int = os.WNOHANG) -> None:
        """Reap workers that have ended."""
        while self.workers:
            try:
                found, status, peak = lockdown.reap(pid, options)
            except ChildProcessError:
                return
            if found == 0:
                return
            if found not in self.workers:
                continue  # left by a worker that no filter kept from forking
            self.ended[self.workers.pop(found)] = (status, peak)
            self.peak = max(self.peak, peak)

    def tell_end(self, number: int) -> None:
        """Tell how a worker ended that is dying, or has ended already."""
        for pid in [pid for pid, known in self.workers.items() if known == number]:
            self.reap(pid, 0)
        status, own_peak = self.ended.get(number, (0, 0))
        self.tell(ENDED, number, status, own_peak)

    def tell(self, kind: int, number: int = 0, status: int = 0, own_peak: int = 0) -> None:
        os.write(CONTROL, REPORT.pack(kind, number, status, own_peak, self.peak))

    def work(self, locked: bytes, fds: list[int]) -> NoReturn:
        """Be a worker: lock down, say so, and only then serve the bot."""
        code = UNLOCKED
        try:
            try:
                arrange(fds)
                self.forget()
                self.lock_worker()
                os.write(CONTROL, locked)
            except BaseException as problem:
                tell_failure(problem)
                raise
            os.close(CONTROL)
            if os.read(REQUESTS, 1) == GO:  # else the arena has looked, and did not like it
                code = 1
                if self.order["words"]:
                    run(self.order)
                self.host.serve(REQUESTS, REPLIES)
                code = 0
        finally:
            os._exit(code)

    def forget(self) -> None:
        """Drop what other matches took and how they ended: it is not for this one."""
        self.workers = {}
        self.ended = {}
        self.peak = 0
        self.end = 0.0

    def lock_worker(self) -> None:
        """Put up the walls, or those that are not inherited."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if not self.rules.inherited:
            lockdown.die_with_parent()
            if self.rules.counted:
                self.have_calls_counted()
            lockdown.lock_down(self.rules)
            return
        if not self.is_first:
            lockdown.die_with_parent()
        forbid_processes()

    def have_calls_counted(self) -> None:
        """Let the arena hear of calls that are counted, where the kernel can ask it."""
        try:
            listener = lockdown.listen(self.rules.counted)
        except OSError as problem:
            if self.rules.asks:
                what = "the kernel cannot ask the arena about threads; does another program listen?"
                raise OSError(problem.errno, what) from None
            return
        rights = (SOL_SOCKET, SCM_RIGHTS, struct.pack("i", listener))
        self.control.sendmsg([REPORT.pack(COUNTED, 0, 0, 0, 0)], [rights])
        os.close(listener)


def arrange(fds: list[int]) -> None:
    """Standard streams, requests, replies, and the line to the arena; no other descriptor."""
    if fds != [REQUESTS, REPLIES, ERRORS]:
        raise ValueError(f"expected descriptors {REQUESTS}, {REPLIES} and {ERRORS}, got {fds}")
    os.dup2(ERRORS, 1)
    os.dup2(ERRORS, 2)
    os.closerange(ERRORS, MAX_DESCRIPTOR)


def rehearse() -> None:
    """Call what a worker calls first: what the interpreter then knows, no worker has to learn."""
    os.dup2(0, 0)
    os.closerange(MAX_DESCRIPTOR, MAX_DESCRIPTOR)
    resource.setrlimit(resource.RLIMIT_NPROC, resource.getrlimit(resource.RLIMIT_NPROC))


def open_stdin() -> None:
    """The standard input of all workers: nothing to read, and nothing that one could change."""
    null = os.open(DEVICE, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def forbid_processes() -> None:
    """Be kept from forking, for good."""
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def limit_binds() -> bool:
    """Whether the kernel holds this user to a limit of no process: found by doing.

    It does not hold root, and who is root outside need not be called so here.
    """
    if (pid := os.fork()) == 0:
        code = 1
        try:
            forbid_processes()
            if os.fork() == 0:
                os._exit(0)
        except BlockingIOError:
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def tell_failure(problem: BaseException) -> None:
    """Tell the arena why there is nothing to be had, if it can still be told."""
    with suppress(OSError):
        os.write(CONTROL, bytes([FAILED]) + f"{type(problem).__name__}: {problem}".encode()[:500])


def preload(order: dict[str, Any]) -> None:
    """Import what workers share: ours, and what is installed that the bot will import."""
    register = os.register_at_fork
    if not order["threads"]:
        # Dice and locks mended at every fork; but dice are seeded at every match, and none of the
        # locks can be held where there are no threads.
        os.register_at_fork = lambda **_: None
    try:
        if order["preload"]:
            import_compiled()
        for name in order["preload"]:
            importlib.import_module(name)
        for name in order["imports"]:
            with suppress(Exception):  # which the bot will see for itself
                importlib.import_module(name)
        if order["params"]:
            importlib.import_module("bots.discovery.parameters")
    finally:
        os.register_at_fork = register


def import_compiled() -> None:
    """Import what is compiled, from here: by code that is not, each would map a file of its own."""
    import bots.decision
    import bots.search  # noqa: F401
    import engine.catalog  # noqa: F401


def make_host(order: dict[str, Any]) -> Any:
    """What serves a Python bot in a worker; a bot of the house is loaded already."""
    from bots.discovery.loader import find_maker, prepare_module
    from bots.discovery.manifest import Source
    from bots.protocol.host import open_host
    from bots.protocol.warm_up import warm_up

    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    host = open_host(order)
    if host.manifest.source is Source.HOUSE:
        host.make = find_maker(host.manifest)
    elif host.manifest.source is Source.FILE:
        prepare_module(os.path.join(host.manifest.folder, host.manifest.entry))
    warm_up()
    return host


def start_compiling(rules: lockdown.LockdownRules, sources: list[str]) -> int:
    """Have sources compiled by a process that is locked and runs none of them; 0 without any."""
    if not sources:
        return 0
    open_pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(CONTROL)
            os.dup2(0, 1)  # nothing there to read or write
            os.dup2(0, 2)
            lockdown.die_with_parent()
            lockdown.limit_seconds(MAX_COMPILING)
            lockdown.lock_down(rules)
            send_compiled(sources)
            code = 0
        finally:
            os._exit(code)
    os.close(COMPILING)
    return pid


def open_pipe() -> None:
    """The pipe of the process that compiles, out of the way of a worker's."""
    for end, place in zip(os.pipe(), (COMPILED, COMPILING), strict=True):
        os.dup2(end, place, inheritable=False)
        os.close(end)


def receive_compiled() -> bytes:
    """What was compiled, which no process but a worker looks into; nothing if it is not whole."""
    received = b""
    while len(received) <= MAX_COMPILED and (part := os.read(COMPILED, 1 << 16)):
        received += part
    os.close(COMPILED)
    size, data = received[: SIZE.size], received[SIZE.size :]
    whole = len(size) == SIZE.size and SIZE.unpack(size)[0] == len(data)
    return data if whole else b""


def send_compiled(sources: list[str]) -> None:
    """Compile sources, and send what came of it."""
    from bots.discovery.compiled_sources import compile_sources

    data = compile_sources(sources)
    with os.fdopen(COMPILING, "wb") as pipe:
        pipe.write(SIZE.pack(len(data)) + data)


def run(order: dict[str, Any]) -> None:
    """Become the program, with requests and replies as its standard streams."""
    os.dup2(REQUESTS, 0)
    os.dup2(REPLIES, 1)
    os.chdir(order["folder"])
    try:
        os.execve(order["words"][0], order["words"], order["environment"])
    except OSError as problem:  # such as another machine's program
        name = os.path.basename(order["words"][0])
        os.write(2, f"expected to run {name}, got {problem.strerror}\n".encode())
        raise


def open_control() -> socket:
    """The line to the arena, at its place; those of a worker's pipes are free."""
    if (given := int(sys.argv[1])) != CONTROL:
        os.dup2(given, CONTROL)
    os.set_inheritable(CONTROL, False)
    os.closerange(REQUESTS, CONTROL)
    os.closerange(CONTROL + 1, MAX_DESCRIPTOR)
    return socket(fileno=CONTROL)


def main() -> None:
    """Serve the arena over the socket it left us."""
    control = open_control()
    zygote = Zygote(control, marshal.loads(control.recv(MAX_ORDER)))
    try:
        zygote.prepare()
    except BaseException as problem:
        tell_failure(problem)
        raise
    zygote.tell(PREPARED)
    zygote.serve()
    zygote.end_all()
