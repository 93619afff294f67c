"""What the commands on games and matches print with `--json`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class FaultJson(Struct, forbid_unknown_fields=True):
    """How a bot failed, and at which decision of the match."""

    seat: int
    kind: str
    detail: str
    decision: int


class UsageJson(Struct, forbid_unknown_fields=True):
    """What a seat's bot used: questions, seconds of CPU time, and what it printed."""

    asked: int
    computed: float
    longest: float
    printed: str


class MatchSeatJson(Struct, forbid_unknown_fields=True):
    """A seat of a listed match; ranks count from 1."""

    seat: int
    bot: str
    wonder: str
    score: int
    rank: int


class MatchJson(Struct, forbid_unknown_fields=True):
    """`arena match list`: a match, its seats by rank; times are seconds since 1970."""

    match: int
    tournament: str | None
    game: str
    edition: str | None
    expansions: list[str]
    expert: bool
    players: int
    round: int
    seats: list[MatchSeatJson]
    faults: list[str]
    seconds: float
    rated: bool
    excluded: bool
    sandbox: str
    played_at: int


class MatchCheckJson(Struct, forbid_unknown_fields=True):
    """`arena match verify`: what the rules say to a match; null if they agree."""

    match: int
    problem: str | None


class VariantJson(Struct, forbid_unknown_fields=True):
    """Which game, in which form."""

    game: str
    edition: str | None
    expansions: list[str]
    expert: bool


class SpecJson(Struct, forbid_unknown_fields=True):
    """A match to be played: with the decisions it is its replay."""

    game: str
    version: int
    seed: int
    variant: VariantJson
    players: int
    wonders: list[str]
    bots: list[str]


class StoredSeatJson(Struct, forbid_unknown_fields=True):
    """A seat of a stored match; ranks count from 1."""

    seat: int
    bot: str
    digest: str
    wonder: str
    score: int
    rank: int


class ExclusionJson(Struct, forbid_unknown_fields=True):
    """That a match was excluded or restored."""

    excluded: bool
    reason: str
    by: str | None
    at: int


class ReplayJson(Struct, forbid_unknown_fields=True):
    """`arena replay`: so many games of a file agree with the rules."""

    file: str
    confirmed: int


class LeafCountJson(Struct, forbid_unknown_fields=True):
    """Sequences of decisions of a length."""

    depth: int
    leaves: int


class LeafCountsJson(Struct, forbid_unknown_fields=True):
    """`arena perft`."""

    game: str
    counts: list[LeafCountJson]
    seed: int | None = None
    state: str | None = None


class BotManifestJson(Struct, forbid_unknown_fields=True):
    """`arena bot list` and `arena bot show`: what a bot declares."""

    name: str
    version: str | None
    source: str
    entry: str | None
    folder: str | None
    games: list[str]
    summary: str | None
    threads: bool


class CheckStepJson(Struct, forbid_unknown_fields=True):
    """A step of a check."""

    number: int
    name: str
    verdict: str
    found: str


class BotCheckJson(Struct, forbid_unknown_fields=True):
    """`arena bot check`."""

    bot: str
    passed: bool
    sandbox: str
    steps: list[CheckStepJson]
    not_run: list[str]
    repeat: str | None
    printed: str


class LayerJson(Struct, forbid_unknown_fields=True):
    """A layer of the sandbox."""

    works: bool
    found: str


class GuaranteeJson(Struct, forbid_unknown_fields=True):
    """Whether a guarantee holds on this machine, and why."""

    holds: bool
    found: str


class DoctorJson(Struct, forbid_unknown_fields=True):
    """`arena doctor`."""

    sandbox: str
    lost: str
    fixes: list[str]
    layers: dict[str, LayerJson]
    guarantees: dict[str, GuaranteeJson]
    levels: dict[str, dict[str, Any]]
    jobs: int
    engine: str
    python: str
