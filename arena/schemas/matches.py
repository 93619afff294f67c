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


class ScoredSeatJson(StoredSeatJson):
    """A seat with its points by category."""

    points: dict[str, int]


class StoredMatchJson(Struct, forbid_unknown_fields=True):
    """`arena match show`: all that is stored of a match; `moves` are its decisions as texts."""

    match: int
    tournament: str
    number: int
    fixture: str
    stage: str
    round: int
    spec: SpecJson
    decisions: list[int]
    moves: list[str]
    seats: list[ScoredSeatJson]
    faults: list[FaultJson]
    accounts: list[UsageJson]
    sandbox: str
    rated: bool
    excluded: bool
    events: list[ExclusionJson]
    program: str
    played_at: int
    seconds: float
    time_factor: float


class StageJson(Struct, forbid_unknown_fields=True):
    """The score sheets of all seats at a decision."""

    decision: int
    sheets: list[dict[str, int]]


class JudgedDecisionJson(Struct, forbid_unknown_fields=True):
    """A decision, what the judge would have taken, and by how much its outlook is better.

    The texts name the cards in words; a card taken face down is named, one not taken is not.
    """

    number: int
    prompt: str
    options: int
    chosen: str
    better: str
    chosen_text: str
    better_text: str
    cost: float
    outlook: float
    swing: float
    others: list[str]


class MatchExplanationJson(Struct, forbid_unknown_fields=True):
    """`arena match explain`: `turning_points` and `costliest` are numbers of decisions.

    `match` is null of a match that is not stored, in the Python API. Outlooks are from 0,
    lost, to 100, won: mostly the chance to win, a little by the expected margin; `final_lead` is in
    points.
    """

    match: int | None
    game: str
    seat: int
    bot: str
    rank: int
    bots: list[str]
    judge: str
    unit: str
    points: list[dict[str, int]]
    final_lead: int
    final_outlook: float
    stages: list[StageJson]
    decisions: list[JudgedDecisionJson]
    turning_points: list[int]
    costliest: list[int]


class DifferentAnswerJson(Struct, forbid_unknown_fields=True):
    """A decision that the bot takes otherwise now."""

    decision: int
    prompt: str
    options: int
    recorded: str
    answer: str


class DebugJson(Struct, forbid_unknown_fields=True):
    """`arena match debug`: one decision asked again; `view` is what the seat saw."""

    decision: int
    seat: int
    prompt: str
    options: list[str]
    recorded: str
    answer: str | None
    fault: str | None
    changed: list[int]
    differences: list[DifferentAnswerJson]
    asked: int
    view: dict[str, Any]


class MatchDiffJson(Struct, forbid_unknown_fields=True):
    """`arena match diff`: what differs, of the first match and the second; else null."""

    game: list[str] | None
    setup: list[str] | None
    seed: list[int] | None
    bots: list[list[str]] | None
    version: list[int] | None
    decision: int | None
    choices: list[str] | None
    scores: list[list[int]] | None
    ranks: list[list[int]] | None


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
    """`arena bot list`: what a bot declares."""

    name: str
    version: str | None
    source: str
    entry: str | None
    folder: str | None
    games: list[str]
    summary: str | None
    threads: bool


class BotParameterJson(Struct, forbid_unknown_fields=True):
    """A parameter that a bot takes, as its source has it."""

    name: str
    type: str | None
    default: str | None
    meaning: str | None


class ShownBotJson(Struct, forbid_unknown_fields=True):
    """`arena bot show`: what a bot declares, and its parameters where they can be read."""

    name: str
    version: str | None
    source: str
    entry: str | None
    folder: str | None
    games: list[str]
    summary: str | None
    threads: bool
    parameters: list[BotParameterJson] | None


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
