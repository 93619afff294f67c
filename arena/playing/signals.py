"""Ctrl-C in a long run: the first finishes what is under way, the second stops at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

CURSOR: Final = "\x1b[?25h"  # which a live picture hides


@contextmanager
def interruptible(stop: Callable[[], None], resume: str) -> Iterator[None]:
    """Call `stop` when asked to end, by hand or by the system, and tell how to go on."""
    asked = False

    def obey(number: int, _: FrameType | None) -> None:
        nonlocal asked
        if asked:
            show = CURSOR if os.isatty(2) else ""
            os.write(2, f"{show}\nstopped; to go on: {resume}\n".encode())
            os._exit(128 + number)  # what is stored is whole, and workers end with their arena
        asked = True
        stop()
        os.write(2, b"\nfinishing what is under way; Ctrl-C again stops at once\n")

    before = {number: signal.signal(number, obey) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def hold_ctrl_c() -> Iterator[None]:
    """Have a Ctrl-C wait until the end of this, where half of it would be left undone.

    Processes that are started meanwhile hold it too, until they call `release_ctrl_c`.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release_ctrl_c() -> None:
    """Hear Ctrl-C, in a process that was started while it was held."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def as_ctrl_c() -> Iterator[None]:
    """Take it for Ctrl-C that the system asks to end, as where a job is cancelled."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
