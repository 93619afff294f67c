"""The chair of a bot behind a transport: messages, time and faults."""

from __future__ import annotations

import os
import re
import struct
from typing import Final, NoReturn, TypeVar

from mypy_extensions import mypyc_attr

from bots.api import Decision, Outcome, Seating
from bots.chairs.base import Chair, ChairFault, legal_action
from bots.chairs.clock import TICK, Meter
from bots.chairs.codec import Codec, JsonCodec, PacketCodec, ReplyError
from bots.chairs.limits import Limits
from bots.chairs.transport import MAX_OUTPUT, Transport
from bots.discovery.spec import BotError
from bots.protocol.messages import MAX_ID, Choice, Failure, FromBot, Ready
from bots.protocol.notes import write_note
from bots.protocol.packets import MAX_BYTES
from bots.protocol.sanitize import for_storage
from bots.sandbox.errors import NoThreadsError, SandboxError
from bots.sandbox.probe import has_spare_threads
from engine.contract import Action, State
from engine.match import FaultKind

Kind = TypeVar("Kind", Ready, Choice)

LAST_WORDS: Final = 2000  # characters of what a bot printed that are told with its crash
IDLE_SHARE: Final = 0.5  # of its time: a bot that computed less than that waits for something
# How run-times say that they got no more memory, which may be less than a process may fill.
NO_MEMORY: Final = re.compile(
    r"java\.lang\.OutOfMemoryError(?!: unable to create)|os::commit_memory\(.*\) failed"
    r"|^MemoryError|std::bad_alloc|heap out of memory"
    r"|^memory allocation of \d+ bytes failed|runtime: out of memory|^lua\S*: not enough memory",
    re.MULTILINE,
)
# Faults that a missing thread may cause.
MISSING_THREADS: Final = (FaultKind.CRASH, FaultKind.EXCEPTION, FaultKind.TIME)
HEARTBEAT: Final = 0.2  # seconds between two looks at whether a bot's process still runs


@mypyc_attr(allow_interpreted_subclasses=True)
class RemoteChair(Chair):
    """A bot that is spoken to by messages, wherever its process is."""

    def __init__(self, transport: Transport, limits: Limits) -> None:
        super().__init__(limits)
        self.transport = transport
        self.limits = limits
        self.codec: Codec = JsonCodec() if transport.manifest.is_program else PacketCodec()
        self.asked: Decision | None = None
        self.due = 0  # the id the next answer must have
        self.held = b""  # what waits to be sent with the next question
        self.greeted = False
        self.draw_id = draw_id

    @property
    def meter(self) -> Meter:
        """The clock of the bot's present process."""
        return self.transport.meter

    def start(self, seating: Seating) -> None:
        try:
            is_new = self.transport.start_match()
        except BotError as problem:  # its program is gone
            raise ChairFault(FaultKind.CRASH, str(problem)) from None
        if is_new:
            self.greeted = False
        self._exchange(seating)

    def _exchange(self, seating: Seating) -> None:
        left = self.limits.start
        self.held = b""
        if self.codec.greets and not self.greeted:
            self._request(self.codec.hello(self._draw()), left)
            left = max(0.0, left - self._ready()[1])
            self.greeted = True
        self._request(self.codec.start(self._draw(), seating), left)
        ready, _ = self._ready()
        self.observes = ready.observe
        self.codec.as_state = ready.view == "state"

    def _ready(self) -> tuple[Ready, float]:
        """Hear that the bot is ready, and what that took."""
        ready = self._receive(Ready)
        used = self._settle()
        self.budget.computed += used
        return ready, used

    def ask(self, decision: Decision) -> None:
        self.asked = decision
        self.budget.asked += 1
        self._request(self.codec.decide(self._draw(), decision), decision.seconds_left)

    def answer(self) -> Action:
        assert self.asked is not None
        try:
            choice = self._receive(Choice)
        except ChairFault:
            self.budget.charge(self.meter.settle())
            raise
        self.budget.charge(self._settle())
        if choice.note:
            line = write_note(self.budget.asked - 1, choice.note)
            streams = self.transport.streams
            self.transport.drain()
            streams.printed = (streams.printed + f"{line}\n".encode("utf-8", "replace"))[
                -MAX_OUTPUT:
            ]
        try:
            return legal_action(self.asked, choice.option)
        except ChairFault as fault:
            self._fail(fault.kind, fault.detail)

    def _settle(self) -> float:
        """What the answer just heard took; a fault if that was too much."""
        used = self.meter.settle()
        most = self.meter.allowed
        # By wall-clock time, an answer that is there counts, even if it was read late.
        if used > most + TICK and not self.meter.by_wall:
            self._fail(FaultKind.TIME, f"expected at most {most:g} s of CPU time, got {used:.3f}")
        return used

    def observe(self, view: State) -> None:
        told = self.codec.observe(view)
        # Paused it could not read, and must not be blamed for a full pipe.
        if self.codec.holds or self.transport.is_paused:
            self.held += told
        else:
            self.meter.begin(self.limits.move)
            self._send(told)

    def finish(self, outcome: Outcome) -> None:
        self._request(self.codec.finish(self._draw(), outcome), self.budget.left)
        self._ready()
        self.transport.end_match()

    def close(self) -> None:
        self.transport.close(self.codec.bye())

    def output(self) -> str:
        self.transport.drain()
        return for_storage(self.transport.streams.printed, MAX_OUTPUT)

    def peak(self) -> int:
        return self.transport.peak()

    def _draw(self) -> int:
        """An id for the next question, which its answer must have."""
        self.due = self.draw_id()
        return self.due

    def _request(self, question: bytes, seconds: float) -> None:
        """Send what wants an answer, within so much time."""
        question, self.held = self.held + question, b""
        self.meter.begin(seconds)
        self._send(question)

    def _send(self, rest: bytes) -> None:
        while rest:
            try:
                rest = rest[self.transport.send(rest) :]
            except BlockingIOError:  # it does not read, and the pipe is full
                if not self._listen(0.01):
                    self._late("the bot to read what it is told", "a full pipe")
            except BrokenPipeError:
                self._crashed()

    def _receive(self, kind: type[Kind]) -> Kind:
        message = self._message()
        if message.id != self.due:
            self._fail(
                FaultKind.PROTOCOL, f"expected the answer to {self.due}, got one to {message.id}"
            )
        if isinstance(message, Failure):
            self._fail(FaultKind.EXCEPTION, message.error)
        if not isinstance(message, kind):
            self._fail(FaultKind.PROTOCOL, f"expected {kind.__name__.lower()}, got {message}")
        return message

    def _message(self) -> FromBot:
        reply = self._reply()
        try:
            message = self.codec.decode(reply)
        except ReplyError as problem:
            self._fail(FaultKind.PROTOCOL, str(problem))
        if rest := self.transport.streams.received:
            more = rest[:80].decode("utf-8", "replace")
            self._fail(FaultKind.PROTOCOL, f"expected one message, got more: {more!r}")
        return message

    def _reply(self) -> bytes:
        streams = self.transport.streams
        while not self.codec.is_whole(streams.received):
            if not self._listen(HEARTBEAT) and not self.codec.is_whole(streams.received):
                self._late("an answer", "none")
        reply, streams.received = self.codec.split(streams.received)
        if len(reply) > MAX_BYTES:  # the end of it may have come with the last part read
            self._fail(FaultKind.PROTOCOL, f"expected at most {MAX_BYTES} bytes, got more")
        self.transport.pause()
        return reply

    def _listen(self, most: float) -> bool:
        """Take what the bot says and prints for a while; whether it has time left."""
        left = self.meter.left()
        more = self.transport.wait(min(max(left, 0.0), most))
        received = self.transport.streams.received
        if not more and not self.codec.is_whole(received):
            self._crashed()
        if len(received) > MAX_BYTES + 1:  # and its newline
            self._fail(FaultKind.PROTOCOL, f"expected at most {MAX_BYTES} bytes, got more")
        return left > 0

    def _late(self, expected: str, got: str) -> NoReturn:
        """The time is over: the bot's fault, unless the machine did not let it run."""
        if self.meter.starved():
            self.transport.kill()
            raise SandboxError(
                "the machine was too busy: the bot had no processor for half of its time",
                FaultKind.TIME,
            )
        allowed = self.meter.allowed
        detail = f"expected {expected} within {allowed:g} s, got {got}"
        if got == "none" and self.transport.manifest.is_program:
            if self.transport.streams.received:
                detail += ": a line without its end; did you print a newline?"
            elif self.meter.used() < IDLE_SHARE * allowed:  # it waits, most likely for us
                detail += ": it computes nothing and has written nothing; did you flush stdout?"
        self._fail(FaultKind.TIME, detail)

    def _crashed(self) -> NoReturn:
        ended = self.transport.exit()
        if ended is None:
            self._fail(FaultKind.PROTOCOL, "expected an answer, got a closed pipe")
        self.transport.drain()
        said = for_storage(self.transport.streams.printed, LAST_WORDS)
        kind = ended.kind
        if kind is FaultKind.CRASH and self.transport.has_memory_limit and NO_MEMORY.search(said):
            kind = FaultKind.MEMORY  # its own words, and in either case its own fault
        self._fail(kind, f"{ended.detail}\n{said}")

    def _fail(self, kind: FaultKind, detail: str) -> NoReturn:
        self.transport.kill()  # what it may still say must not be taken for its next match
        if kind in MISSING_THREADS and self.transport.has_threads and not has_spare_threads():
            raise NoThreadsError(kind)
        lines = detail.rstrip().splitlines()
        if kind is FaultKind.EXCEPTION and self.transport.has_memory_limit:
            if lines and lines[-1].startswith("MemoryError"):
                kind = FaultKind.MEMORY
        raise ChairFault(kind, detail)


_drawn: Final[list[int]] = []


def draw_id() -> int:
    """A number nobody guesses, from 1 to what is exact in every language."""
    while True:
        try:
            return _drawn.pop()
        except IndexError:  # none is left, in this thread or by another's doing
            numbers = struct.unpack("<128Q", os.urandom(1024))  # one system call for many
            _drawn.extend(number for each in numbers if (number := each & MAX_ID))


os.register_at_fork(after_in_child=_drawn.clear)  # no two processes have the same
