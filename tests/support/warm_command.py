"""Runs `arena` in forks of a process that has imported it: imports are most of a command's cost.

Every call has a process of its own, with the words, folder, environment and output it asks for.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

LONGEST: Final = 1 << 18  # bytes of a call
PIDS: Final[set[int]] = set()  # processes that wait to be forked
IMPORTED: Final = (
    *("numpy", "sqlmodel", "sqlalchemy.dialects.sqlite", "leagues.ratings.trueskill_fold"),
    *("arena.__main__",),
    *("arena.cli.bot", "arena.cli.league", "arena.cli.match", "arena.cli.rank"),
    *("arena.cli.tournament", "arena.league.manage", "arena.reports.leaderboard"),
    *("arena.series.run", "arena.tournament.stored_session"),
)


class WarmCommand:
    """The process that is forked; it ends with the process that made it."""

    def __init__(self, env: dict[str, str]) -> None:
        self._calls, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._calls.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno())],
                cwd="/",
                env=env,
                pass_fds=[theirs.fileno()],
            )
        PIDS.add(self._process.pid)
        atexit.register(self._close)

    def _close(self) -> None:
        self._calls.close()
        self._process.wait()

    def run(
        self, words: list[str], cwd: Path, env: dict[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """As `subprocess.run` does."""
        here, there = socket.socketpair()
        with here, TemporaryFile("w+") as out, TemporaryFile("w+") as err:
            with there, open(os.devnull) as nothing:
                call = json.dumps([words, str(cwd), env]).encode()
                fds = [each.fileno() for each in (nothing, out, err, there)]
                socket.send_fds(self._calls, [call], fds)
            pid = int(here.recv(20))
            here.settimeout(timeout)
            try:
                code = int(here.recv(20))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["arena", *words], timeout) from None
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(words, code, out.read(), err.read())


def _become_command(call: bytes, fds: list[int]) -> None:
    words, cwd, env = json.loads(call)
    for standard, fd in enumerate(fds):
        os.dup2(fd, standard)
        os.close(fd)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["arena", *words]


def _wait(pid: int, caller: int) -> None:
    """Tell which process it is, and how it ended."""
    os.write(caller, b"%d" % pid)
    os.write(caller, b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    os._exit(0)


def serve(calls: socket.socket) -> None:
    """Fork for every call; returns in the fork that is the command."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        call, fds, _, _ = socket.recv_fds(calls, LONGEST, 4)
        if not call:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            calls.close()
            *standard, caller = fds
            if pid := os.fork():
                _wait(pid, caller)
            os.close(caller)
            _become_command(call, standard)
            return
        for fd in fds:
            os.close(fd)


if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    for module in IMPORTED:
        import_module(module)
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))
    from arena.__main__ import main

    main()
