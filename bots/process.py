"""The chair of a bot in a process of its own, in any language, over the wire."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final, NoReturn, TypeVar

import msgspec

from bots.api import Decision, Outcome, Seating
from bots.manifest import Manifest
from bots.players import Chair, ChairFault, Limits, legal_action
from bots.spec import BotError, BotSpec
from bots.text import clean
from bots.wire import (
    MOST_BYTES,
    PROTOCOL,
    Bye,
    Choice,
    Decide,
    Failure,
    Finish,
    FromBot,
    Hello,
    Message,
    Observe,
    Ready,
    Start,
    decode_from_bot,
    encode,
)
from engine.contract import Action, Game, State

Kind = TypeVar("Kind", Ready, Choice)

MOST_OUTPUT: Final = 65_536  # of what a bot prints, the end is kept
LAST_WORDS: Final = 2000
ROOT: Final = Path(__file__).resolve().parent.parent
HOST: Final = "import sys; sys.path.append(sys.argv.pop(1)); import bots.host; bots.host.main()"
HEARTBEAT: Final = 0.2  # seconds between two looks at whether a bot's process still runs


class Process(Chair):
    """A bot in a process of its own, in any language, over the wire."""

    def __init__(self, spec: BotSpec, manifest: Manifest, limits: Limits) -> None:
        super().__init__(limits)
        self.spec = spec
        self.manifest = manifest
        self.limits = limits
        self.asked: Decision | None = None
        self.game: Game | None = None
        self.as_state = False
        self.number = 0
        self._allow(limits.start)
        self._open()

    def _allow(self, seconds: float) -> None:
        self.allowed = seconds
        self.began = time.monotonic()
        self.deadline = self.began + seconds

    def _open(self) -> None:
        self.printed = b""
        self.buffer = b""
        self.greeted = False
        self.process = _spawn(self.spec, self.manifest)
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
        self._allow(self.limits.start)
        if not self.greeted:
            self._send(Hello(PROTOCOL))
            self._receive(Ready)
            self.greeted = True
        setup = seating.setup
        self._send(
            Start(
                seating.game.id,
                setup.edition,
                list(setup.expansions),
                setup.expert,
                setup.players,
                list(setup.wonders),
                seating.seat,
                seating.seed,
            )
        )
        ready = self._receive(Ready)
        self.observes = ready.observe
        self.game = seating.game
        self.as_state = ready.view == "state"

    def ask(self, decision: Decision) -> None:
        self.asked = decision
        self.tally.asked += 1
        self.number += 1
        self._allow(decision.seconds_left)
        self._send(
            Decide(
                self.number,
                decision.prompt,
                [option.text for option in decision.options],
                decision.seconds_left,
                self._written(decision.view),
            )
        )

    def answer(self) -> Action:
        assert self.asked is not None
        try:
            choice = self._receive(Choice)
        finally:
            self._charge()
        if choice.id != self.number:
            self._fail("protocol", f"expected the answer to {self.number}, got {choice.id}")
        try:
            return legal_action(self.asked, choice.option)
        except ChairFault as fault:
            self._fail(fault.kind, fault.detail)

    def _charge(self) -> None:
        self.tally.charge(time.monotonic() - self.began)

    def observe(self, view: State) -> None:
        self._allow(self.limits.move)
        self._send(Observe(self._written(view)))

    def _written(self, view: State) -> msgspec.Raw:
        if self.as_state:
            return msgspec.Raw(view.dump().encode())
        assert self.game is not None
        return msgspec.Raw(msgspec.json.encode(self.game.facts(view)))

    def finish(self, outcome: Outcome) -> None:
        self._allow(self.limits.move)
        self._send(Finish(outcome.scores, outcome.ranks))
        self._receive(Ready)
        self._drain()

    def close(self) -> None:
        if self.process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                os.write(self.requests.fileno(), encode(Bye()))
                self.process.wait(0.5)
        self._kill()
        self.selector.close()
        for pipe in (self.requests, self.replies, self.errors):
            pipe.close()

    def output(self) -> str:
        self._drain()
        return clean(self.printed, MOST_OUTPUT)

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

    def _send(self, message: Message) -> None:
        rest = encode(message)
        while rest:
            try:
                rest = rest[self._write(rest) :]
            except BlockingIOError:  # it does not read, and the pipe is full
                if not self._listen(0.01):
                    self._fail(
                        "time",
                        f"expected the bot to read within {self.allowed:g} s, got a full pipe",
                    )
            except BrokenPipeError:
                self._crashed()

    def _write(self, data: bytes) -> int:
        return os.write(self.requests.fileno(), data)

    def _receive(self, kind: type[Kind]) -> Kind:
        message = self._message()
        if isinstance(message, Failure):
            self._fail("exception", message.error)
        if not isinstance(message, kind):
            self._fail("protocol", f"expected {kind.__name__.lower()}, got {message}")
        return message

    def _message(self) -> FromBot:
        line = self._line()
        try:
            message = decode_from_bot(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
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
            # An answer that lies ready counts, even if others kept us from reading it in time.
            if not self._listen(HEARTBEAT) and b"\n" not in self.buffer:
                self._fail("time", f"expected an answer within {self.allowed:g} s, got none")
        line, _, self.buffer = self.buffer.partition(b"\n")
        if len(line) > MOST_BYTES:  # the end of it may have come with the last part read
            self._fail("protocol", f"expected at most {MOST_BYTES} bytes, got more")
        return line

    def _listen(self, most: float) -> bool:
        """Take what the bot says and prints for a while; whether it has time left."""
        left = self.deadline - time.monotonic()
        # A child it started may hold its pipes open, so its end is watched for itself.
        ended = self.process.poll() is not None
        for key, _ in self.selector.select(0 if ended else min(max(left, 0), most)):
            if key.fileobj is self.errors:
                self._drain()
            elif not self._read():
                self._crashed()
        if ended and b"\n" not in self.buffer:
            self._crashed()
        if len(self.buffer) > MOST_BYTES + 1:  # and its newline
            self._fail("protocol", f"expected at most {MOST_BYTES} bytes, got more")
        return left > 0

    def _read(self) -> bool:
        """Take what the bot has said; whether it may say more."""
        try:
            part = os.read(self.replies.fileno(), MOST_BYTES)
        except BlockingIOError:
            return True
        self.buffer += part
        return bool(part)

    def _drain(self) -> None:
        """Keep the end of what the bot printed; one read, as a flood has no end."""
        try:
            if part := os.read(self.errors.fileno(), MOST_OUTPUT):
                self.printed = (self.printed + part)[-MOST_OUTPUT:]
            else:
                self.selector.unregister(self.errors)
        except (BlockingIOError, KeyError, ValueError):
            pass

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


def _spawn(spec: BotSpec, manifest: Manifest) -> subprocess.Popen[bytes]:
    if manifest.source == "command":
        words = spec.command
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
        )
    except OSError as problem:
        raise BotError(f"expected to run {words[0]}, got {problem.strerror}") from None
