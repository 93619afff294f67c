"""The chair of a bot in a process of its own, in any language, over the wire."""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final, NoReturn, TypeVar

import msgspec

from bots.api import Decision, Outcome, Seating
from bots.chairs.base import Chair, ChairFault, legal_action
from bots.chairs.clock import TICK, Clock, Meter
from bots.chairs.limits import Limits
from bots.discovery.manifest import Manifest
from bots.discovery.spec import BotError, BotSpec
from bots.protocol.messages import (
    MAX_BYTES,
    MAX_ID,
    NO_MESSAGE,
    PROTOCOL,
    Bye,
    Choice,
    Decide,
    Failure,
    Finish,
    FromBot,
    Hello,
    Observe,
    Ready,
    Request,
    Start,
    decode_from_bot,
    encode,
)
from bots.protocol.sanitize import clean
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import die_with_parent
from engine.contract import Action, Game, State

Kind = TypeVar("Kind", Ready, Choice)

MAX_OUTPUT: Final = 65_536  # of what a bot prints, the end is kept
LAST_WORDS: Final = 2000
ROOT: Final = Path(__file__).resolve().parents[2]
HOST: Final = (
    "import sys; sys.path.append(sys.argv.pop(1)); from bots.protocol import host; host.main()"
)
HEARTBEAT: Final = 0.2  # seconds between two looks at whether a bot's process still runs


class SubprocessChair(Chair):
    """A bot in a process of its own, for all matches of a run."""

    def __init__(self, spec: BotSpec, manifest: Manifest, limits: Limits) -> None:
        super().__init__(limits)
        self.spec = spec
        self.manifest = manifest
        self.limits = limits
        self.is_program = manifest.is_program
        self.asked: Decision | None = None
        self.game: Game | None = None
        self.as_state = False
        self.due = 0  # the id the next answer must have
        self.held = b""  # what waits to be sent with the next question
        self.printed = b""
        self.buffer = b""
        self.greeted = False
        self._open()

    def _open(self) -> None:
        self.printed = b""
        self.buffer = b""
        self.greeted = False
        self.process = _spawn(self.spec, self.manifest)
        self.meter = Meter(Clock(self.process.pid), children=self.is_program)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.requests = self.process.stdin
        self.replies = self.process.stdout
        self.errors = self.process.stderr
        self.selector = selectors.DefaultSelector()
        for pipe in (self.requests, self.replies, self.errors):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self.replies, self.errors):
            self.selector.register(pipe, selectors.EVENT_READ)

    def start(self, seating: Seating) -> None:
        if self.process.poll() is not None:  # it failed in the match before
            self.close()
            try:
                self._open()
            except BotError as problem:  # its program is gone
                raise ChairFault("crash", str(problem)) from None
        self.printed = b""
        self._exchange(seating)

    def _exchange(self, seating: Seating) -> None:
        left = self.limits.start
        self.held = b""
        if not self.greeted:
            self._request(Hello(draw_id(), PROTOCOL), left)
            left = max(0.0, left - self._ready()[1])
            self.greeted = True
        setup = seating.setup
        self._request(
            Start(
                draw_id(),
                seating.game.id,
                setup.variant.edition,
                list(setup.variant.expansions),
                setup.variant.expert,
                setup.players,
                list(setup.wonders),
                seating.seat,
                seating.seed,
            ),
            left,
        )
        ready, _ = self._ready()
        self.observes = ready.observe
        self.game = seating.game
        self.as_state = ready.view == "state"

    def _ready(self) -> tuple[Ready, float]:
        """Hear that the bot is ready, and what that took."""
        ready = self._receive(Ready)
        used = self._settle()
        self.budget.computed += used
        return ready, used

    def ask(self, decision: Decision) -> None:
        self.asked = decision
        self.budget.asked += 1
        self._request(
            Decide(
                draw_id(),
                decision.prompt,
                [option.text for option in decision.options],
                decision.seconds_left,
                self._written(decision.view),
            ),
            decision.seconds_left,
        )

    def answer(self) -> Action:
        assert self.asked is not None
        try:
            choice = self._receive(Choice)
        except ChairFault:
            self.budget.charge(self.meter.settle())
            raise
        self.budget.charge(self._settle())
        try:
            return legal_action(self.asked, choice.option)
        except ChairFault as fault:
            self._fail(fault.kind, fault.detail)

    def _settle(self) -> float:
        """What the answer just heard took; a fault if that was too much."""
        used = self.meter.settle()
        most = self.meter.allowed
        # By the wall, an answer that lies ready counts, even if others kept us from reading it.
        if used > most + TICK and not self.meter.by_wall:
            self._fail("time", f"expected {most:g} s of computing at most, got {used:.3f}")
        return used

    def observe(self, view: State) -> None:
        self._tell(encode(Observe(self._written(view))))

    def _tell(self, line: bytes) -> None:
        """Say what wants no answer."""
        self.meter.begin(self.limits.move)
        self._send(line)

    def _written(self, view: State) -> msgspec.Raw:
        if self.as_state:
            return msgspec.Raw(view.dump().encode())
        assert self.game is not None
        return msgspec.Raw(msgspec.json.encode(self.game.facts(view)))

    def finish(self, outcome: Outcome) -> None:
        self._request(Finish(draw_id(), outcome.scores, outcome.ranks), self.budget.left)
        self._ready()
        self._drain()

    def close(self) -> None:
        if self.process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                os.write(self.requests.fileno(), encode(Bye()))
                self.process.wait(0.5)
        self._kill()
        self.selector.close()
        self.meter.clock.close()
        for pipe in (self.requests, self.replies, self.errors):
            pipe.close()

    def output(self) -> str:
        self._drain()
        return clean(self.printed, MAX_OUTPUT)

    def peak(self) -> int:
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as lines:
                return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            return 0

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # with everything it started
        self.process.wait()

    def _request(self, message: Request, seconds: float) -> None:
        """Say what wants an answer, within so much time."""
        self.due = message.id
        line, self.held = self.held + encode(message), b""
        self.meter.begin(seconds)
        self._send(line)

    def _send(self, rest: bytes) -> None:
        while rest:
            try:
                rest = rest[self._write(rest) :]
            except BlockingIOError:  # it does not read, and the pipe is full
                if not self._listen(0.01):
                    self._late("the bot to read what it is told", "a full pipe")
            except BrokenPipeError:
                self._crashed()

    def _write(self, data: bytes) -> int:
        return os.write(self.requests.fileno(), data)

    def _receive(self, kind: type[Kind]) -> Kind:
        message = self._message()
        if message.id != self.due:
            self._fail("protocol", f"expected the answer to {self.due}, got one to {message.id}")
        if isinstance(message, Failure):
            self._fail("exception", message.error)
        if not isinstance(message, kind):
            self._fail("protocol", f"expected {kind.__name__.lower()}, got {message}")
        return message

    def _message(self) -> FromBot:
        line = self._line()
        try:
            message = decode_from_bot(line)
        except NO_MESSAGE as problem:
            said = line[:80].decode("utf-8", "replace")
            self._fail(
                "protocol",
                f"expected a message alone on stdout, got {said!r}: {problem}",
            )
        if self.buffer:
            more = self.buffer[:80].decode("utf-8", "replace")
            self._fail("protocol", f"expected one message, got more: {more!r}")
        return message

    def _line(self) -> bytes:
        while b"\n" not in self.buffer:
            if not self._listen(HEARTBEAT) and b"\n" not in self.buffer:
                self._late("an answer", "none")
        line, _, self.buffer = self.buffer.partition(b"\n")
        if len(line) > MAX_BYTES:  # the end of it may have come with the last part read
            self._fail("protocol", f"expected at most {MAX_BYTES} bytes, got more")
        return line

    def _listen(self, most: float) -> bool:
        """Take what the bot says and prints for a while; whether it has time left."""
        left = self.meter.left()
        # A child it started may hold its pipes open, so its end is watched for itself.
        ended = self.process.poll() is not None
        for key, _ in self.selector.select(0 if ended else min(max(left, 0), most)):
            if key.fileobj is self.errors:
                self._drain()
            elif not self._read():
                self._crashed()
        if ended and b"\n" not in self.buffer:
            self._crashed()
        if len(self.buffer) > MAX_BYTES + 1:  # and its newline
            self._fail("protocol", f"expected at most {MAX_BYTES} bytes, got more")
        return left > 0

    def _read(self) -> bool:
        """Take what the bot has said; whether it may say more."""
        try:
            part = os.read(self.replies.fileno(), MAX_BYTES)
        except BlockingIOError:
            return True
        self.buffer += part
        return bool(part)

    def _drain(self) -> None:
        """Keep the end of what the bot printed; one read, as a flood has no end."""
        try:
            if part := os.read(self.errors.fileno(), MAX_OUTPUT):
                self.printed = (self.printed + part)[-MAX_OUTPUT:]
            else:
                self.selector.unregister(self.errors)
        except (BlockingIOError, KeyError, ValueError):
            pass

    def _late(self, expected: str, got: str) -> NoReturn:
        """The time is over: the bot's fault, unless the machine did not let it run."""
        if self.meter.starved():
            self._kill()
            raise SandboxError("expected a processor for the bot, got none for half of its time")
        self._fail("time", f"expected {expected} within {self.meter.allowed:g} s, got {got}")

    def _crashed(self) -> NoReturn:
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self._fail("protocol", "expected an answer, got a closed pipe")
        self._drain()
        said = clean(self.printed, LAST_WORDS)
        self._fail("crash", f"expected an answer, got exit code {code}\n{said}")

    def _fail(self, kind: str, detail: str) -> NoReturn:
        self._kill()  # what it may still say must not be taken for its next match
        raise ChairFault(kind, detail)


def draw_id() -> int:
    """A number nobody guesses."""
    return secrets.randbelow(MAX_ID) + 1


def _spawn(spec: BotSpec, manifest: Manifest) -> subprocess.Popen[bytes]:
    if manifest.is_program:
        words = manifest.words
    else:
        order = {"manifest": asdict(manifest), "params": dict(spec.params)}
        # Not from where the user happens to stand: a random.py there would be imported for ours.
        words = [sys.executable, "-P", "-c", HOST, str(ROOT), json.dumps(order)]
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            cwd=manifest.folder if manifest.is_program and manifest.folder else None,
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )
    except OSError as problem:
        raise BotError(f"expected to run {words[0]}, got {problem.strerror}") from None
