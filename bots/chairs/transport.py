"""A transport: how bytes get to a bot's process and back, and how that process lives and ends."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from bots.chairs.clock import Meter
from bots.discovery.manifest import Manifest
from bots.protocol.packets import MAX_BYTES
from engine.match import FaultKind

MAX_OUTPUT: Final = 65_536  # bytes of what a bot prints, of which the end is kept


@dataclass(frozen=True)
class Exit:
    """How a bot's process ended when an answer was expected, as a fault."""

    kind: FaultKind
    detail: str


class Streams:
    """The pipes of a bot's process, none of which blocks, and what came out of them so far."""

    def __init__(self, requests: int, replies: int, errors: int) -> None:
        self.requests = requests
        self.replies = replies
        self.errors = errors
        self.is_open = True
        self.received = b""  # from stdout, not yet taken by the chair
        self.printed = b""  # the end of what came from stderr

    def write(self, data: bytes) -> int:
        """Send as much as the pipe takes; BlockingIOError if it is full."""
        return os.write(self.requests, data)

    def read(self) -> bool:
        """Take what the bot has said; whether it may say more."""
        try:
            part = os.read(self.replies, MAX_BYTES)
        except BlockingIOError:
            return True
        self.received += part
        return bool(part)

    def drain(self) -> bool:
        """Take what the bot has printed; whether it may print more.

        One read, as a flood has no end.
        """
        if not self.is_open:
            return False
        try:
            part = os.read(self.errors, MAX_OUTPUT)
        except BlockingIOError:
            return True
        self.printed = (self.printed + part)[-MAX_OUTPUT:]
        return bool(part)


NO_STREAMS: Final = Streams(-1, -1, -1)  # of a bot that was not started yet
NO_STREAMS.is_open = False


@mypyc_attr(allow_interpreted_subclasses=True)
class Transport:
    """A connection to one bot, for many matches."""

    has_memory_limit = False  # whether a MemoryError means that the bot took more than its share
    meter: Meter  # of the process that answers now

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.has_threads = manifest.threads or manifest.is_program
        self.streams = NO_STREAMS
        self.is_paused = False  # whether the process is stopped until something is sent to it

    def start_match(self) -> bool:
        """Have a process for the next match; whether it is new and must be greeted.

        BotError if the bot cannot be run any more, SandboxError if the machine fails.
        """
        raise NotImplementedError

    def end_match(self) -> None:
        """The match is over."""
        raise NotImplementedError

    def send(self, data: bytes) -> int:
        """Send what the pipe takes, and let a paused process go on.

        BlockingIOError if the pipe is full, BrokenPipeError if nobody reads it.
        """
        raise NotImplementedError

    def wait(self, seconds: float) -> bool:
        """Receive for so long at most; whether more may come."""
        raise NotImplementedError

    def pause(self) -> None:
        """Stop a bot that could compute while it is not asked."""

    def drain(self) -> None:
        """Keep the end of what the bot printed."""
        raise NotImplementedError

    def exit(self) -> Exit | None:
        """How the process ended; None if it only closed its pipe."""
        raise NotImplementedError

    def kill(self) -> None:
        """End the process with all it started."""
        raise NotImplementedError

    def peak(self) -> int:
        """Kilobytes of memory the bot took at most; 0 where that is not known."""
        raise NotImplementedError

    def close(self, bye: bytes) -> None:
        """Say bye, where that is heard, and release everything."""
        raise NotImplementedError
