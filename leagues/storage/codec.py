"""Matches as rows and back: decisions as LEB128, a checksum a row, a hash chain over batches."""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, TypeVar

from librt.strings import BytesWriter
from mypy_extensions import u8

from engine.match import Fault, MatchResult, MatchSpec, SeatUsage, Setup, Variant
from leagues.errors import RefusedError, StorageError

NOT_IN_A_LINE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
NOT_IN_LINES: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
MICRO: Final = 1_000_000
BIG: Final = 2**63
NORMAL: Final = 2**31
MAX_FACTOR: Final = 1000

Row = tuple[Any, ...]
Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True)
class ScheduledResult:
    """A match as the runner hands it over; entrants by their id, one a seat."""

    number: int  # place in the schedule
    fixture: str
    stage: str
    round: int
    entrants: tuple[int, ...]
    result: MatchResult
    rated: bool = True


def encode_decisions(decisions: Sequence[int]) -> bytes:
    """LEB128 varints: seven bits a byte, the lowest first; the eighth says that more follow."""
    if decisions and min(decisions) >= 0 and max(decisions) <= 127:
        return bytes(decisions)  # every decision in a byte of its own
    out = BytesWriter()
    for action in decisions:
        if action < 0:
            raise StorageError(f"expected actions from 0 on, got {action}")
        while action > 127:
            out.append(u8(action & 127 | 128))
            action >>= 7
        out.append(u8(action))
    return out.getvalue()


def decode_decisions(packed: bytes) -> list[int]:
    """The inverse of `encode_decisions`."""
    if packed.isascii():  # every decision in a byte of its own
        return list(packed)
    decisions: list[int] = []
    action = shift = 0
    for byte in packed:
        if byte > 127:
            action |= (byte & 127) << shift
            shift += 7
        elif shift:
            decisions.append(action | byte << shift)
            action = shift = 0
        else:
            decisions.append(byte)
    if shift:
        raise StorageError("expected whole decisions, got half of one at the end")
    return decisions


def checksum(row: Iterable[object], seats: Iterable[Row] = ()) -> bytes:
    """Eight bytes that change when the content does."""
    # Some databases give back 1 for True.
    plain = [int(value) if isinstance(value, bool) else value for value in row]
    return _digest((plain, *seats))


def match_checksum(row: Row, seats: Iterable[Row]) -> bytes:
    """The checksum of a match; one without a time factor has that of older programs."""
    return checksum(row[:-1] if row[-1] is None else row, seats)


def chain_checksum(before: bytes, tournament: int, number: int, seals: Iterable[bytes]) -> bytes:
    """The checksum of a batch, a link of the hash chain: of its matches and of the batch before."""
    return _digest((before, tournament, number, *seals))


def _digest(content: object) -> bytes:
    return blake2b(repr(content).encode("utf-8", "backslashreplace"), digest_size=8).digest()


def parse_word(words: type[Word], text: str) -> Word:
    """A state or a kind as it was stored; StorageError if there is no such word."""
    try:
        return words(text)
    except ValueError:
        names = ", ".join(words)
        raise StorageError(f"expected one of {names} in the database, got {text}") from None


def check_line(text: str, what: str) -> str:
    """The text, if it is one line without control characters."""
    return _check_text(text, what, NOT_IN_A_LINE)


_check_known: Final = lru_cache(maxsize=256)(check_line)  # for the few words of many matches


def check_lines(text: str, what: str) -> str:
    """The text, if line ends and tabs are all that cannot be seen."""
    return _check_text(text, what, NOT_IN_LINES)


def _check_text(text: str, what: str, forbidden: re.Pattern[str]) -> str:
    if text == "":
        return ""
    if (found := forbidden.search(text)) is not None:
        raise RefusedError(f"expected {what} without control characters, got {found[0]!a}")
    return str(text)  # as it is read back, also if it was a member of an enumeration


def check_int(number: int, what: str, limit: int = NORMAL, least: int = 0) -> int:
    """The number as the database will give it back."""
    if not least <= number < limit:
        raise RefusedError(f"expected {what} from {least} to {limit - 1}, got {number}")
    return int(number)


def to_microseconds(seconds: float, what: str) -> int:
    """A span in microseconds."""
    if not math.isfinite(seconds) or not 0 <= seconds < BIG / MICRO:
        raise RefusedError(f"expected {what} in seconds, got {seconds}")
    return round(seconds * MICRO)


def match_row(tournament: int, batch: int, played: ScheduledResult, program: str, at: int) -> Row:
    """The columns of a match from tournament to time_factor."""
    result = played.result
    spec = result.spec
    setup = spec.setup
    variant = setup.variant
    return (
        tournament,
        check_int(played.number, "a place in the schedule"),
        batch,
        check_line(played.fixture, "a fixture"),
        _check_known(played.stage, "a stage"),
        check_int(played.round, "a round"),
        _check_known(variant.game, "a game"),
        int(setup.players),
        None if variant.edition is None else _check_known(variant.edition, "an edition"),
        _encode_expansions(variant.expansions),
        bool(variant.expert),
        check_int(spec.seed, "a seed", BIG, -BIG),
        check_int(spec.version, "a version of the rules"),
        encode_decisions(result.decisions),
        _check_known(result.sandbox, "a sandbox"),
        bool(played.rated),
        program,
        at,
        to_microseconds(result.seconds, "the length of a match"),
        None if result.time_factor == 1.0 else _factor_column(result.time_factor),
    )


def _factor_column(factor: float) -> int:
    if not 0 < factor < MAX_FACTOR:
        raise RefusedError(f"expected a time factor above 0 and below {MAX_FACTOR}, got {factor}")
    return round(factor * MICRO)


@lru_cache(maxsize=64)  # many matches, few variants
def _encode_expansions(names: tuple[str, ...]) -> str:
    return json.dumps([check_line(name, "an expansion") for name in names])


def seat_rows(played: ScheduledResult) -> tuple[Row, ...]:
    """The columns of every seat from seat to fault_detail."""
    result = played.result
    setup = result.spec.setup
    players = setup.players
    for what, items in (
        ("entrants", played.entrants),
        ("wonders", setup.wonders),
        ("scores", result.scores),
        ("ranks", result.ranks),
        ("accounts", result.accounts or players * (0,)),
    ):
        if len(items) != players:
            raise StorageError(f"expected {players} {what}, got {len(items)}")
    faults = {fault.seat: fault for fault in result.faults}
    if len(faults) < len(result.faults) or not all(0 <= seat < players for seat in faults):
        raise StorageError(f"expected a fault or none for each seat, got {len(result.faults)}")
    return tuple(
        (
            seat,
            int(played.entrants[seat]),
            _check_known(setup.wonders[seat], "a wonder"),
            check_int(result.scores[seat], "a score", NORMAL, -NORMAL),
            check_int(result.ranks[seat], "a rank"),
            *_account_columns(result.accounts[seat] if result.accounts else None),
            *_fault_columns(faults.get(seat)),
        )
        for seat in range(players)
    )


def _account_columns(account: SeatUsage | None) -> Row:
    if account is None:
        return (None, None, None, None)
    return (
        check_int(account.asked, "a number of questions"),
        to_microseconds(account.computed, "computing"),
        to_microseconds(account.longest, "the longest decision"),
        check_lines(account.printed, "what a bot printed"),
    )


def _fault_columns(fault: Fault | None) -> Row:
    if fault is None:
        return (None, None, None)
    return (
        check_line(fault.kind, "a kind of fault"),
        check_int(fault.decision, "a decision"),
        check_lines(fault.detail, "the detail of a fault"),
    )


def decode_result(match: Any, seats: Sequence[Any], bots: tuple[str, ...]) -> MatchResult:
    """The result that the rows of a match were made from; its bots go by their labels."""
    _, places, _, wonders, scores, ranks, *accounts, kinds, when, details = zip(*seats, strict=True)
    variant = decode_variant(match.game, match.edition, match.expansions, match.expert)
    faults = [
        Fault(seat, kind, detail, decision)
        for seat, kind, decision, detail in zip(places, kinds, when, details, strict=True)
        if kind is not None
    ]
    return MatchResult(
        MatchSpec(Setup(variant, match.players, wonders), match.seed, bots, match.rules),
        decode_decisions(match.decisions),
        list(scores),
        list(ranks),
        tuple(sorted(faults, key=lambda fault: fault.decision)),
        tuple(
            [
                SeatUsage(asked, computed / MICRO, longest / MICRO, printed)
                for asked, computed, longest, printed in zip(*accounts, strict=True)
                if asked is not None
            ]
        ),
        match.sandbox,
        match.duration / MICRO,
        1.0 if match.time_factor is None else match.time_factor / MICRO,
    )


@lru_cache(maxsize=64)  # many matches, few variants
def decode_variant(game: str, edition: str | None, expansions: str, expert: bool) -> Variant:
    """A variant of a game from the columns of a match."""
    return Variant(game, edition, tuple(json.loads(expansions)), expert)
