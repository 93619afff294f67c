"""Calls that no bot may make, of whatever kind: as a Python bot or as a program, it tries them all.

Each is harmless even where it succeeds. It stands alone, as it is copied into a bot's folder.
"""

import ctypes
import json
import mmap
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

libc = ctypes.CDLL(None, use_errno=True)
PARENT = os.getppid() or 1  # a strict bot is not told
HERE = os.path.abspath(__file__).encode()
DEVICE = b"/dev/null"
AT_FDCWD = -100
WAKE, WAKE_BITS, REQUEUE = 1, 10, 3  # of a futex that is not private
SHARED_ANONYMOUS, GROWING = 0x21, 0x122
buffer = ctypes.create_string_buffer(4096)


def call(number: int, *args: Any) -> int:
    """A system call; what it refuses is raised, with a bad address or descriptor as success."""
    done: int = libc.syscall(
        ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args)
    )
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


def waited(operation: int) -> None:
    """Where it is not refused, the time is over at once."""
    try:
        word = ctypes.c_int.from_address(of_library() & -4).value
        call(202, of_library() & -4, operation, word, buffer, 0, -1)
    except TimeoutError:
        return


def same_limits() -> None:
    limit = resource.prlimit(PARENT, resource.RLIMIT_NOFILE)
    resource.prlimit(PARENT, resource.RLIMIT_NOFILE, limit)


def of_library() -> int:
    """An address in a page of a file that every container maps."""
    return ctypes.cast(libc.getpid, ctypes.c_void_p).value or 0


# Of others
CALLS: dict[str, Callable[[], object]] = {
    "limits of the parent, asked": lambda: resource.prlimit(PARENT, resource.RLIMIT_CPU),
    "limits of the parent, set": same_limits,
    "clock of the parent": lambda: time.clock_gettime((~PARENT << 3) | 2),
    "precision of the parent's clock": lambda: call(229, (~PARENT << 3) | 2, buffer),
    "sleep by the parent's clock": lambda: call(230, (~PARENT << 3) | 2, 1, buffer, 0),
    "processors of the parent": lambda: os.sched_getaffinity(PARENT),
    "priority of the parent": lambda: os.getpriority(os.PRIO_PROCESS, PARENT),
    "priority of all": lambda: os.getpriority(os.PRIO_USER, 0),
    "scheduler of the parent": lambda: os.sched_getscheduler(PARENT),
    "group of the parent": lambda: os.getpgid(PARENT),
    "session of the parent": lambda: os.getsid(PARENT),
    "a signal to the parent": lambda: os.kill(PARENT, 0),
    "a signal to all": lambda: os.kill(-1, 0),
    "a signal to a thread of the parent": lambda: call(234, PARENT, PARENT, 0),
    "a signal to any thread": lambda: call(200, PARENT, 0),
    "a signal with a value": lambda: call(129, PARENT, 0, buffer),
    "a descriptor of the parent": lambda: os.pidfd_open(PARENT),
    "robust list of the parent": lambda: call(274, PARENT, buffer, buffer),
    "input and output priority of the parent": lambda: call(252, 1, PARENT),
    "capabilities of the parent": lambda: call(125, (ctypes.c_uint32 * 2)(0x20080522, PARENT), 0),
    # Time and more processes
    "a timer that sends a signal": lambda: call(222, 1, 0, buffer),
    "an alarm clock": lambda: signal.setitimer(signal.ITIMER_REAL, 100),
    "an alarm": lambda: call(37, 0),
    "a child": lambda: os.fork() or os._exit(0),
    "a sibling": lambda: call(56, 0x8000 | 17, 0, 0, 0, 0) or os._exit(0),
    "a child that is waited for": lambda: call(56, 0x4011, 0, 0, 0, 0) or os._exit(0),
    # Nowhere to write its descriptor to, so that it would not be begun.
    "a thread whose number counts all tasks": lambda: call(56, 0x11F00, 0, 1, 0, 0),
    "a child by the new call": lambda: call(435, (ctypes.c_uint64 * 11)(), 88) or os._exit(0),
    "a child by the old call": lambda: call(57) or os._exit(0),
    "to outlive the parent": lambda: call(157, 1, 0, 0, 0, 0),
    "to adopt orphans": lambda: call(157, 36, 1, 0, 0, 0),
    "to be dumped": lambda: call(157, 4, 1, 0, 0, 0),
    "a signal by a pipe": lambda: call(72, 0, 10, 18),
    "owner of a pipe": lambda: call(72, 0, 8, os.getpid()),
    "its own limits": lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    # Files and devices of the host
    "times of a device": lambda: os.utime(DEVICE),
    "times of a device by descriptor": lambda: call(280, 0, 0, 0, 0),
    "times the old way": lambda: call(132, DEVICE, 0),
    "times the second way": lambda: call(235, DEVICE, 0),
    "times the third way": lambda: call(261, AT_FDCWD, DEVICE, 0),
    "times of its own file": lambda: os.utime(HERE),
    "mode by the young call": lambda: call(452, AT_FDCWD, HERE, 0o644, 0),
    "mode by the old call": lambda: os.chmod(HERE, 0o644),
    "a label by the young call": lambda: call(463, AT_FDCWD, HERE, 0, b"user.a", buffer, 16),
    "a label by the old call": lambda: os.setxattr(HERE, b"user.a", b"1"),
    "labels removed": lambda: call(466, AT_FDCWD, HERE, 0, b"user.a"),
    "flags by the young call": lambda: call(469, AT_FDCWD, HERE, buffer, 24, 0),
    "flags by the old call": lambda: call(16, os.open(HERE, os.O_RDONLY), 0x40086602, buffer),
    "owner": lambda: os.chown(HERE, os.getuid(), os.getgid()),
    "room for a file": lambda: call(285, 1, 0, 0, 1),
    "everything written": lambda: call(162),
    "a disk written": lambda: call(306, os.open(HERE, os.O_RDONLY)),
    "a lock": lambda: call(73, os.open(HERE, os.O_RDONLY), 2),
    "a lease": lambda: call(72, os.open(HERE, os.O_RDONLY), 1024, 0),
    "news of a folder": lambda: call(72, os.open("/", os.O_RDONLY), 1026, 1),
    "news of files": lambda: call(294, 0),
    "cached pages of a file": lambda: call(27, of_library() & -4096, 4096, buffer),
    "cached pages by the young call": lambda: call(451, 0, buffer, buffer, 0),
    "pages read ahead": lambda: call(187, os.open(HERE, os.O_RDONLY), 0, 4096),
    "pages dropped": lambda: call(221, os.open(HERE, os.O_RDONLY), 0, 4096, 4),
    "mounts": lambda: call(458, buffer, buffer, 16, 0),
    "the disk's figures": lambda: os.statvfs("/"),
    # Others who may hear
    "a pair of sockets": lambda: socket.socketpair(),
    "a wake on a page of a file": lambda: call(202, of_library() & -4, WAKE, 1, 0, 0, 0),
    "a wait on a page of a file": lambda: waited(0),
    "a wait by bits": lambda: waited(9),
    "a wake by bits": lambda: call(202, of_library() & -4, WAKE_BITS, 1, 0, 0, 1),
    "waiters moved": lambda: call(202, of_library() & -4, REQUEUE, 1, 1, of_library() & -4, 0),
    "a wake by the young call": lambda: call(454, of_library() & -4, 1, 1, 2),
    "many waits": lambda: call(449, buffer, 1, 0, 0, 0),
    "load, memory and uptime": lambda: call(99, buffer),
    "a file of memory": lambda: os.memfd_create("x"),
    "secret memory": lambda: call(447, 0),
    "shared memory": lambda: call(29, 0, 4096, 0o1600),
    "a semaphore": lambda: call(64, 0, 1, 0o1600),
    "a queue": lambda: call(240, b"x", 66, 0o600, 0),
    # Memory that no limit of the process counts, and other ways to more
    "a growing mapping": lambda: mapped(GROWING),
    "pinned memory": lambda: call(149, buffer, 1),
    "pinned memory, all to come": lambda: call(151, 2),
    "sealed memory": lambda: call(462, of_library() & -4096, 4096, 0),
    "a shadow stack": lambda: call(453, 0, 4096, 0),
    "memory merged with others'": lambda: call(157, 67, 1, 0, 0, 0),
    "a wider pipe": lambda: call(72, 1, 1031, 1 << 20),
    "asynchronous input": lambda: call(206, 1, buffer),
    "another session": lambda: os.setsid(),
    "another group": lambda: os.setpgid(0, 0),
    "another processor": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "another priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 1),
    "another scheduler": lambda: call(144, 0, 3, buffer),
    "another personality": lambda: call(135, 0xFFFFFFFF),
    "another filter": lambda: call(317, 2, 0, buffer),
    "another domain": lambda: call(444, 0, 0, 1),
}
# A program joins threads so, and is woken by no call; see docs/sandbox.md for what is left of it.
JOINS = {"a wait on a page of a file", "a wait by bits"}
ANONYMOUS = "a shared anonymous mapping"  # counted in a Python bot, whose whole memory is


def mapped(flags: int) -> None:
    libc.mmap.restype = ctypes.c_void_p
    found = libc.mmap(
        None, ctypes.c_size_t(4096), mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, ctypes.c_long(0)
    )
    if found == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "refused")


def got_through(program: bool) -> list[str]:
    """The calls that were not refused."""
    found = []
    calls = {name: each for name, each in CALLS.items() if not program or name not in JOINS}
    if program:
        calls[ANONYMOUS] = lambda: mapped(SHARED_ANONYMOUS)
    for name, attempt in calls.items():
        ctypes.set_errno(0)
        try:
            attempt()
        except ValueError:
            continue  # a limit that may not be set
        except OSError as problem:
            if problem.errno in (1, 11, 13, 38):  # not permitted, no more, denied, not implemented
                continue
            found.append(f"{name} ({problem.errno})")
        else:
            found.append(name)
    return found


def decide(decision: object) -> object:
    """As a Python bot: all is told as an error."""
    raise LookupError(got_through(program=False))


def main() -> None:
    """As a program."""
    for line in sys.stdin:
        message = json.loads(line)
        reply = {"type": "ready", "id": message.get("id")}
        if message["type"] == "decide":
            error = f"LookupError: {got_through(program=True)}"
            reply = {"type": "failure", "id": message["id"], "error": error}
        print(json.dumps(reply), flush=True)  # noqa: T201 - so it answers


if __name__ == "__main__":
    main()
