"""The wire: what both sides say, letter by letter, and what is refused."""

import msgspec
import pytest

from bots.protocol.messages import (
    Bye,
    Choice,
    Decide,
    Failure,
    Finish,
    Hello,
    Message,
    Observe,
    Ready,
    Start,
    decode_from_bot,
    encode,
)

TO_BOT = [
    (Hello(5, 1), b'{"type":"hello","id":5,"protocol":1}'),
    (
        Start(6, "architects", None, ["medals"], True, 2, ["giza", "rome"], 1, 2**62),
        (
            b'{"type":"start","id":6,"game":"architects","edition":null,"expansions":["medals"],'
            b'"expert":true,"players":2,"wonders":["giza","rome"],"seat":1,"seed":4611686018427387904}'
        ),
    ),
    (
        Decide(7, "take", ["take left", "take centre"], 9.5, msgspec.Raw(b'{"format":"x"}')),
        (
            b'{"type":"decide","id":7,"prompt":"take","options":["take left","take centre"],'
            b'"seconds_left":9.5,"view":{"format":"x"}}'
        ),
    ),
    (Observe(msgspec.Raw(b"[1,2]")), b'{"type":"observe","view":[1,2]}'),
    (Finish(8, [30, 41], [1, 0]), b'{"type":"finish","id":8,"scores":[30,41],"ranks":[1,0]}'),
    (Bye(), b'{"type":"bye"}'),
]
FROM_BOT = [
    (Ready(2**53 - 1), b'{"type":"ready","id":9007199254740991,"observe":false,"view":"facts"}'),
    (Ready(6, True, "state"), b'{"type":"ready","id":6,"observe":true,"view":"state"}'),
    (Choice(7, 0), b'{"type":"choice","id":7,"option":0}'),
    (Choice(7, "take left"), b'{"type":"choice","id":7,"option":"take left"}'),
    (Failure(7, "\x1b\n\u009b"), b'{"type":"failure","id":7,"error":"\\u001b\\n\xc2\x9b"}'),
]
REFUSED = [
    b"",
    b"ready",
    b"null",
    b"{}",
    b"[]",
    b'{"type":null}',
    b'{"type":1}',
    b'{"type":"Ready"}',
    b'{"type":"hello","id":1,"protocol":1}',
    b'{"type":"ready"}',
    b'{"type":"ready","id":"1"}',
    b'{"type":"ready","id":1,"observe":1}',
    b'{"type":"ready","id":1,"name":"mine"}',
    b'{"type":"ready","id":1,"view":"all"}',
    b'{"type":"choice","id":1}',
    b'{"type":"choice","option":1}',
    b'{"type":"choice","id":1.5,"option":1}',
    b'{"type":"choice","id":null,"option":1}',
    b'{"type":"choice","id":1,"option":1.0}',
    b'{"type":"choice","id":1,"option":true}',
    b'{"type":"choice","id":1,"option":null}',
    b'{"type":"choice","id":1,"option":NaN}',
    b'{"type":"choice","id":1,"option":-Infinity}',
    b'{"type":"choice","id":1,"option":1e999}',
    b'{"type":"choice","id":1,"option":0,"remark":""}',
    b'{"type":"choice","id":1,"option":0}{"type":"ready"}',
    b'{"type":"choice","id":1,"option":"\xff"}',
    b'{"type":"choice","id":1,"option":"\\ud800"}',
    b'{"type":"failure","id":1,"error":["x"]}',
    b'{"type":"failure","error":"x"}',
    b'{"type":"failure","id":1}',
    b"[" * 100_000,
    b'{"type":' * 100_000,
]


@pytest.mark.parametrize(("message", "line"), TO_BOT + FROM_BOT)
def test_a_message_is_one_line(message: Message, line: bytes) -> None:
    assert encode(message) == line + b"\n"


@pytest.mark.parametrize(("message", "line"), FROM_BOT)
def test_the_arena_understands_the_bot(message: Message, line: bytes) -> None:
    assert decode_from_bot(line) == message
    assert decode_from_bot(b"  " + line + b" \r\n") == message


@pytest.mark.parametrize("line", REFUSED, ids=lambda line: repr(line[:50]))
def test_the_arena_refuses_what_is_no_message(line: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError, RecursionError)):
        decode_from_bot(line)


def test_every_message_is_shown_here() -> None:
    assert {type(message) for message, _ in TO_BOT + FROM_BOT} == set(Message.__subclasses__())
