"""Rows of numbers as bytes, and back: what the games pack their positions with."""

from typing import Final

from librt.strings import (
    BytesWriter,
    read_i16_le,
    read_i32_le,
    read_i64_le,
    write_i16_le,
    write_i32_le,
    write_i64_le,
)
from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from engine.errors import DumpError

_ZEROES: Final = vec[i64]([0] * 320)  # as many as the longest row has


def put_bytes(out: BytesWriter, row: vec[i64]) -> None:
    """Append numbers from 0 to 255, a byte each."""
    for at in range(len(row)):
        out.append(u8(row[at]))


def put_shorts(out: BytesWriter, row: vec[i64]) -> None:
    """Append numbers of two bytes each."""
    for at in range(len(row)):
        write_i16_le(out, i16(row[at]))


def put_longs(out: BytesWriter, row: vec[i64], count: i64) -> None:
    """Append the first numbers of a row, four bytes each."""
    for at in range(count):
        write_i32_le(out, i32(row[at]))


def put_words(out: BytesWriter, row: vec[i64]) -> None:
    """Append numbers of eight bytes each."""
    for at in range(len(row)):
        write_i64_le(out, row[at])


def take_bytes(data: bytes, start: i64, count: i64) -> vec[i64]:
    """The inverse of `put_bytes`, for at most 320 numbers, as in the three that follow."""
    row = _ZEROES[:count]
    for at in range(count):
        row[at] = i64(data[start + at])
    return row


def take_shorts(data: bytes, start: i64, count: i64) -> vec[i64]:
    """The inverse of `put_shorts`."""
    row = _ZEROES[:count]
    for at in range(count):
        row[at] = i64(read_i16_le(data, start + 2 * at))
    return row


def take_longs(data: bytes, start: i64, count: i64) -> vec[i64]:
    """The inverse of `put_longs`."""
    row = _ZEROES[:count]
    for at in range(count):
        row[at] = i64(read_i32_le(data, start + 4 * at))
    return row


def take_words(data: bytes, start: i64, count: i64) -> vec[i64]:
    """The inverse of `put_words`."""
    row = _ZEROES[:count]
    for at in range(count):
        row[at] = read_i64_le(data, start + 8 * at)
    return row


def check_head(data: bytes, head: bytes, length: i64, least: i64, most: i64) -> i64:
    """The number of players, which follows the head; DumpError if these are other bytes."""
    if len(data) < length or not data.startswith(head):
        raise DumpError(f"expected packed bytes that begin with {head!r}, got {data[:8]!r}")
    players = i64(data[len(head)])
    if players < least or players > most:
        raise DumpError(f"expected {least} to {most} players in packed bytes, got {players}")
    return players


def check_length(data: bytes, length: i64) -> None:
    """DumpError if the bytes are not as many as they say."""
    if len(data) != length:
        raise DumpError(f"expected {length} packed bytes, got {len(data)}")
