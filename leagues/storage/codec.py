"""Matches as rows and back: decisions in few bytes, checksums, and no text that would hurt."""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from engine.match import Fault, MatchResult, MatchSpec, SeatUsage, Setup, Variant
from leagues.storage.database import RefusedError, StoreError

UNWELCOME: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
UNWELCOME_IN_LINES: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
MICRO: Final = 1_000_000
BIG: Final = 2**63
NORMAL: Final = 2**31

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ScheduledResult:
    """A match as the runner hands it over; entrants by their id, one a seat."""

    number: int  # place in the schedule
    fixture: str
    stage: str
    round: int
    entrants: tuple[int, ...]
    result: MatchResult
    rated: bool = True


def pack(decisions: Iterable[int]) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    out = bytearray()
    for action in decisions:
        if action < 0:
            raise StoreError(f"expected actions from 0 on, got {action}")
        while action > 127:
            out.append(action & 127 | 128)
            action >>= 7
        out.append(action)
    return bytes(out)


def unpack(packed: bytes) -> list[int]:
    """The inverse of `pack`."""
    decisions: list[int] = []
    action = shift = 0
    for byte in packed:
        action |= (byte & 127) << shift
        if byte > 127:
            shift += 7
        else:
            decisions.append(action)
            action = shift = 0
    if shift:
        raise StoreError("expected whole decisions, got half of one at the end")
    return decisions


def checksum(row: Iterable[object], seats: Iterable[Row] = ()) -> bytes:
    """Eight bytes that change when the content does."""
    # Some databases give back 1 for True.
    plain = [int(value) if isinstance(value, bool) else value for value in row]
    return _digest((plain, *seats))


def chain(before: bytes, tournament: int, number: int, seals: Iterable[bytes]) -> bytes:
    """The checksum of a batch: of its matches' checksums, and of the batch before."""
    return _digest((before, tournament, number, *seals))


def _digest(content: object) -> bytes:
    return blake2b(repr(content).encode("utf-8", "backslashreplace"), digest_size=8).digest()


def line(text: str, what: str) -> str:
    """The text, if it is one line without control characters."""
    return _clean(text, what, UNWELCOME)


def lines(text: str, what: str) -> str:
    """The text, if line ends and tabs are all that cannot be seen."""
    return _clean(text, what, UNWELCOME_IN_LINES)


def _clean(text: str, what: str, unwelcome: re.Pattern[str]) -> str:
    if (found := unwelcome.search(text)) is not None:
        raise RefusedError(f"expected {what} without control characters, got {found[0]!a}")
    return str(text)  # as it is read back, also if it was a member of an enumeration


def whole(number: int, what: str, limit: int = NORMAL, least: int = 0) -> int:
    """The number as the database will give it back."""
    if not least <= number < limit:
        raise RefusedError(f"expected {what} from {least} to {limit - 1}, got {number}")
    return int(number)


def micro(seconds: float, what: str) -> int:
    """A span in microseconds."""
    if not math.isfinite(seconds) or not 0 <= seconds < BIG / MICRO:
        raise RefusedError(f"expected {what} in seconds, got {seconds}")
    return round(seconds * MICRO)


def match_row(tournament: int, batch: int, played: ScheduledResult, program: str, at: int) -> Row:
    """The columns of a match from tournament to duration."""
    result = played.result
    spec = result.spec
    setup = spec.setup
    variant = setup.variant
    return (
        tournament,
        whole(played.number, "a place in the schedule"),
        batch,
        line(played.fixture, "a fixture"),
        line(played.stage, "a stage"),
        whole(played.round, "a round"),
        line(variant.game, "a game"),
        int(setup.players),
        None if variant.edition is None else line(variant.edition, "an edition"),
        json.dumps([line(name, "an expansion") for name in variant.expansions]),
        bool(variant.expert),
        whole(spec.seed, "a seed", BIG, -BIG),
        whole(spec.version, "a version of the rules"),
        pack(result.decisions),
        line(result.sandbox, "a sandbox"),
        bool(played.rated),
        program,
        at,
        micro(result.seconds, "the length of a match"),
    )


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
            raise StoreError(f"expected {players} {what}, got {len(items)}")
    faults = {fault.seat: fault for fault in result.faults}
    if len(faults) < len(result.faults) or not all(0 <= seat < players for seat in faults):
        raise StoreError(f"expected a fault or none for each seat, got {len(result.faults)}")
    return tuple(
        (
            seat,
            int(played.entrants[seat]),
            line(setup.wonders[seat], "a wonder"),
            whole(result.scores[seat], "a score", NORMAL, -NORMAL),
            whole(result.ranks[seat], "a rank"),
            *_account_columns(result.accounts[seat] if result.accounts else None),
            *_fault_columns(faults.get(seat)),
        )
        for seat in range(players)
    )


def _account_columns(account: SeatUsage | None) -> Row:
    if account is None:
        return (None, None, None, None)
    return (
        whole(account.asked, "a number of questions"),
        micro(account.computed, "computing"),
        micro(account.longest, "the longest decision"),
        lines(account.printed, "what a bot printed"),
    )


def _fault_columns(fault: Fault | None) -> Row:
    if fault is None:
        return (None, None, None)
    return (
        line(fault.kind, "a kind of fault"),
        whole(fault.decision, "a decision"),
        lines(fault.detail, "the detail of a fault"),
    )


def result_of(match: Any, seats: Sequence[Any], bots: tuple[str, ...]) -> MatchResult:
    """The result that the rows of a match were made from; its bots go by their labels."""
    expansions = tuple(json.loads(match.expansions))
    variant = Variant(match.game, match.edition, expansions, match.expert)
    setup = Setup(variant, match.players, tuple(seat.wonder for seat in seats))
    faults = [
        Fault(seat.seat, seat.fault, seat.fault_detail, seat.fault_decision)
        for seat in seats
        if seat.fault is not None
    ]
    accounts = [
        SeatUsage(seat.asked, seat.computed / MICRO, seat.longest / MICRO, seat.printed)
        for seat in seats
        if seat.asked is not None
    ]
    return MatchResult(
        MatchSpec(setup, match.seed, bots, match.rules),
        unpack(match.decisions),
        [seat.score for seat in seats],
        [seat.rank for seat in seats],
        tuple(sorted(faults, key=lambda fault: fault.decision)),
        tuple(accounts),
        match.sandbox,
        match.duration / MICRO,
    )
