"""How questions are written for a bot, and its replies read: lines of JSON, or packets."""

from __future__ import annotations

import msgspec

from bots.api import Outcome, Seating
from bots.decision import Decision, actions_of
from bots.protocol import packets
from bots.protocol.messages import (
    NO_MESSAGE,
    PROTOCOL,
    REPLIES,
    Bye,
    Choice,
    Decide,
    Failure,
    Finish,
    FromBot,
    Hello,
    Observe,
    Ready,
    Start,
    decode_from_bot,
    encode,
)
from engine.catalog import game_of
from engine.contract import State


class ReplyError(Exception):
    """What came from the bot is no reply."""


class Codec:
    """One way to write; an id is repeated in the reply."""

    greets = False  # whether the bot is told hello before its first match
    holds = False  # whether what is observed can wait for the next question
    as_state = True  # whether views are written as states, and not as facts

    def hello(self, id: int) -> bytes:
        raise NotImplementedError

    def start(self, id: int, seating: Seating) -> bytes:
        raise NotImplementedError

    def decide(self, id: int, decision: Decision) -> bytes:
        raise NotImplementedError

    def observe(self, view: State) -> bytes:
        raise NotImplementedError

    def finish(self, id: int, outcome: Outcome) -> bytes:
        raise NotImplementedError

    def bye(self) -> bytes:
        raise NotImplementedError

    def is_whole(self, received: bytes) -> bool:
        """Whether a reply was received to its end, or what cannot become one."""
        raise NotImplementedError

    def split(self, received: bytes) -> tuple[bytes, bytes]:
        """The first reply of what is whole, and what came behind it."""
        raise NotImplementedError

    def decode(self, reply: bytes) -> FromBot:
        """What the bot says; ReplyError if it is no reply."""
        raise NotImplementedError


class JsonCodec(Codec):
    """One JSON object a line: for programs in any language."""

    greets = True

    def hello(self, id: int) -> bytes:
        return encode(Hello(id, PROTOCOL))

    def start(self, id: int, seating: Seating) -> bytes:
        setup = seating.setup
        variant = setup.variant
        return encode(
            Start(
                id,
                seating.game.id,
                variant.edition,
                list(variant.expansions),
                variant.expert,
                setup.players,
                list(setup.wonders),
                seating.seat,
                seating.seed,
            )
        )

    def decide(self, id: int, decision: Decision) -> bytes:
        texts = [option.text for option in decision.options]
        view = self._written(decision.view)
        return encode(Decide(id, decision.prompt, texts, decision.seconds_left, view))

    def observe(self, view: State) -> bytes:
        return encode(Observe(self._written(view)))

    def finish(self, id: int, outcome: Outcome) -> bytes:
        return encode(Finish(id, outcome.scores, outcome.ranks))

    def bye(self) -> bytes:
        return encode(Bye())

    def is_whole(self, received: bytes) -> bool:
        return b"\n" in received

    def split(self, received: bytes) -> tuple[bytes, bytes]:
        line, _, rest = received.partition(b"\n")
        return line, rest

    def decode(self, reply: bytes) -> FromBot:
        try:
            return decode_from_bot(reply)
        except NO_MESSAGE as problem:
            said = reply[:80].decode("utf-8", "replace")
            if said.lstrip().startswith("{"):
                raise ReplyError(f"expected {REPLIES}, got {said!r}: {problem}") from None
            what = "a message alone on stdout (print what is for you to stderr)"
            raise ReplyError(f"expected {what}, got {said!r}: {problem}") from None

    def _written(self, view: State) -> msgspec.Raw:
        if self.as_state:
            return msgspec.Raw(view.dump().encode())
        return msgspec.Raw(msgspec.json.encode(game_of(view).facts(view)))


class PacketCodec(Codec):
    """Packets: for bots in Python, whose process runs this library."""

    holds = True

    def start(self, id: int, seating: Seating) -> bytes:
        return packets.pack_start(id, seating.setup, seating.seat, seating.seed)

    def decide(self, id: int, decision: Decision) -> bytes:
        prompt = decision.game.prompts.index(decision.prompt)
        actions = actions_of(decision)
        return packets.pack_decide(id, prompt, decision.seconds_left, actions, decision.view.pack())

    def observe(self, view: State) -> bytes:
        return packets.pack_observe(view.pack())

    def finish(self, id: int, outcome: Outcome) -> bytes:
        return packets.pack_finish(id, outcome.scores, outcome.ranks)

    def bye(self) -> bytes:
        return packets.pack_bye()

    def is_whole(self, received: bytes) -> bool:
        if len(received) < packets.LENGTH:
            return False
        size = packets.packet_size(received)
        return len(received) >= size or size > packets.MAX_BYTES

    def split(self, received: bytes) -> tuple[bytes, bytes]:
        size = packets.packet_size(received)
        if size < packets.REPLY or size > packets.MAX_BYTES:
            return received, b""
        return received[:size], received[size:]

    def decode(self, reply: bytes) -> FromBot:
        if packets.packet_size(reply) != len(reply) or len(reply) < packets.REPLY:
            raise ReplyError(
                f"expected a packet of {packets.REPLY} to {packets.MAX_BYTES} bytes, got "
                f"{reply[:80]!r}"
            )
        kind = packets.kind_of(reply)
        id = packets.id_of(reply)
        if kind == packets.CHOICE and len(reply) == packets.REPLY:
            return Choice(id, packets.number_of(reply))
        if kind == packets.READY and len(reply) == packets.REPLY:
            return Ready(id, packets.number_of(reply) != 0, "state")
        if kind == packets.ANSWER:
            return Choice(id, _text(reply))
        if kind == packets.FAILURE:
            return Failure(id, _text(reply))
        raise ReplyError(f"expected a packet of a reply, got {reply[:80]!r}")


def _text(reply: bytes) -> str:
    try:
        return reply[packets.REPLY :].decode()
    except UnicodeDecodeError as problem:
        raise ReplyError(f"expected text in UTF-8, got {reply[:80]!r}: {problem}") from None
