"""A position as bytes for a process that runs the same library, and back again, trusted."""

from typing import Final

from librt.strings import BytesWriter, read_i16_le, read_i64_le, write_i16_le, write_i64_le
from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CENTRE_SIZE,
    DECK_SIZE,
    FACE_UP,
    KIND_COUNT,
)
from engine.architects.state import MAX_OPTIONS, STACK_SIZE, ArchitectsPosition
from engine.errors import DumpError
from engine.packing import (
    check_head,
    check_length,
    put_bytes,
    put_longs,
    put_shorts,
    take_bytes,
    take_longs,
    take_shorts,
)

HEAD: Final = b"A\x01"  # the game, and the version of this layout
# Where the numbers lie, after the head and the number of players.
AT_VIEWER: Final[i64] = 3
AT_EXPANSION: Final[i64] = 4
AT_EXPERT: Final[i64] = 5
AT_CAT: Final[i64] = 6
AT_FLIPPED: Final[i64] = 7
AT_TURN: Final[i64] = 8
AT_ASK: Final[i64] = 9
AT_ARMED: Final[i64] = 10
AT_USED: Final[i64] = 11
AT_LOOKING: Final[i64] = 12
AT_PEEKED: Final[i64] = 13
AT_STACKED: Final[i64] = 14
AT_GIVEN: Final[i64] = 15
AT_OFFERED: Final[i64] = 16
AT_CHANCE: Final[i64] = 18
AT_ROWS: Final[i64] = 26
MIN_SEATS: Final[i64] = 2
MAX_SEATS: Final[i64] = 7


def pack(p: ArchitectsPosition) -> bytes:
    """Everything the position is made of, its options too; nothing of what left it."""
    out = BytesWriter()
    _put_numbers(p, out)
    put_bytes(out, p.size)
    put_bytes(out, p.wonder)
    put_bytes(out, p.stock)
    put_bytes(out, p.cards)
    put_bytes(out, p.built)
    put_bytes(out, p.won)
    put_bytes(out, p.face_up)
    put_bytes(out, p.medal)
    put_shorts(out, p.military)
    put_shorts(out, p.given)
    put_longs(out, p.owned, p.players)
    put_longs(out, p.options, p.offered)
    for deck in range(p.players + 1):  # above the top are cards that have left
        start = deck * DECK_SIZE
        out.write(bytes(p.deck[start : start + p.size[deck]]))
    out.write(bytes(p.stack[: p.stacked]))
    return out.getvalue()


def _put_numbers(p: ArchitectsPosition, out: BytesWriter) -> None:
    out.write(HEAD)
    out.append(u8(p.players))
    out.append(u8(p.viewer + 1))
    out.append(u8(p.medals_used + 2 * p.tokens_used))
    out.append(u8(p.expert))
    out.append(u8(p.cat + 1))
    out.append(u8(p.flipped))
    out.append(u8(p.turn))
    out.append(u8(p.ask))
    out.append(u8(p.armed))
    out.append(u8(p.used))
    out.append(u8(p.looking + 1))
    out.append(u8(p.peeked))
    out.append(u8(p.stacked))
    out.append(u8(i64(len(p.given))))
    write_i16_le(out, i16(p.offered))
    write_i64_le(out, p.chance)


def players_of(data: bytes) -> i64:
    """For how many players the packed position is; DumpError if it is another game's."""
    return check_head(data, HEAD, AT_ROWS + MAX_SEATS + 1, MIN_SEATS, MAX_SEATS)


def unpack(p: ArchitectsPosition, data: bytes) -> None:
    """Make a blank position, of as many players, the packed one; DumpError if it has no such size.

    What the bytes say is trusted: they come from an arena that runs this library.
    """
    n = p.players
    _take_numbers(p, data)
    given = i64(data[AT_GIVEN])
    offered = i64(read_i16_le(data, AT_OFFERED))
    size = take_bytes(data, AT_ROWS, n + 1)
    _check(p, data, size, given, offered)
    at = AT_ROWS + n + 1
    p.size = size
    p.wonder = take_bytes(data, at, n)
    at += n
    p.stock = take_bytes(data, at, (n + 1) * KIND_COUNT)
    at += (n + 1) * KIND_COUNT
    p.cards = take_bytes(data, at, n * KIND_COUNT)
    at += n * KIND_COUNT
    p.built = take_bytes(data, at, n)
    p.won = take_bytes(data, at + n, n)
    p.face_up = take_bytes(data, at + 2 * n, FACE_UP)
    p.medal = take_bytes(data, at + 2 * n + FACE_UP, n + CENTRE_MEDALS)
    at += 3 * n + FACE_UP + CENTRE_MEDALS
    p.military = take_shorts(data, at, n)
    p.given = take_shorts(data, at + 2 * n, given)
    at += 2 * (n + given)
    p.owned = take_longs(data, at, n)
    p.options = take_longs(data, at + 4 * n, offered)
    p.offered = offered
    _take_piles(p, data, at + 4 * (n + offered))


def _take_numbers(p: ArchitectsPosition, data: bytes) -> None:
    p.viewer = i64(data[AT_VIEWER]) - 1
    p.medals_used = i64(data[AT_EXPANSION]) & 1
    p.tokens_used = i64(data[AT_EXPANSION]) >> 1 & 1
    p.expert = i64(data[AT_EXPERT])
    p.cat = i64(data[AT_CAT]) - 1
    p.flipped = i64(data[AT_FLIPPED])
    p.turn = i64(data[AT_TURN])
    p.ask = i64(data[AT_ASK])
    p.armed = i64(data[AT_ARMED])
    p.used = i64(data[AT_USED])
    p.looking = i64(data[AT_LOOKING]) - 1
    p.peeked = i64(data[AT_PEEKED])
    p.stacked = i64(data[AT_STACKED])
    p.chance = read_i64_le(data, AT_CHANCE)


def _check(p: ArchitectsPosition, data: bytes, size: vec[i64], given: i64, offered: i64) -> None:
    """The rows fit their places, and fill the bytes."""
    n = p.players
    piled = p.stacked
    for deck in range(n + 1):
        room = CENTRE_SIZE if deck == n else DECK_SIZE
        if size[deck] > room:
            raise DumpError(f"expected {room} cards at most in deck {deck}, got {size[deck]}")
        piled += size[deck]
    if p.stacked > STACK_SIZE or offered < 0 or offered > MAX_OPTIONS:
        raise DumpError(
            f"expected {STACK_SIZE} tokens and {MAX_OPTIONS} options at most, "
            f"got {p.stacked} and {offered}"
        )
    if p.viewer >= n or p.turn >= n:
        raise DumpError(f"expected seats below {n}, got viewer {p.viewer} and turn {p.turn}")
    rows = 5 * n + 1 + (2 * n + 1) * KIND_COUNT + FACE_UP + CENTRE_MEDALS
    check_length(data, AT_ROWS + rows + 2 * (n + given) + 4 * (n + offered) + piled)


def _take_piles(p: ArchitectsPosition, data: bytes, at: i64) -> None:
    """The decks and the stack, which end the bytes."""
    for deck in range(p.players + 1):
        start = deck * DECK_SIZE
        for place in range(start, start + p.size[deck]):
            p.deck[place] = u8(data[at])
            at += 1
    for place in range(p.stacked):
        p.stack[place] = u8(data[at])
        at += 1
