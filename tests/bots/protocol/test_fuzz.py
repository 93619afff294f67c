"""The decoders of what bots say, against a hundred thousand replies of nonsense each."""

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from bots.chairs.base import ChairFault
from bots.chairs.clock import Meter
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.transport import Streams, Transport
from bots.discovery.manifest import Manifest, Source
from bots.protocol import packets
from bots.protocol.messages import MAX_ID, Choice, Failure, Ready, encode
from bots.sandbox.process_clock import ProcessClock

pytestmark = pytest.mark.slow

FRAMES = 100_000
BITS = (
    *(
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"id",
        b"type",
        b"choice",
        b"ready",
        b"\\u0000",
    ),
    *(b"\\ud800", b"\xff", b"\0", b"1e999", b"NaN", b"-0", b"true", b"null", b"option", b" "),
)


PIECES = (b"\0", b"\1", b"\2", b"\3", b"\4", b"\xff", b"\x11\0\0\0", b"take left", b"\n", b"{")


def line(dice: random.Random, id: int) -> bytes:
    """A line as it should be."""
    kinds = (
        Choice(id, dice.randrange(-5, 10**6)),
        Choice(id, "take left"),
        Ready(id, True, "state"),
        Failure(id, "no"),
    )
    return encode(dice.choice(kinds))


def packet(dice: random.Random, id: int) -> bytes:
    """A packet as it should be."""
    return dice.choice(
        (
            packets.pack_reply(packets.CHOICE, id, dice.randrange(-5, 10**6)),
            packets.pack_reply(packets.ANSWER, id, 0, b"take left"),
            packets.pack_reply(packets.READY, id, 1),
            packets.pack_reply(packets.FAILURE, id, 0, b"no"),
        )
    )


Right = Callable[[random.Random, int], bytes]
WIRES: dict[str, tuple[Source, Right, Sequence[bytes]]] = {
    "lines": (Source.COMMAND, line, BITS),
    "packets": (Source.HOUSE, packet, PIECES),
}
each_wire = pytest.mark.parametrize("wire", WIRES)


def nonsense(dice: random.Random, right: bytes, bits: Sequence[bytes]) -> bytes:
    """Bytes, bits of messages, or a message of the wrong id, with something changed in it."""
    kind = dice.randrange(3)
    if kind == 0:
        return dice.randbytes(dice.randrange(60))
    if kind == 1:
        return b"".join(dice.choices(bits, k=dice.randrange(20)))
    changed = bytearray(right)
    for _ in range(dice.randrange(1, 5)):
        at = dice.randrange(len(changed))
        change = dice.randrange(4)
        if change == 0:
            changed[at] = dice.randrange(256)
        elif change == 1:
            del changed[at : at + dice.randrange(1, 8)]
        elif change == 2:
            changed[at:at] = dice.choice(bits)
        else:
            changed[at:at] = changed[at : at + dice.randrange(1, 30)]
        if not changed:
            break
    return bytes(changed)


class Fuzzed(Transport):
    """A transport whose bot has said something, in parts, and then is gone."""

    def __init__(self, source: Source) -> None:
        super().__init__(Manifest("fuzzed", "", source, ""))
        self.streams = Streams(-1, -1, -1)
        self.meter = Meter(ProcessClock(os.getpid()))
        self.parts: list[bytes] = []

    def wait(self, seconds: float) -> bool:
        if not self.parts:
            return False
        self.streams.received += self.parts.pop(0)
        return True

    def exit(self) -> None:
        return None

    def kill(self) -> None:
        pass


def cut(dice: random.Random, reply: bytes) -> list[bytes]:
    """The same in parts, as it may come."""
    ends = sorted(dice.randrange(len(reply) + 1) for _ in range(dice.randrange(3)))
    return [reply[a:b] for a, b in zip([0, *ends], [*ends, len(reply)], strict=True)]


def hear(chair: RemoteChair, transport: Fuzzed, reply: bytes, dice: random.Random) -> str:
    """The fault that a reply, which comes in parts, ends in."""
    transport.streams.received = b""
    transport.parts = cut(dice, reply)
    chair.meter.begin(100.0)
    receive: Callable[[], object] = dice.choice(
        (partial(chair._receive, Choice), partial(chair._receive, Ready))
    )
    with pytest.raises(ChairFault) as fault:
        receive()
    assert fault.value.kind == "protocol"
    return fault.value.detail


@each_wire
def test_nothing_escapes_and_nothing_is_taken_without_the_right_id(wire: str) -> None:
    source, right, bits = WIRES[wire]
    dice = random.Random(7)
    transport = Fuzzed(source)
    chair = RemoteChair(transport, Limits())
    faults: Counter[bool] = Counter()
    for _ in range(FRAMES):
        chair.due = dice.randrange(1, MAX_ID)
        said = nonsense(dice, right(dice, dice.randrange(1, MAX_ID)), bits)
        if wire == "lines":
            said = said.removesuffix(b"\n") + b"\n"
        faults["the answer to" in hear(chair, transport, said, dice)] += 1
    # What the changes left whole is the greater danger: there must be some of it.
    assert faults[True] > FRAMES // 100
    assert faults[False] > FRAMES // 2


@each_wire
def test_no_part_of_the_right_answer_is_taken_and_nothing_behind_it(wire: str) -> None:
    source, right, bits = WIRES[wire]
    dice = random.Random(8)
    transport = Fuzzed(source)
    chair = RemoteChair(transport, Limits())
    for _ in range(1000):
        chair.due = dice.randrange(1, MAX_ID)
        whole = right(dice, chair.due)
        for end in range(len(whole)):
            detail = hear(chair, transport, whole[:end], dice)
            assert detail == "expected an answer, got a closed pipe"
        transport.parts = [whole + dice.choice(bits)]
        transport.streams.received = b""
        with pytest.raises(ChairFault) as fault:
            chair._receive(Choice)
        assert fault.value.kind == "protocol"
        assert "got more" in fault.value.detail


@each_wire
def test_what_is_right_is_taken_however_it_comes(wire: str) -> None:
    source, right, _ = WIRES[wire]
    dice = random.Random(7)
    transport = Fuzzed(source)
    chair = RemoteChair(transport, Limits())
    for _ in range(1000):
        due = dice.randrange(1, MAX_ID)
        transport.parts = cut(dice, right(dice, due))
        chair.meter.begin(100.0)
        assert chair._message().id == due
