"""What `arena play`, `arena compare` and `arena tune` print with `--json`."""

from __future__ import annotations

from msgspec import Struct

from arena.schemas.matches import FaultJson, UsageJson


class PlayedBotJson(Struct, forbid_unknown_fields=True):
    """A bot over all games of `arena play`; null where one game tells no interval."""

    bot: str
    wins: float
    win_share: float
    win_share_low: float | None
    win_share_high: float | None
    mean_rank: float
    mean_rank_low: float | None
    mean_rank_high: float | None
    mean_score: float
    mean_score_low: float | None
    mean_score_high: float | None
    faults: int


class PlayedGameJson(Struct, forbid_unknown_fields=True):
    """A game of `arena play`; lists have an item for each seat, `match` is null if not saved."""

    match: int | None
    seed: int
    bots: list[str]
    wonders: list[str]
    scores: list[int]
    score_sheets: list[dict[str, int]]
    ranks: list[int]
    faults: list[FaultJson]
    accounts: list[UsageJson]
    seconds: float


class SeriesJson(Struct, forbid_unknown_fields=True):
    """`arena play`."""

    game: str
    bots: list[str]
    seed: int
    time: str
    sandbox: str
    saved_as: str | None
    summary: list[PlayedBotJson]
    games: list[PlayedGameJson]


class QuestionJson(Struct, forbid_unknown_fields=True):
    """The two hypotheses of the test in Elo, and its error rates."""

    low: float
    high: float
    alpha: float
    beta: float


class GainJson(Struct, forbid_unknown_fields=True):
    """What NEW gained, in Elo and in rank points a game."""

    elo: float
    elo_low: float
    elo_high: float
    points: float
    points_low: float
    points_high: float


class FirstFaultJson(Struct, forbid_unknown_fields=True):
    """How a bot failed first."""

    kind: str
    detail: str


class ComparedBotJson(Struct, forbid_unknown_fields=True):
    """One of the two bots that are compared."""

    bot: str
    games: int
    seats: int
    win_share: float
    forfeits: int
    first_fault: FirstFaultJson | None


class PartJson(Struct, forbid_unknown_fields=True):
    """The gain with one number of players or one wonder; `error` is half a 95 % interval."""

    part: str | int
    count: int
    gain: float
    error: float


class ConfirmationJson(Struct, forbid_unknown_fields=True):
    """A comparison: the verdict and what it rests on; a score is null if a block was spoiled."""

    verdict: str
    reason: str
    game: str
    players: list[int]
    design: str
    field: list[str]
    question: QuestionJson
    gain: GainJson
    llr: float
    bounds: list[float]
    blocks: int
    games: int
    fixed_games: int | None
    seconds: float
    new: ComparedBotJson
    old: ComparedBotJson
    spoiled: int
    by_players: list[PartJson]
    by_wonder: list[PartJson]
    scores: list[float | None]
    seed: int


class BlockJson(Struct, forbid_unknown_fields=True):
    """A block of two games on one deal: what NEW gained, and the stored matches."""

    block: int
    score: float | None
    matches: list[int]


class ComparisonJson(ConfirmationJson):
    """`arena compare`; `deals` is empty if games are not saved."""

    saved_as: str | None
    deals: list[BlockJson]
    sandbox: str
    command: str


class BestJson(Struct, forbid_unknown_fields=True):
    """The best candidate of a search."""

    spec: str
    params: dict[str, int | float | str]


class CandidateJson(Struct, forbid_unknown_fields=True):
    """A set of parameters that was tried."""

    spec: str
    params: dict[str, int | float | str]
    failed: bool
    games: int
    points: float
    points_low: float
    points_high: float


class TuningJson(Struct, forbid_unknown_fields=True):
    """`arena tune`; null where the search was stopped before."""

    verdict: str
    best: BestJson | None
    confirmation: ConfirmationJson | None
    candidates: list[CandidateJson]
    search_games: int
    seconds: float
    seed: int
    saved_as: str | None
    sandbox: str
    command: str
