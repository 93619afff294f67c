"""The trusted first process of a container: it loads no bot, it forks a worker for every match."""

from __future__ import annotations

import array
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any, Final, NoReturn

from bots.sandbox import lockdown

MOST: Final = 1 << 17
REQUESTS: Final = 3  # in a worker
REPLIES: Final = 4
LOCKED: Final = b"locked\n"
GO: Final = b"!"
UNLOCKED: Final = 97  # exit code of a worker that could not lock itself down
DEVICE: Final = "/dev/null"


class Zygote:
    """Holds the workers and the line to the arena."""

    def __init__(self, control: socket.socket, order: dict[str, Any]) -> None:
        self.control = control
        self.order = order
        self.rules = lockdown.LockdownRules(**order["rules"])
        self.workers: dict[int, tuple[int, int, float]] = {}  # pid: number, pidfd, end of its life

    def serve(self) -> None:
        """Fork and reap until the arena is gone."""
        while True:
            watched = [self.control.fileno(), *(pidfd for _, pidfd, _ in self.workers.values())]
            ready, _, _ = select.select(watched, [], [], 1.0 if self.workers else None)
            self.reap()
            if self.control.fileno() in ready and not self.handle_request():
                return
            self.end_old()

    def handle_request(self) -> bool:
        """Fork a worker as the arena asks; whether it may ask again."""
        text, ancillary, _, _ = self.control.recvmsg(4096, socket.CMSG_SPACE(12))
        if not text:
            return False
        fds = array.array("i")
        for _, _, data in ancillary:
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
        self.fork(json.loads(text)["spawn"], list(fds))
        return True

    def fork(self, number: int, fds: list[int]) -> None:
        pid = os.fork()
        if pid == 0:
            work(self.order, self.rules, self.control, fds)
        for fd in fds:
            os.close(fd)
        pidfd = os.pidfd_open(pid)
        self.workers[pid] = number, pidfd, time.monotonic() + self.order["life"]
        told = json.dumps({"spawned": number}).encode()
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pidfd]))
        self.control.sendmsg([told], [rights])

    def reap(self) -> None:
        """Reap ended processes, and report to the arena how its workers ended."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid not in self.workers:
                continue  # what a program left behind
            number, pidfd, _ = self.workers.pop(pid)
            os.close(pidfd)
            self.end_rest(pid)
            facts = {"exit": number, "status": status, "peak": usage.ru_maxrss}
            self.control.send(json.dumps(facts).encode())

    def end_rest(self, pid: int) -> None:
        """End what a worker started itself."""
        with suppress(ProcessLookupError, PermissionError):
            if os.getpid() == 1 and not self.workers:
                os.kill(-1, signal.SIGKILL)
            else:
                os.killpg(pid, signal.SIGKILL)

    def end_old(self) -> None:
        """End workers the arena has forgotten."""
        for pid, (_, _, end) in self.workers.items():
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)


def work(
    order: dict[str, Any], rules: lockdown.LockdownRules, control: socket.socket, fds: list[int]
) -> NoReturn:
    """Be a worker: lock down, say so, and only then serve the bot."""
    try:
        lockdown.die_with_parent()
        os.setsid()
        control.close()
        requests, replies = arrange(fds)
        lockdown.lock_down(rules)
    except BaseException as problem:
        report_failure(fds, problem)
        os._exit(UNLOCKED)
    code = 1
    try:
        os.write(replies, LOCKED)
        if os.read(requests, 1) != GO:  # the arena has looked, and did not like it
            os._exit(UNLOCKED)
        if order["words"]:
            run(order, requests, replies)
        host(order, requests, replies)
        code = 0
    finally:
        os._exit(code)


def arrange(fds: list[int]) -> tuple[int, int]:
    """Standard streams, requests and replies; no other descriptor."""
    high = [os.dup2(fd, 100 + place, inheritable=False) for place, fd in enumerate(fds)]
    null = os.open(DEVICE, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(high[2], 1)
    os.dup2(high[2], 2)
    os.dup2(high[0], REQUESTS, inheritable=False)
    os.dup2(high[1], REPLIES, inheritable=False)
    os.closerange(REPLIES + 1, 1024)
    fds[:] = [REQUESTS, REPLIES, 2]
    return REQUESTS, REPLIES


def report_failure(fds: list[int], problem: BaseException) -> None:
    """Tell the arena why there is no worker, if it can still be told."""
    with suppress(OSError):
        os.write(fds[1], f"{type(problem).__name__}: {problem}\n".encode()[:500])


def host(order: dict[str, Any], requests: int, replies: int) -> None:
    """Serve one Python bot."""
    import msgspec

    from bots.discovery.manifest import Manifest
    from bots.protocol.host import Host

    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    Host(msgspec.convert(order["manifest"], Manifest), order["params"]).serve(requests, replies)


def run(order: dict[str, Any], requests: int, replies: int) -> None:
    """Become the program, with requests and replies as its standard streams."""
    os.dup2(requests, 0)
    os.dup2(replies, 1)
    os.chdir(order["folder"])
    try:
        os.execve(order["words"][0], order["words"], order["environment"])
    except OSError as problem:  # such as another machine's program
        name = os.path.basename(order["words"][0])
        os.write(2, f"expected to run {name}, got {problem.strerror}\n".encode())
        raise


def prepare(order: dict[str, Any]) -> None:
    """Load what workers share, then give up root and all capabilities."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which a first process does not hear at all
    lockdown.die_with_parent()
    for name in order["preload"]:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    if order["user"]:
        lockdown.become(order["user"])
    if os.geteuid() == 0 or order["user"]:
        lockdown.drop_capabilities()
    lockdown.die_with_parent()  # forgotten when the user changed


def main() -> None:
    """Serve the arena over the socket it left us."""
    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    order = json.loads(control.recv(MOST))
    try:
        prepare(order)
    except BaseException as problem:
        control.send(json.dumps({"failed": f"{type(problem).__name__}: {problem}"}).encode())
        raise
    control.send(json.dumps({"ready": os.getpid()}).encode())
    Zygote(control, order).serve()


if __name__ == "__main__":
    main()
