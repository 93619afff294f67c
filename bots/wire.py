"""The messages between the arena and a bot: one JSON object a line, for every language."""

from typing import Final, Literal

import msgspec

PROTOCOL: Final = 1
MOST_BYTES: Final = 16_384  # of a reply


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """Any message; its type is its name in lower case."""


class Hello(Message, frozen=True):
    """To the bot, first of all."""

    protocol: int


class Start(Message, frozen=True):
    """To the bot: a match begins, you sit here; the seed is for your own dice."""

    game: str
    edition: str | None
    expansions: list[str]
    expert: bool
    players: int
    wonders: list[str]
    seat: int
    seed: int


class Decide(Message, frozen=True):
    """To the bot: answer with one of the options; the view is all you know."""

    id: int
    prompt: str
    options: list[str]
    seconds_left: float
    view: msgspec.Raw


class Observe(Message, frozen=True):
    """To a bot that asked for it: what you know after others have played."""

    view: msgspec.Raw


class Finish(Message, frozen=True):
    """To the bot: the match is over."""

    scores: list[int]
    ranks: list[int]


class Bye(Message, frozen=True):
    """To the bot: there is nothing more, go."""


class Ready(Message, frozen=True, forbid_unknown_fields=True):
    """From the bot, in answer to hello, start and finish.

    In answer to start it says whether it wants to observe, and how views are to be written: as
    facts for programs in any language, or as a state for those that use this library.
    """

    observe: bool = False
    view: Literal["facts", "state"] = "facts"


class Choice(Message, frozen=True, forbid_unknown_fields=True):
    """From the bot: the number of the option it takes, counted from 0, or its text."""

    id: int
    option: int | str


class Failure(Message, frozen=True, forbid_unknown_fields=True):
    """From the bot: it could not answer."""

    error: str


ToBot = Hello | Start | Decide | Observe | Finish | Bye
FromBot = Ready | Choice | Failure

_encoder: Final = msgspec.json.Encoder()
_to_bot: Final[msgspec.json.Decoder[ToBot]] = msgspec.json.Decoder(ToBot)
_from_bot: Final[msgspec.json.Decoder[FromBot]] = msgspec.json.Decoder(FromBot)


def encode(message: Message) -> bytes:
    """A message as a line."""
    return _encoder.encode(message) + b"\n"


def decode_for_bot(line: bytes) -> ToBot:
    """What the arena said."""
    return _to_bot.decode(line)


def decode_from_bot(line: bytes) -> FromBot:
    """What the bot said; msgspec.DecodeError or ValidationError where it is no message."""
    return _from_bot.decode(line)
