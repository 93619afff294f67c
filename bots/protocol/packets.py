"""The packets between the arena and the host of a Python bot: numbers at fixed places.

A packet is the number of bytes that follow, in four bytes, then its kind, then what the kind has.
The host trusts the arena; nothing the arena reads here is more than numbers and text.
"""

from typing import Final

from librt.strings import (
    BytesWriter,
    read_f64_le,
    read_i16_le,
    read_i32_le,
    read_i64_le,
    write_f64_le,
    write_i16_le,
    write_i32_le,
    write_i64_le,
)
from mypy_extensions import i16, i32, i64, u8

from engine.match import Setup, Variant

MAX_BYTES: Final = 16_384  # of a reply, whatever it is written in

# To the bot; those but the last two have an id, or a view, next.
START: Final = 1
DECIDE: Final = 2
OBSERVE: Final = 3
FINISH: Final = 4
BYE: Final = 5
PARAMS: Final = 6  # without an id: it is not answered
# From the bot; each has an id and a number, the last two a text behind them.
READY: Final = 1  # number: whether it observes
CHOICE: Final = 2  # number: of the option
ANSWER: Final = 3  # text: what is none of the options
FAILURE: Final = 4  # text: why there is no answer

LENGTH: Final = 4  # bytes of it
AT_KIND: Final = 4
AT_ID: Final = 5
AT_VIEW: Final = 5  # in OBSERVE
AT_NUMBER: Final = 13  # of a reply
REPLY: Final = 21  # bytes of a reply without text


def packet_size(received: bytes) -> int:
    """How long the packet is that begins here, its length included; 0 while that is not known."""
    return LENGTH + int(read_i32_le(received, 0)) if len(received) >= LENGTH else 0


def kind_of(packet: bytes) -> int:
    """What sort of packet it is."""
    return packet[AT_KIND]


def id_of(packet: bytes) -> int:
    """The id of a question or of a reply."""
    return read_i64_le(packet, AT_ID)


def _begin(kind: int, rest: i64) -> BytesWriter:
    """A packet of this kind with so many bytes to follow."""
    out = BytesWriter()
    write_i32_le(out, i32(1 + rest))
    out.append(u8(kind))
    return out


def pack_start(id: int, setup: Setup, seat: int, seed: int) -> bytes:
    """A match begins."""
    variant = setup.variant
    words = (variant.game, variant.edition or "", ",".join(variant.expansions), *setup.wonders)
    text = "\n".join(words).encode()
    out = _begin(START, 19 + len(text))
    write_i64_le(out, i64(id))
    write_i64_le(out, i64(seed))
    out.append(u8(setup.players))
    out.append(u8(seat))
    out.append(u8(variant.expert))
    out.write(text)
    return out.getvalue()


def read_start(packet: bytes) -> tuple[Setup, int, int]:
    """How the table is set up, the bot's seat, and the seed of its dice."""
    seed = int(read_i64_le(packet, 13))
    game, edition, expansions, *wonders = packet[24:].decode().split("\n")
    added = tuple(expansions.split(",")) if expansions else ()
    variant = Variant(game, edition or None, added, packet[23] != 0)
    return Setup(variant, packet[21], tuple(wonders)), packet[22], seed


def pack_decide(id: int, prompt: int, seconds: float, actions: list[int], view: bytes) -> bytes:
    """A question: which of the game's prompts, the time for it, what may be answered, the view."""
    count = len(actions)
    out = _begin(DECIDE, 19 + 4 * count + len(view))
    write_i64_le(out, i64(id))
    write_f64_le(out, seconds)
    out.append(u8(prompt))
    write_i16_le(out, i16(count))
    for action in actions:
        write_i32_le(out, i32(action))
    out.write(view)
    return out.getvalue()


def read_decide(packet: bytes) -> tuple[int, float, list[int], bytes]:
    """The number of the prompt, the seconds left, the actions, and the packed view."""
    count = i64(read_i16_le(packet, 22))
    actions = [int(read_i32_le(packet, 24 + 4 * at)) for at in range(count)]
    return packet[21], read_f64_le(packet, 13), actions, packet[24 + 4 * count :]


def pack_observe(view: bytes) -> bytes:
    """What the seat knows now."""
    out = _begin(OBSERVE, len(view))
    out.write(view)
    return out.getvalue()


def pack_finish(id: int, scores: list[int], ranks: list[int]) -> bytes:
    """The match is over."""
    out = _begin(FINISH, 8 + 8 * len(scores))
    write_i64_le(out, i64(id))
    for number in scores + ranks:
        write_i32_le(out, i32(number))
    return out.getvalue()


def read_finish(packet: bytes) -> tuple[list[int], list[int]]:
    """The scores and the ranks."""
    numbers = [int(read_i32_le(packet, at)) for at in range(13, len(packet), 4)]
    return numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]


def pack_bye() -> bytes:
    """There is nothing more."""
    return _begin(BYE, 0).getvalue()


def pack_params(params: dict[str, str]) -> bytes:
    """What the bot is made with, in place of what its process was told when it began."""
    text = "\0".join([word for pair in params.items() for word in pair]).encode()
    out = _begin(PARAMS, len(text))
    out.write(text)
    return out.getvalue()


def read_params(packet: bytes) -> dict[str, str]:
    """The parameters, by name."""
    words = packet[AT_ID:].decode().split("\0")
    return dict(zip(words[::2], words[1::2], strict=False))


def pack_reply(kind: int, id: int, number: int, text: bytes = b"") -> bytes:
    """What the bot says."""
    out = _begin(kind, 16 + len(text))
    write_i64_le(out, i64(id))
    write_i64_le(out, i64(number))
    out.write(text)
    return out.getvalue()


def number_of(reply: bytes) -> int:
    """The number of a reply."""
    return read_i64_le(reply, AT_NUMBER)
