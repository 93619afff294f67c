"""A bot's own process: load one bot, and answer what the arena asks in packets."""

import _random
import os
import random
import sys
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Final

from bots.api import Bot, Maker, Outcome, Seating
from bots.decision import ask_packed, check_answer, clean_text, find_action, notes_of
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.manifest import Manifest, Source
from bots.protocol import packets
from bots.protocol.notes import write_note
from bots.protocol.tracebacks import format_bot_traceback
from engine.catalog import find
from engine.contract import Game

_dice: Final[Any] = random.seed.__self__  # type: ignore[attr-defined]
_seed: Final[Any] = _random.Random.seed
PART: Final = 8_192  # bytes read at once: most questions have fewer, and more come in parts


class Host:
    """Holds the one bot of this process."""

    def __init__(self, manifest: Manifest, params: dict[str, str]) -> None:
        self.manifest = manifest
        self.params = params
        self.compiled = b""  # its sources, where someone compiled them
        self.make: Maker | None = None
        self.bot: Any = Bot()  # which may return anything, and is checked where that matters
        self.game: Game | None = None
        self.seat = 0
        self.replies = -1
        self.asked = 0  # questions of this match
        self.due = 0  # the id of the question that was asked last
        self.failed = b""  # why it cannot answer any more

    def serve(self, requests: int, replies: int) -> None:
        """Answer over these descriptors, until the arena says bye or is gone."""
        self.replies = replies
        received = b""
        while part := os.read(requests, PART):
            received += part
            size = packets.packet_size(received)
            while size and len(received) >= size:
                packet, received = received[:size], received[size:]
                if not self.handle(packet):
                    return
                size = packets.packet_size(received)

    def handle(self, packet: bytes) -> bool:
        """Act on one packet; whether there is more to come."""
        kind = packets.kind_of(packet)
        if kind == packets.BYE:
            return False
        if kind == packets.PARAMS:
            self.params = packets.read_params(packet)
            return True
        if kind != packets.OBSERVE:
            self.due = packets.id_of(packet)
        if not self.failed:
            try:
                self.answer(kind, packet)
            except BaseException as problem:  # a bot may raise anything; all of it is reported
                self.failed = failure(format_bot_traceback(problem))
        if self.failed and kind != packets.OBSERVE:  # which nobody waits to be answered
            self.send(packets.FAILURE, 0, self.failed)
        return True

    def answer(self, kind: int, packet: bytes) -> None:
        if kind == packets.DECIDE:
            self.decide(packet)
        elif kind == packets.OBSERVE:
            assert self.game is not None
            self.bot.observe(self.game.unpack(packet[packets.AT_VIEW :]))
        elif kind == packets.START:
            self.start(packet)
        elif kind == packets.FINISH:
            scores, ranks = packets.read_finish(packet)
            if hasattr(self.bot, "finish"):
                self.bot.finish(Outcome(scores, ranks))
            self.send(packets.READY, 0)

    def start(self, packet: bytes) -> None:
        setup, self.seat, seed = packets.read_start(packet)
        if self.make is None:
            seed_dice(seed)  # which it may throw while it is loaded
            self.make = find_maker(self.manifest, self.compiled)
        seed_dice(seed)
        self.bot = make_bot(self.manifest.name, self.make, self.params)
        self.game = find(setup.variant.game)
        self.asked = 0
        if hasattr(self.bot, "start"):
            self.bot.start(Seating(self.game, setup, self.seat, seed))
        watches = getattr(type(self.bot), "observe", Bot.observe) is not Bot.observe
        self.send(packets.READY, int(watches))

    def decide(self, packet: bytes) -> None:
        game = self.game
        assert game is not None
        prompt, seconds, actions, view = packets.read_decide(packet)
        unpack = partial(game.unpack, view)
        asked = ask_packed(game, self.seat, game.prompts[prompt], actions, unpack, seconds)
        question = self.asked
        self.asked += 1
        answer = check_answer(self.bot.decide(asked))
        for text in notes_of(asked):
            os.write(2, f"{write_note(question, text)}\n".encode("utf-8", "replace"))
        action = find_action(asked, answer)
        if action is None:
            self.send(packets.ANSWER, 0, clean_text(str(answer)).encode())
        else:
            self.send(packets.CHOICE, actions.index(action))

    def send(self, kind: int, number: int, text: bytes = b"") -> None:
        rest = packets.pack_reply(kind, self.due, number, text)
        while rest:
            rest = rest[os.write(self.replies, rest) :]


def seed_dice(seed: int) -> None:
    """Seed the dice that all of a process share: Python's, and numpy's where it is loaded."""
    # As random.seed does for a number, without its way there: a worker copies what it touches.
    _seed(_dice, seed)
    _dice.gauss_next = None
    if "numpy" in sys.modules:
        with suppress(ImportError, AttributeError):  # the bot's own module of that name
            # By name: the compiler knows only what the build requires.
            import_module("numpy.random").seed(seed & 0xFFFFFFFF)


def failure(text: str) -> bytes:
    """The end of a traceback, as much of it as a reply may hold, whatever is in it."""
    end = text[-8000:].encode("utf-8", "replace")[packets.REPLY - packets.MAX_BYTES :]
    return end.decode("utf-8", "ignore").encode() or b"an exception without a word"


def open_host(order: dict[str, Any]) -> Host:
    """The host of the bot whose manifest and parameters the order has."""
    facts = order["manifest"]
    manifest = Manifest(**facts | {"source": Source(facts["source"])})
    return Host(manifest, order["params"])


def main() -> None:
    """Serve the bot over stdin and stdout."""
    import json

    order = json.loads(sys.argv[1])
    requests, replies = os.dup(0), os.dup(1)
    # What the bot prints goes to stderr; the protocol's own pipes are out of its way.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    open_host(order).serve(requests, replies)
