"""What a remote chair sends, and when."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from arena.playing.referee import build_decision, play
from bots.api import Seating
from bots.chairs.base import Chair, ChairFault
from bots.chairs.clock import Meter
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.transport import Exit, Streams, Transport
from bots.discovery.manifest import Manifest, Source
from bots.house.random import Random
from bots.protocol import packets
from bots.protocol.messages import Ready, encode
from bots.sandbox.process_clock import ProcessClock
from engine.catalog import GAMES
from engine.match import FaultKind
from tests.bots.matches import in_a_process, in_ours

GAME = GAMES[0]
SETUP = GAME.setup(2, 1)
STATE = GAME.deal(SETUP, 1)
SEAT = STATE.pending()[0]


class Recorder(Transport):
    """A transport that keeps what it is given to send, and answers as it is told to."""

    def __init__(self, source: Source) -> None:
        super().__init__(Manifest("recorded", "", source, ""))
        self.streams = Streams(-1, -1, -1)
        self.meter = Meter(ProcessClock(os.getpid()))
        self.sent: list[bytes] = []
        self.answers: list[bytes] = []

    def start_match(self) -> bool:
        return True

    def send(self, data: bytes) -> int:
        self.sent.append(data)
        return len(data)

    def wait(self, seconds: float) -> bool:
        self.streams.received += self.answers.pop(0)
        return True

    def kill(self) -> None:
        pass


class Ended(Recorder):
    """A program whose process has ended, and what it printed last."""

    def __init__(self, printed: str, has_memory_limit: bool = True) -> None:
        super().__init__(Source.COMMAND)
        self.has_memory_limit = has_memory_limit
        self.streams.printed = printed.encode()

    def wait(self, seconds: float) -> bool:
        return False

    def drain(self) -> None:
        pass

    def exit(self) -> Exit:
        return Exit(FaultKind.CRASH, "expected an answer, got exit code 1")


def fault_of(transport: Transport) -> FaultKind:
    with pytest.raises(ChairFault) as caught:
        RemoteChair(transport, Limits()).start(Seating(GAME, SETUP, SEAT, 1))
    return caught.value.kind


@pytest.mark.parametrize(
    "said",
    [
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat Bot.main\n',
        "OpenJDK warning: INFO: os::commit_memory(0x7, 715653120, 0) failed; error='No space'\n",
        "Traceback (most recent call last):\n  ...\nMemoryError\n",
        "terminate called after throwing an instance of 'std::bad_alloc'\n",
        "memory allocation of 4294967296 bytes failed\n",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
        "fatal error: runtime: out of memory\n",
        "lua5.4: not enough memory\n",
    ],
)
def test_a_run_time_that_got_no_memory_says_so_in_words_of_its_own(said: str) -> None:
    assert fault_of(Ended(said)) is FaultKind.MEMORY
    assert fault_of(Ended(said, has_memory_limit=False)) is FaultKind.CRASH
    assert fault_of(Ended("out of patience\n")) is FaultKind.CRASH


def kinds(data: bytes) -> list[int]:
    """What packets these bytes are."""
    found = []
    while data:
        found.append(packets.kind_of(data))
        data = data[packets.packet_size(data) :]
    return found


def started(source: Source, answers: list[bytes]) -> tuple[RemoteChair, Recorder]:
    transport = Recorder(source)
    transport.answers = answers
    chair = RemoteChair(transport, Limits())
    ids = iter(range(1, 100))
    chair.draw_id = lambda: next(ids)
    chair.start(Seating(GAME, SETUP, SEAT, 1))
    return chair, transport


def test_a_python_bot_is_told_what_it_observes_with_the_next_question() -> None:
    chair, transport = started(Source.FILE, [packets.pack_reply(packets.READY, 1, 1)])
    assert [kinds(each) for each in transport.sent] == [[packets.START]]
    assert chair.observes
    for _ in range(2):
        chair.observe(STATE.view(SEAT))
    assert len(transport.sent) == 1
    question = build_decision(GAME, STATE, SEAT, 1.0)
    chair.ask(question)
    assert [kinds(each) for each in transport.sent[1:]] == [
        [packets.OBSERVE, packets.OBSERVE, packets.DECIDE]
    ]
    transport.answers = [packets.pack_reply(packets.CHOICE, 2, 1)]
    assert chair.answer() == question.options[1].action


def test_a_program_is_told_at_once() -> None:
    chair, transport = started(Source.COMMAND, [encode(Ready(1)), encode(Ready(2, observe=True))])
    chair.observe(STATE.view(SEAT))
    assert [line.count(b"\n") for line in transport.sent] == [1, 1, 1]
    assert b'"type":"observe"' in transport.sent[-1]


def test_what_was_not_told_in_a_match_is_not_told_in_the_next() -> None:
    ready = packets.pack_reply(packets.READY, 1, 1)
    chair, transport = started(Source.FILE, [ready])
    chair.observe(STATE.view(SEAT))
    transport.answers = [packets.pack_reply(packets.READY, 2, 1)]
    chair.start(Seating(GAME, SETUP, SEAT, 2))
    assert [kinds(each) for each in transport.sent] == [[packets.START], [packets.START]]


WATCHES = """
import sys

from bots.api import Bot


class Watches(Bot):
    def decide(self, decision):
        print("asked", decision.prompt, decision.view.dump(), file=sys.stderr)
        return decision.options[0]

    def observe(self, view):
        print("saw", view.dump(), file=sys.stderr)
"""


@pytest.mark.slow
def test_a_bot_sees_the_same_in_the_same_order_wherever_it_sits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "watches.py"
    file.write_text(WATCHES, encoding="utf-8")
    spec = GAME.spec(SETUP, 1, ("a", "b"))

    def told(chair: Chair) -> str:
        with closing(chair):
            assert play(spec, [chair, InProcessChair(Random)], Limits()).faults == ()
            return chair.output()

    told(in_ours(str(file)))
    inside = capsys.readouterr().err
    remote = told(in_a_process(str(file)))
    assert inside.endswith(remote.removeprefix("[...] "))
    assert remote.count("saw ") > 10
    assert remote.count("asked ") > 3
