"""The messages between the arena and a program: one JSON object a line, for every language."""

from typing import Final, Literal

import msgspec

PROTOCOL: Final = 1
MAX_ID: Final = 2**53 - 1  # exact in every language
# What decoding a reply may raise where it is no message.
NO_MESSAGE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Message(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag=str.lower):
    """Any message; its type is its name in lower case."""


class Hello(Message, frozen=True, gc=False):
    """To the bot, first of all."""

    id: int
    protocol: int


class Start(Message, frozen=True, gc=False):
    """To the bot: a match begins, you sit here; the seed is for your own dice."""

    id: int
    game: str
    edition: str | None
    expansions: list[str]
    expert: bool
    players: int
    wonders: list[str]
    seat: int
    seed: int


class Decide(Message, frozen=True, gc=False):
    """To the bot: answer with one of the options; the view is all you know."""

    id: int
    prompt: str
    options: list[str]
    seconds_left: float
    view: msgspec.Raw


class Observe(Message, frozen=True, gc=False):
    """To a bot that asked for it: what you know after others have played."""

    view: msgspec.Raw


class Finish(Message, frozen=True, gc=False):
    """To the bot: the match is over."""

    id: int
    scores: list[int]
    ranks: list[int]


class Bye(Message, frozen=True, gc=False):
    """To the bot: there is nothing more, go."""


class Ready(Message, frozen=True, gc=False, forbid_unknown_fields=True):
    """From the bot, in answer to hello, start and finish.

    In answer to start it says whether it wants to observe, and how views are to be written: as
    facts for programs in any language, or as a state for those that use this library.
    """

    id: int
    observe: bool = False
    view: Literal["facts", "state"] = "facts"


class Choice(Message, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """From the bot: the number of the option it takes, counted from 0, or its text."""

    id: int
    option: int | str
    note: str = ""  # for its author, beside the decision


class Failure(Message, frozen=True, gc=False, forbid_unknown_fields=True):
    """From the bot: it could not answer."""

    id: int
    error: str


FromBot = Ready | Choice | Failure
REPLIES: Final = " or ".join(
    f"{kind.__name__.lower()} with {', '.join(kind.__struct_fields__)}"
    for kind in (Ready, Choice, Failure)
)

_encoder: Final = msgspec.json.Encoder()
_from_bot: Final[msgspec.json.Decoder[FromBot]] = msgspec.json.Decoder(FromBot)


def encode(message: Message) -> bytes:
    """A message as a line."""
    return _encoder.encode(message) + b"\n"


def decode_from_bot(line: bytes) -> FromBot:
    """What the bot said; one of NO_MESSAGE is raised where it is no message."""
    return _from_bot.decode(line)
