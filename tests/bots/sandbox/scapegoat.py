"""A bot that would have its process ended as if by the machine: its seed says by which way.

It stands alone, as it is copied into a bot's folder; each way is harmless even where it succeeds.
"""

import ctypes
import fcntl
import os
import resource
import signal
import struct
import threading
import time
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
TGKILL, TKILL, QUEUE, TIMER_CREATE, TIMER_SETTIME, UNMAP, ROBUST = 234, 200, 129, 222, 223, 11, 273
SETSIG, SETOWN_EX, PDEATHSIG, STRICT = 10, 15, 1, 22
WAIT = 0.05  # seconds until a signal would be there


def own_signal(fd: int) -> None:
    """Have the kernel send the signal, for what happens to a descriptor."""
    fcntl.fcntl(fd, SETSIG, signal.SIGKILL)
    fcntl.fcntl(fd, fcntl.F_SETOWN, 1)
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_ASYNC)
    time.sleep(WAIT)


def own_thread() -> None:
    fcntl.fcntl(2, SETSIG, signal.SIGKILL)
    libc.fcntl(2, SETOWN_EX, struct.pack("ii", 0, threading.get_native_id()))
    fcntl.fcntl(2, fcntl.F_SETFL, os.O_ASYNC)
    os.write(2, b"x" * 100)
    time.sleep(WAIT)


def timer() -> None:
    made = ctypes.c_int()
    event = struct.pack("qii", 0, signal.SIGKILL, 0) + bytes(48)
    libc.syscall(TIMER_CREATE, 0, event, ctypes.byref(made))
    libc.syscall(TIMER_SETTIME, made, 0, struct.pack("qqqq", 0, 0, 0, 1000), 0)
    time.sleep(WAIT)


WAYS: dict[str, Callable[[], object]] = {
    "itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "its group": lambda: os.kill(0, signal.SIGKILL),
    "everybody": lambda: os.kill(-1, signal.SIGKILL),
    "its parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "the first": lambda: os.kill(1, signal.SIGKILL),
    "its thread": lambda: libc.syscall(TGKILL, 1, threading.get_native_id(), signal.SIGKILL),
    "a thread": lambda: libc.syscall(TKILL, threading.get_native_id(), signal.SIGKILL),
    "raised": lambda: getattr(libc, "raise")(signal.SIGKILL),
    "queued": lambda: libc.syscall(QUEUE, 1, 9, ctypes.create_string_buffer(128)),
    "seconds": lambda: resource.setrlimit(resource.RLIMIT_CPU, (0, 0)),
    "a descriptor": lambda: own_signal(3),
    "printed": own_thread,
    "a timer": timer,
    "its parent's death": lambda: libc.prctl(PDEATHSIG, signal.SIGKILL),
    "no memory": lambda: libc.syscall(UNMAP, ctypes.c_void_p(0), ctypes.c_size_t(2**47 - 4096)),
    "its locks": lambda: libc.syscall(ROBUST, ctypes.c_void_p(8), 24),
    "strict": lambda: (libc.prctl(STRICT, 1), os.getuid()),
    "another program": lambda: os.execv("/bin/true", ["true"]),
    "no pipes": lambda: os.closerange(0, 100),
    "the end": lambda: os._exit(0),
}


class Bot:
    def start(self, seating: object) -> None:
        self.way = list(WAYS.values())[seating.seed]  # type: ignore[attr-defined]

    def decide(self, decision: object) -> object:
        self.way()
        return decision.options[0]  # type: ignore[attr-defined]
