"""A position as bytes for a process that runs the same library, and back again, trusted."""

from typing import Final

from librt.strings import BytesWriter
from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.errors import DumpError
from engine.packing import (
    check_head,
    check_length,
    put_longs,
    put_shorts,
    put_words,
    take_longs,
    take_shorts,
    take_words,
)
from engine.seven.actions import OVER
from engine.seven.components.lookup import AGES, HAND, NAME_PLACES
from engine.seven.state import CITY, ENTRY, REACH, REVIVALS, ROUNDS, SevenPosition, entries

HEAD: Final = b"S\x01"  # the game, and the version of this layout
# Where the numbers lie, after the head and the number of players.
AT_VIEWER: Final[i64] = 3
AT_EDITION: Final[i64] = 4
AT_AGE: Final[i64] = 5
AT_TURN: Final[i64] = 6
AT_PHASE: Final[i64] = 7
AT_REVIVER: Final[i64] = 8
AT_REVIVALS: Final[i64] = 9
AT_PEEKED: Final[i64] = 10
AT_ROWS: Final[i64] = 11
MIN_SEATS: Final[i64] = 3
MAX_SEATS: Final[i64] = 7
# Bytes of the rows for every seat, but for the log: boards, deal, hands, buildings, symbols in
# reach, commits and city.
SEAT_BYTES: Final[i64] = 1 + AGES * HAND + HAND + NAME_PLACES + 8 * REACH + 4 + 2 * CITY


def pack(p: SevenPosition) -> bytes:
    """Everything the position is made of; of the log only what is written."""
    out = BytesWriter()
    out.write(HEAD)
    out.append(u8(p.players))
    out.append(u8(p.viewer + 1))
    out.append(u8(p.edition))
    out.append(u8(p.age))
    out.append(u8(p.turn))
    out.append(u8(p.phase))
    out.append(u8(p.reviver + 1))
    out.append(u8(p.revivals))
    out.append(u8(p.peeked))
    out.write(bytes(p.boards))
    out.write(bytes(p.dealt))
    out.write(bytes(p.hands))
    out.write(bytes(p.built))
    put_words(out, p.reach)
    out.write(bytes(p.revived))
    put_longs(out, p.commits, p.players)
    put_shorts(out, p.city)
    out.write(bytes(p.log[: entries(p) * ENTRY]))
    return out.getvalue()


def unpack(p: SevenPosition, data: bytes) -> None:
    """Make a blank position the packed one; DumpError if it has no such size.

    What the bytes say is trusted: they come from an arena that runs this library.
    """
    n = check_head(data, HEAD, AT_ROWS, MIN_SEATS, MAX_SEATS)
    p.players = n
    _take_numbers(p, data)
    check_length(data, AT_ROWS + SEAT_BYTES * n + 2 * REVIVALS + entries(p) * ENTRY)
    at = AT_ROWS
    p.boards = vec[u8](data[at : at + n])
    at += n
    p.dealt = vec[u8](data[at : at + AGES * n * HAND])
    at += AGES * n * HAND
    p.hands = vec[u8](data[at : at + n * HAND])
    at += n * HAND
    p.built = vec[u8](data[at : at + n * NAME_PLACES])
    at += n * NAME_PLACES
    p.reach = take_words(data, at, n * REACH)
    at += 8 * n * REACH
    p.revived = vec[u8](data[at : at + 2 * REVIVALS])
    at += 2 * REVIVALS
    p.commits = take_longs(data, at, n)
    at += 4 * n
    p.city = take_shorts(data, at, n * CITY)
    at += 2 * n * CITY
    rest = AGES * ROUNDS * n * ENTRY - (len(data) - at)
    p.log = vec[u8](data[at:] + bytes(rest))


def _take_numbers(p: SevenPosition, data: bytes) -> None:
    n = p.players
    p.viewer = i64(data[AT_VIEWER]) - 1
    p.edition = i64(data[AT_EDITION])
    p.age = i64(data[AT_AGE])
    p.turn = i64(data[AT_TURN])
    p.phase = i64(data[AT_PHASE])
    p.reviver = i64(data[AT_REVIVER]) - 1
    p.revivals = i64(data[AT_REVIVALS])
    p.peeked = i64(data[AT_PEEKED])
    if p.viewer >= n or p.reviver >= n:
        raise DumpError(f"expected seats below {n}, got {p.viewer} and {p.reviver}")
    if p.age >= AGES or p.turn >= HAND or p.phase > OVER or p.revivals > REVIVALS:
        raise DumpError(
            f"expected a turn of three Ages, got age {p.age}, turn {p.turn}, phase {p.phase}"
        )
