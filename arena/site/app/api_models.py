"""What programs are told: the shapes of the answers under /api."""

from dataclasses import dataclass

from arena.site.contests import Contests, Outline, SiteContest
from arena.site.pages.bot import Timing, profile
from leagues.ratings.effects import EffectEstimate
from leagues.ratings.head_to_head import Meeting
from leagues.ratings.leaderboard import Standing
from leagues.ratings.result_log import ResultLog
from leagues.ratings.statistics import Estimate
from leagues.records import StoredMatch, Submission
from leagues.storage.match_filter import MatchFilter


@dataclass(frozen=True)
class ErrorAnswer:
    """Why there is no answer."""

    detail: str


@dataclass(frozen=True)
class ContestAnswer:
    """A tournament or a league; its rows are under `board`."""

    path: str  # of its other answers, under /api
    name: str
    seed: str  # empty for a league that is not closed
    games: list[str]
    matches: int
    rated: bool
    begun: int  # seconds since 1970
    bots: list[int]
    state: str | None  # of a league


@dataclass(frozen=True)
class BotAnswer:
    """A bot as it competes."""

    id: int
    name: str
    version: str
    digest: str
    owner: str | None
    parent: int | None
    entered: int


@dataclass(frozen=True)
class RowAnswer:
    """A row of a leaderboard."""

    rank: int
    best_rank: int
    worst_rank: int
    bot: int
    name: str
    rating: float
    mu: float
    sigma: float
    skill: Estimate
    provisional: bool
    level_with_next: bool
    games: int
    wins: Estimate
    fair_wins: float
    mean_rank: Estimate | None
    mean_score: Estimate | None
    faults: int


@dataclass(frozen=True)
class BoardAnswer:
    """A leaderboard."""

    of: str
    game: str
    players: int | None
    matches: int
    rows: list[RowAnswer]


@dataclass(frozen=True)
class MeetingAnswer:
    """One bot against another; `above` is the share of games it finished above."""

    bot: int
    opponent: int
    games: int
    above: Estimate
    expected: float


@dataclass(frozen=True)
class ProfileAnswer:
    """A bot in a tournament and one of its games."""

    bot: BotAnswer
    row: RowAnswer | None
    effects: dict[str, list[EffectEstimate]]
    meetings: list[MeetingAnswer]
    timing: Timing | None
    versions: list[int]


@dataclass(frozen=True)
class SeatAnswer:
    """What one seat of a match was and did; times are in seconds of computing."""

    seat: int
    bot: int
    name: str
    wonder: str
    score: int
    rank: int  # 1 is the winner
    fault: str | None
    asked: int | None
    computed: float | None
    longest: float | None


@dataclass(frozen=True)
class MatchAnswer:
    """A match as it is listed."""

    id: int
    tournament: int
    number: int
    game: str
    players: int
    edition: str | None
    expansions: list[str]
    expert: bool
    stage: str
    round: int
    seed: int
    rules: int
    rated: bool
    excluded: bool
    sandbox: str
    played: int
    seconds: float
    time_factor: float  # what time limits were multiplied by on the machine that played
    seats: list[SeatAnswer]


@dataclass(frozen=True)
class FaultAnswer:
    """How a bot failed."""

    seat: int
    kind: str
    decision: int
    detail: str


@dataclass(frozen=True)
class ReplayAnswer:
    """A match with all its decisions: the deal follows from the seed, the rest from them."""

    match: MatchAnswer
    decisions: list[int]
    faults: list[FaultAnswer]


@dataclass(frozen=True)
class MatchesAnswer:
    """Some of the matches, the latest first, and how many there are in all."""

    matches: list[MatchAnswer]
    total: int


@dataclass(frozen=True)
class SubmissionAnswer:
    """A bot that was handed in, and what became of it."""

    id: int
    bot: int
    name: str
    owner: str | None
    version: str
    kind: str
    digest: str
    state: str
    reason: str
    received: int
    files: int
    size: int


def submission_answer(entry: Submission) -> SubmissionAnswer:
    """A submission; nothing of what its code said."""
    return SubmissionAnswer(
        id=entry.id,
        bot=entry.entrant,
        name=entry.label,
        owner=None if entry.is_anonymous else entry.owner,
        version="" if entry.is_anonymous else entry.version,
        kind=entry.kind,
        digest="" if entry.is_anonymous else entry.digest,
        state=entry.status,
        reason=entry.public_reason,
        received=entry.received,
        files=entry.files,
        size=entry.size,
    )


def contest_answer(contest: Outline) -> ContestAnswer:
    """A tournament or a league."""
    return ContestAnswer(
        "/".join(contest.path),
        contest.name,
        contest.seed,
        list(contest.games),
        contest.matches,
        contest.rated,
        contest.created,
        list(contest.bots),
        contest.league.state if contest.league else None,
    )


def bot_answer(contest: SiteContest, id: int) -> BotAnswer:
    """A bot."""
    it = contest.entrant(id)
    return BotAnswer(id, contest.labels[id], it.version, it.digest, it.owner, it.parent, it.created)


def row_answer(contest: SiteContest, row: Standing) -> RowAnswer:
    """A row of a leaderboard."""
    return RowAnswer(
        rank=row.rank,
        best_rank=row.best_rank,
        worst_rank=row.worst_rank,
        bot=row.entrant,
        name=contest.labels[row.entrant],
        rating=row.shown,
        mu=row.mu,
        sigma=row.sigma,
        skill=row.skill,
        provisional=row.provisional,
        level_with_next=row.level,
        games=row.games,
        wins=row.win_share,
        fair_wins=row.fair_share,
        mean_rank=row.mean_rank,
        mean_score=row.mean_score,
        faults=row.faults,
    )


def board_answer(contest: SiteContest, log: ResultLog, players: int | None) -> BoardAnswer:
    """A leaderboard."""
    board = contest.board(log, players)
    rows = [row_answer(contest, row) for row in board.rows]
    return BoardAnswer(contest.name, log.game, players, board.matches, rows)


def meeting_answer(met: Meeting) -> MeetingAnswer:
    """One bot against another."""
    return MeetingAnswer(met.entrant, met.opponent, met.games, met.share, met.expected)


def profile_answer(
    contests: Contests, contest: SiteContest, id: int, log: ResultLog | None
) -> ProfileAnswer:
    """A bot with its results."""
    found = profile(contests, contest, id, log)
    return ProfileAnswer(
        bot=bot_answer(contest, id),
        row=None if found.standing is None else row_answer(contest, found.standing),
        effects=found.effects,
        meetings=[meeting_answer(met) for met in found.meetings],
        timing=found.timing,
        versions=[each.id for each in found.relatives],
    )


def match_answer(contest: SiteContest, stored: StoredMatch) -> MatchAnswer:
    """A match."""
    match, setup = stored, stored.result.spec.setup
    seats = []
    for row in stored.seats:
        account = stored.result.accounts[row.seat] if stored.result.accounts else None
        seats.append(
            SeatAnswer(
                seat=row.seat,
                bot=row.entrant,
                name=contest.labels[row.entrant],
                wonder=row.wonder,
                score=row.score,
                rank=row.rank + 1,
                fault=row.fault,
                asked=account.asked if account else None,
                computed=account.computed if account else None,
                longest=account.longest if account else None,
            )
        )
    return MatchAnswer(
        id=match.id,
        tournament=match.tournament,
        number=match.number,
        game=match.game,
        players=match.players,
        edition=setup.variant.edition,
        expansions=list(setup.variant.expansions),
        expert=setup.variant.expert,
        stage=match.stage,
        round=match.round,
        seed=match.seed,
        rules=match.rules,
        rated=match.rated,
        excluded=stored.excluded,
        sandbox=match.sandbox,
        played=match.played_at,
        seconds=stored.result.seconds,
        time_factor=stored.result.time_factor,
        seats=seats,
    )


def replay_answer(contest: SiteContest, stored: StoredMatch) -> ReplayAnswer:
    """A match with all its decisions."""
    faults = [
        FaultAnswer(fault.seat, fault.kind, fault.decision, fault.detail)
        for fault in stored.result.faults
    ]
    return ReplayAnswer(match_answer(contest, stored), stored.result.decisions, faults)


def matches_answer(
    contests: Contests, contest: SiteContest, which: MatchFilter, most: int, after: int
) -> MatchesAnswer:
    """Matches of a slice."""
    found = contests.matches(which, most, after)
    total = contests.reader.results.count(which)
    return MatchesAnswer([match_answer(contest, stored) for stored in found], total)
