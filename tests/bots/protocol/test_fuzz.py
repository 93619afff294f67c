"""The decoder of what bots say, against a hundred thousand lines of nonsense."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from bots.chairs.base import ChairFault
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.transport import Streams
from bots.protocol.messages import MAX_ID, Choice, Failure, Ready, decode_from_bot, encode

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


def right(dice: random.Random, id: int) -> bytes:
    """A line as it should be."""
    kinds = (
        Choice(id, dice.randrange(-5, 10**6)),
        Choice(id, "take left"),
        Ready(id, True, "state"),
        Failure(id, "no"),
    )
    return encode(dice.choice(kinds))


def nonsense(dice: random.Random, id: int) -> bytes:
    """Bytes, bits of messages, or a message of the wrong id, with something changed in it."""
    kind = dice.randrange(3)
    if kind == 0:
        return dice.randbytes(dice.randrange(60))
    if kind == 1:
        return b"".join(dice.choices(BITS, k=dice.randrange(20)))
    line = bytearray(right(dice, id))
    for _ in range(dice.randrange(1, 5)):
        at = dice.randrange(len(line))
        change = dice.randrange(4)
        if change == 0:
            line[at] = dice.randrange(256)
        elif change == 1:
            del line[at : at + dice.randrange(1, 8)]
        elif change == 2:
            line[at:at] = dice.choice(BITS)
        else:
            line[at:at] = line[at : at + dice.randrange(1, 30)]
        if not line:
            break
    return bytes(line)


class Fuzzed:
    """A transport without a bot, that has received one line."""

    has_memory_limit = False

    def __init__(self) -> None:
        self.streams = Streams(-1, -1, -1)

    def pause(self) -> None:
        pass

    def kill(self) -> None:
        pass


def test_nothing_escapes_and_nothing_is_taken_without_the_right_id() -> None:
    dice = random.Random(7)
    transport = Fuzzed()
    chair = RemoteChair(transport, Limits())  # type: ignore[arg-type]
    faults: Counter[bool] = Counter()
    for _ in range(FRAMES):
        chair.due = dice.randrange(1, MAX_ID)
        line = nonsense(dice, dice.randrange(1, MAX_ID))
        transport.streams.received = line.removesuffix(b"\n") + b"\n"
        receive: Callable[[], object] = dice.choice(
            (partial(chair._receive, Choice), partial(chair._receive, Ready))
        )
        with pytest.raises(ChairFault) as fault:
            receive()
        assert fault.value.kind == "protocol"
        faults["the answer to" in fault.value.detail] += 1
    # What the changes left whole is the greater danger: there must be some of it.
    assert faults[True] > FRAMES // 100
    assert faults[False] > FRAMES // 2


def test_what_is_right_is_taken() -> None:
    dice = random.Random(7)
    for _ in range(1000):
        due = dice.randrange(1, MAX_ID)
        assert decode_from_bot(right(dice, due)).id == due
