"""The packets of Python bots: what one side writes the other reads, and what is no reply."""

import random
import struct

import pytest

from bots.api import Outcome, Seating
from bots.chairs.codec import PacketCodec, ReplyError
from bots.decision import ask_position
from bots.protocol import packets
from bots.protocol.host import failure
from bots.protocol.messages import Choice, Failure, FromBot, Ready
from engine.catalog import GAMES, find
from engine.contract import Game
from engine.match import Setup, Variant
from tests.support.setups import ROWS, Row, states

CODEC = PacketCodec()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_host_learns_how_the_table_is_set_up(row: Row) -> None:
    setup = row.spec(3).setup
    for seed in (1, 2**62, 2**63 - 1):
        packet = CODEC.start(7, Seating(row.rules, setup, row.players - 1, seed))
        assert packets.kind_of(packet) == packets.START
        assert packets.id_of(packet) == 7
        assert packets.read_start(packet) == (setup, row.players - 1, seed)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_host_is_asked_what_the_table_asks(game: Game) -> None:
    row = next(row for row in ROWS if row.game == game.id)
    for number, state in enumerate(states(row, 5)):
        for seat in state.pending():
            decision = ask_position(game, state, seat, state.legal(seat), number / 7)
            packet = CODEC.decide(2**53 - 1, decision)
            prompt, seconds, actions, view = packets.read_decide(packet)
            assert packets.kind_of(packet) == packets.DECIDE
            assert packets.id_of(packet) == 2**53 - 1
            assert game.prompts[prompt] == decision.prompt
            assert (seconds, actions) == (number / 7, state.legal(seat))
            assert game.unpack(view).dump() == state.view(seat).dump()
            observed = CODEC.observe(state.view(seat))
            assert packets.kind_of(observed) == packets.OBSERVE
            assert observed[packets.AT_VIEW :] == view


@pytest.mark.parametrize("params", [{}, {"depth": "3"}, {"a": "", "b": "x=\n,é"}])
def test_the_host_learns_other_parameters(params: dict[str, str]) -> None:
    packet = packets.pack_params(params)
    assert packets.kind_of(packet) == packets.PARAMS
    assert packets.packet_size(packet) == len(packet)
    assert packets.read_params(packet) == params


def test_the_host_hears_the_end() -> None:
    packet = CODEC.finish(9, Outcome([-3, 41, 2**20], [2, 1, 0]))
    assert (packets.kind_of(packet), packets.id_of(packet)) == (packets.FINISH, 9)
    assert packets.read_finish(packet) == ([-3, 41, 2**20], [2, 1, 0])
    assert packets.kind_of(CODEC.bye()) == packets.BYE


def test_every_packet_says_how_long_it_is() -> None:
    game = find("architects")
    setup = Setup(Variant("architects"), 2, ("giza", "rome"))
    state = game.deal(setup, 1)
    for packet in (
        CODEC.start(1, Seating(game, setup, 0, 1)),
        CODEC.decide(1, ask_position(game, state, 0, state.legal(0), 1.0)),
        CODEC.observe(state.view(0)),
        CODEC.finish(1, Outcome([1, 2], [1, 0])),
        CODEC.bye(),
        packets.pack_reply(packets.FAILURE, 1, 0, b"text"),
    ):
        assert packets.packet_size(packet) == len(packet)
        assert packets.packet_size(packet + b"more") == len(packet)
        assert packets.packet_size(packet[:3]) == 0


REPLIES = [
    ((packets.READY, 5, 0, b""), Ready(5, False, "state")),
    ((packets.READY, 5, 1, b""), Ready(5, True, "state")),
    ((packets.CHOICE, 2**53 - 1, 12, b""), Choice(2**53 - 1, 12)),
    ((packets.CHOICE, 1, -(2**63), b""), Choice(1, -(2**63))),
    ((packets.ANSWER, 1, 0, "take ■".encode()), Choice(1, "take ■")),
    ((packets.FAILURE, 1, 0, b"why\n"), Failure(1, "why\n")),
]


@pytest.mark.parametrize(("said", "message"), REPLIES)
def test_the_arena_understands_the_host(
    said: tuple[int, int, int, bytes], message: FromBot
) -> None:
    packet = packets.pack_reply(*said)
    assert CODEC.is_whole(packet)
    assert CODEC.split(packet + b"more") == (packet, b"more")
    assert CODEC.decode(packet) == message
    for end in range(len(packet)):
        assert not CODEC.is_whole(packet[:end])


def framed(rest: bytes) -> bytes:
    return struct.pack("<I", len(rest)) + rest


REFUSED = [
    b"",
    b"\n",
    framed(b""),
    framed(b"\2"),
    framed(struct.pack("<BQi", packets.CHOICE, 1, 0)),
    framed(struct.pack("<BQqB", packets.CHOICE, 1, 0, 0)),
    framed(struct.pack("<BQqB", packets.READY, 1, 0, 0)),
    framed(struct.pack("<BQq", 0, 1, 0)),
    framed(struct.pack("<BQq", 5, 1, 0)),
    framed(struct.pack("<BQq", 255, 1, 0)),
    framed(struct.pack("<BQq", packets.ANSWER, 1, 0) + b"\xff"),
    framed(struct.pack("<BQq", packets.FAILURE, 1, 0) + b"\xed\xa0\x80"),
    struct.pack("<IBQq", 16, packets.CHOICE, 1, 0),
    struct.pack("<IBQq", 18, packets.CHOICE, 1, 0),
    struct.pack("<iBQq", -1, packets.CHOICE, 1, 0),
    struct.pack("<iBQq", -(2**31), packets.CHOICE, 1, 0),
    struct.pack("<IBQq", 2**31 - 1, packets.CHOICE, 1, 0),
    b'{"type":"choice","id":1,"option":0}\n',
]


@pytest.mark.parametrize("reply", REFUSED, ids=lambda reply: repr(reply[:50]))
def test_the_arena_refuses_what_is_no_reply(reply: bytes) -> None:
    with pytest.raises(ReplyError, match="expected"):
        CODEC.decode(reply)


@pytest.mark.parametrize("size", [-(2**31), -5, -4, 0, 1, 16, 16_381, 2**31 - 1])
def test_what_can_become_no_reply_is_not_waited_for(size: int) -> None:
    received = struct.pack("<i", size) + b"\2"
    reply, rest = received, b""
    while not CODEC.is_whole(received):
        received += b"\0"
        assert len(received) <= packets.LENGTH + max(size, 1)
    reply, rest = CODEC.split(received)
    assert (reply, rest) == (received, b"")
    with pytest.raises(ReplyError):
        CODEC.decode(reply)


def test_a_failure_fits_a_reply_whatever_is_in_it() -> None:
    dice = random.Random(3)
    texts = ["", "short", "\U0001f600" * 9000, "é" * 9000, "\ud800" * 9000, "x" * 100_000]
    texts += ["".join(dice.choices("xé■\U0001f600", k=9000)) for _ in range(50)]
    for text in texts:
        packet = packets.pack_reply(packets.FAILURE, 2**53 - 1, 0, failure(text))
        assert len(packet) <= packets.MAX_BYTES
        message = CODEC.decode(packet)
        assert isinstance(message, Failure)
        assert message.error
