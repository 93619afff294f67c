"""A bot's own process: load one bot, and answer what the arena asks, over stdin and stdout."""

import json
import os
import random
import sys
from io import BytesIO
from typing import BinaryIO

import msgspec

from bots.api import Bot, Decision, Maker, Option, Outcome, Seating
from bots.discovery.loader import answer_of, find_maker, make_bot
from bots.discovery.manifest import Manifest
from bots.protocol.messages import (
    MAX_BYTES,
    MAX_ID,
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
    decode_for_bot,
    encode,
)
from bots.protocol.tracebacks import format_bot_traceback
from engine.catalog import find
from engine.contract import Game
from engine.match import Setup, Variant


class Host:
    """Holds the one bot of this process."""

    def __init__(self, manifest: Manifest, params: dict[str, str]) -> None:
        self.manifest = manifest
        self.params = params
        self.replies: BinaryIO = BytesIO()
        self.make: Maker | None = None
        self.bot = Bot()
        self.failed = ""
        self.game: Game | None = None
        self.seat = 0

    def serve(self, requests: int, replies: int) -> None:
        """Answer over these descriptors, until the arena says bye or is gone."""
        with os.fdopen(requests, "rb") as lines, os.fdopen(replies, "wb") as self.replies:
            for line in lines:
                if not self.handle(line):
                    return

    def send(self, message: Message) -> None:
        self.replies.write(encode(message))
        self.replies.flush()

    def handle(self, line: bytes) -> bool:
        """Act on one message; whether there is more to come."""
        message = decode_for_bot(line)
        if isinstance(message, Bye):
            return False
        if not self.failed:
            try:
                self.answer(message)
            except BaseException as problem:  # a bot may raise anything; all of it is reported
                self.failed = failure(format_bot_traceback(problem))
        if self.failed and not isinstance(message, Observe):  # which nobody waits to be answered
            self.send(Failure(message.id, self.failed))
        return True

    def answer(self, message: object) -> None:
        if isinstance(message, Hello):
            self.make = find_maker(self.manifest)
            self.send(Ready(message.id))
        elif isinstance(message, Start):
            self.start(message)
        elif isinstance(message, Decide):
            self.send(Choice(message.id, self.decide(message)))
        elif isinstance(message, Observe):
            assert self.game is not None
            self.bot.observe(self.game.load(bytes(message.view).decode()))
        elif isinstance(message, Finish):
            if hasattr(self.bot, "finish"):
                self.bot.finish(Outcome(message.scores, message.ranks))
            self.send(Ready(message.id))

    def start(self, message: Start) -> None:
        assert self.make is not None
        random.seed(message.seed)
        self.bot = make_bot(self.manifest.name, self.make, self.params)
        self.game = find(message.game)
        self.seat = message.seat
        variant = Variant(message.game, message.edition, tuple(message.expansions), message.expert)
        setup = Setup(variant, message.players, tuple(message.wonders))
        if hasattr(self.bot, "start"):
            self.bot.start(Seating(self.game, setup, message.seat, message.seed))
        watches = getattr(type(self.bot), "observe", Bot.observe) is not Bot.observe
        self.send(Ready(message.id, observe=watches, view="state"))

    def decide(self, message: Decide) -> str:
        assert self.game is not None
        options = tuple(Option(text, self.game.parse(text)) for text in message.options)
        view = self.game.load(bytes(message.view).decode())
        asked = Decision(self.game, self.seat, message.prompt, options, view, message.seconds_left)
        return answer_of(self.bot, asked)


def failure(text: str) -> str:
    """The end of a traceback, as much of it as a message may hold, whatever is in it."""
    text = text[-8000:].encode("utf-8", "replace").decode()
    while len(encode(Failure(MAX_ID, text))) > MAX_BYTES:
        text = text[len(text) // 4 :]
    return text or "an exception without a word"


def main() -> None:
    """Serve the bot over stdin and stdout."""
    order = json.loads(sys.argv[1])
    requests, replies = os.dup(0), os.dup(1)
    # What the bot prints goes to stderr; the protocol's own pipes are out of its way.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    Host(msgspec.convert(order["manifest"], Manifest), order["params"]).serve(requests, replies)
