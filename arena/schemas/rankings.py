"""What the commands on ratings print with `--json`: skills and intervals, by kind of game."""

from __future__ import annotations

from msgspec import Struct


class GameKindJson(Struct, forbid_unknown_fields=True):
    """What was played."""

    game: str
    edition: str | None
    expansions: list[str]
    expert: bool


class LeaderboardJson(GameKindJson, forbid_unknown_fields=True):
    """`arena rank show` and `tournament run`: where a bot stands.

    `_low` and `_high` are 95 % confidence intervals, those of `rank` 90 %; `superior` is the
    probability that its skill is above that of the next row.
    """

    players: int | None
    wonder: str | None
    seat: int | None
    opponent: str | None
    rank: int
    rank_low: int
    rank_high: int
    bot: str
    version: str | None
    digest: str
    skill: float
    skill_low: float
    skill_high: float
    rating: float
    mu: float
    sigma: float
    superior: float | None
    level: bool
    provisional: bool
    games: int
    win_share: float | None
    win_low: float | None
    win_high: float | None
    fair_share: float | None
    mean_rank: float | None
    mean_rank_low: float | None
    mean_rank_high: float | None
    rank_points: float | None
    mean_score: float | None
    mean_score_low: float | None
    mean_score_high: float | None
    faults: int
    fault_share: float


class HeadToHeadJson(GameKindJson, forbid_unknown_fields=True):
    """`arena rank matrix`: how often a bot finished above another, and what skills predict."""

    bot: str
    opponent: str
    games: int
    share: float
    share_low: float
    share_high: float
    expected: float
    residual: float


class HistoryJson(GameKindJson, forbid_unknown_fields=True):
    """`arena rank history`: the skill of a bot by the first so many matches."""

    bot: str
    matches: int
    games: int
    skill: float
    skill_low: float
    skill_high: float
    rank: int


class OpponentJson(HeadToHeadJson, forbid_unknown_fields=True):
    """The same, and by how much these meetings moved the bot's skill."""

    moved: float


class MoveJson(GameKindJson, forbid_unknown_fields=True):
    """A match that moved a bot's rating."""

    bot: str
    match: int
    rank: int
    before: float
    after: float
    step: float
    sigma: float


class ExplanationJson(Struct, forbid_unknown_fields=True):
    """`arena rank explain`: a kind of game."""

    opponents: list[OpponentJson]
    moves: list[MoveJson]


class EffectJson(GameKindJson, forbid_unknown_fields=True):
    """`arena rank effects`: what a wonder, a seat or a neighbour does besides skill."""

    kind: str
    name: str
    bot: str | None
    games: int
    lift: float
    lift_low: float
    lift_high: float
    points: float
    points_low: float
    points_high: float
    shrunk: float | None
    score: float
    score_low: float
    score_high: float


class TournamentJson(Struct, forbid_unknown_fields=True):
    """`arena tournament list`; times are seconds since 1970."""

    name: str
    games: list[str]
    bots: int
    played: int
    planned: int | None
    seed: int
    design: str
    sandboxes: list[str]
    begun_at: int
    command: str


class TrackJson(Struct, forbid_unknown_fields=True):
    """What is played of a game at a number of players; null where the end is open."""

    game: str
    players: int
    stage: str
    rounds: int
    planned_rounds: int | None
    open_round: int | None
    open_played: int | None
    open_planned: int | None
    played: int
    planned: int | None


class FaultCountJson(Struct, forbid_unknown_fields=True):
    """How often a bot failed in one way, and the last match in which it did."""

    bot: str
    fault: str
    matches: int
    last: int


class IncidentJson(Struct, forbid_unknown_fields=True):
    """A match that the machine failed to play."""

    at: int
    number: int
    detail: str


class FinalPlaceJson(Struct, forbid_unknown_fields=True):
    """A place in the final order; seeds count from 1."""

    place: int
    bot: str
    seed: int


class StatusJson(Struct, forbid_unknown_fields=True):
    """`arena tournament status`; `goal`, `sure` and `enough` are null without `--until`.

    `standings` is the final order of a Swiss or knockout tournament, null before its end.
    """

    tournament: str
    seed: int
    played: int
    planned: int | None
    complete: bool
    goal: str | None
    sure: float | None
    enough: float | None
    standings: list[FinalPlaceJson] | None
    tracks: list[TrackJson]
    faults: list[FaultCountJson]
    incidents: list[IncidentJson]
    resume: str


class ProblemJson(Struct, forbid_unknown_fields=True):
    """What verification found, and in which match if in one."""

    match: int | None
    problem: str


class VerifyJson(Struct, forbid_unknown_fields=True):
    """`arena tournament verify`."""

    tournaments: list[str]
    matches: int
    unplaced: int
    problems: list[ProblemJson]
