"""What is stored, as it travels to the rest of the program: frozen values, never database rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from engine.match import MatchResult, Variant

WORKER: Final = "worker "  # how the signature of a worker begins, in the `by` of an event
# How bots were kept where any of them could have cheated.
UNCONTAINED: Final = frozenset({"in-process", "trusted", "unsafe"})
SERIES: Final = '"kind":"'  # in the configuration of games that nobody scheduled


class LeagueState(StrEnum):
    """What a league is doing."""

    CREATED = "CREATED"
    OPEN = "OPEN"
    PAUSED = "PAUSED"  # takes submissions, plays nothing
    FROZEN = "FROZEN"  # plays, takes no submissions
    FINAL = "FINAL"  # the same, with more games on new deals, before it is closed
    CLOSED = "CLOSED"
    ARCHIVED = "ARCHIVED"  # a mistake: shown nowhere


class SubmissionState(StrEnum):
    """What became of a submission."""

    RECEIVED = "RECEIVED"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    WITHDRAWN = "WITHDRAWN"
    SUSPENDED = "SUSPENDED"
    RESUMED = "RESUMED"


class StageKind(StrEnum):
    """What a stage of a league is for."""

    PLACEMENT = "placement"
    BALANCED = "balanced"
    ADAPTIVE = "adaptive"


class ActKind(StrEnum):
    """What a moderator or an organiser did."""

    STATE = "state"  # of a league or a bot
    EXCLUDE = "exclude"
    RESTORE = "restore"
    BAN = "ban"
    UNBAN = "unban"
    RENAME = "rename"
    HIDE = "hide"
    UNHIDE = "unhide"
    ERASE = "erase"
    EDIT = "edit"  # what a league says of itself, or its rules
    FINAL = "final"
    ROLE = "role"  # of an owner on the site
    MEMBER = "member"  # of a team
    ADMIT = "admit"  # somebody who asked
    REFUSE = "refuse"
    SEASON = "season"  # a league that follows another


class Moderation(StrEnum):
    """What a moderator made of a submission, whatever its state."""

    BANNED = "BANNED"  # its owner is
    HIDDEN = "HIDDEN"
    ERASED = "ERASED"


# A submission in one of these states plays, if it is the current version of its bot.
ACTIVE: Final = frozenset({SubmissionState.ACCEPTED, SubmissionState.RESUMED})


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as it competes: other code or other parameters are another entrant."""

    id: int
    label: str
    spec: str  # what finds the bot again
    digest: str  # of its code and its parameters
    version: str
    owner: str | None
    parent: int | None  # the entrant it is a new version of
    created: int  # seconds since 1970, as all times of day here


@dataclass(frozen=True, slots=True)
class Tournament:
    """Matches that belong to one schedule, or were played in one series for its author to see."""

    id: int
    name: str
    seed: str  # any integer, in decimal
    config: str  # JSON
    identity: str  # digest of what makes two runs the same tournament
    cycles: str  # JSON, the cycles of the design
    command: str
    created: int

    @property
    def is_series(self) -> bool:
        """Whether these are games of play, compare or tune, which nobody scheduled."""
        return SERIES in self.config


@dataclass(frozen=True, slots=True)
class RoundsTarget:
    """How many rounds of a tournament were asked for; None: as many as there is time for."""

    rounds: int | None
    command: str
    at: int


@dataclass(frozen=True, slots=True)
class Incident:
    """A match that failed because of the machine, not of a bot, and was played again."""

    id: int
    tournament: int
    number: int
    detail: str
    at: int


@dataclass(frozen=True, slots=True)
class ExclusionEvent:
    """Someone took a match out of the ratings, or back in; the last event counts."""

    id: int
    match: int
    excluded: bool
    reason: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who sat at one seat of a match, and how it came out."""

    seat: int
    entrant: int
    wonder: str
    score: int
    rank: int  # 0 is the winner
    fault: str | None  # its kind
    fault_decision: int | None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match with all that is known of it."""

    id: int
    tournament: int
    number: int  # its place in the schedule
    fixture: str
    stage: str
    round: int
    rated: bool
    program: str  # version of the arena
    played_at: int
    checksum: bytes
    seats: tuple[StoredSeat, ...]
    entrants: tuple[Entrant, ...]  # one a seat
    result: MatchResult
    excluded: bool
    events: tuple[ExclusionEvent, ...]

    @property
    def game(self) -> str:
        return self.result.spec.game

    @property
    def players(self) -> int:
        return self.result.spec.setup.players

    @property
    def edition(self) -> str | None:
        return self.result.spec.setup.variant.edition

    @property
    def expert(self) -> bool:
        return self.result.spec.setup.variant.expert

    @property
    def seed(self) -> int:
        return self.result.spec.seed

    @property
    def rules(self) -> int:
        """The version of the game's rules."""
        return self.result.spec.version

    @property
    def sandbox(self) -> str:
        return self.result.sandbox

    @property
    def is_contained(self) -> bool:
        """Whether no bot could have cheated."""
        return self.sandbox not in UNCONTAINED


@dataclass(frozen=True, slots=True)
class Origin:
    """Matches that have the same origin, and how many they are."""

    tournament: int
    stage: str
    variant: Variant
    players: int
    sandbox: str
    rated: bool
    matches: int

    @property
    def is_contained(self) -> bool:
        """Whether no bot could have cheated."""
        return self.sandbox not in UNCONTAINED


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round of a tournament as far as it is played."""

    stage: str
    game: str
    players: int
    round: int
    matches: int


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How often a bot failed in one way."""

    entrant: int
    kind: str
    matches: int
    last: int  # the match in which it did so last


@dataclass(frozen=True, slots=True)
class TournamentSummary:
    """A tournament, who is in it, and what was played."""

    tournament: Tournament
    entrants: tuple[int, ...]
    matches: int  # all there are
    games: tuple[str, ...]  # of the matches that count: the rated, or where there are none all
    rated: bool  # whether those that count are rated


@dataclass(frozen=True, slots=True)
class League:
    """Where bots compete over time, under rules that do not change."""

    id: int
    name: str
    rules: str  # TOML
    seed: str  # any integer, in decimal
    created: int


@dataclass(frozen=True, slots=True)
class LeagueDetails:
    """What a league says of itself, and which season it is."""

    title: str = ""
    text: str = ""  # Markdown
    contact: str = ""
    opens: str = ""  # a date, YYYY-MM-DD
    closes: str = ""
    season: int = 1
    division: int = 0  # 1 is the highest; 0 where there are none
    previous: str = ""  # the league of the season before
    following: tuple[str, ...] = ()  # those of the season after


@dataclass(frozen=True, slots=True)
class LeagueFinal:
    """The last phase of a season: from which stage on, how many games, and their seed."""

    stage: int  # the last before it
    games: int
    seed: str  # shown when the league is closed
    seed_sha256: str  # shown before


@dataclass(frozen=True, slots=True)
class LeagueEvent:
    """A league took a state; the last counts."""

    id: int
    league: int
    state: LeagueState
    reason: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class LeagueStage:
    """A tournament that a league plays; a new one when the field changes or the last is played."""

    tournament: int
    league: int
    number: int  # 1, 2, 3 ... in each league
    kind: StageKind


@dataclass(frozen=True, slots=True)
class Owner:
    """Someone whose bots compete."""

    id: int
    name: str
    created: int


@dataclass(frozen=True, slots=True)
class Act:
    """What a moderator did, and why; the acts of a database are a hash chain."""

    id: int
    league: int | None
    kind: ActKind
    subject: str  # what it was done to, as it is called now
    facts: Mapping[str, Any]
    reason: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class SubmissionEvent:
    """A submission took a state; the last counts."""

    id: int
    submission: int
    state: SubmissionState
    reason: str
    detail: str  # such as what the bot said when it failed
    by: str
    at: int


@dataclass(frozen=True)
class Submission:
    """A version of a bot in a league, with all that became of it."""

    id: int
    league: int
    entrant: int
    label: str  # OWNER/NAME@VERSION
    owner: str | None
    name: str
    version: str
    digest: str
    facts: Mapping[str, Any]  # what the bot says of itself
    parent: int | None  # the submission it is a new version of
    received: int
    files: int
    size: int
    events: tuple[SubmissionEvent, ...]
    is_current: bool  # of its name's versions the one that was let play last
    moderation: Moderation | None = None
    moderation_reason: str = ""

    @property
    def state(self) -> SubmissionState:
        """The last event's."""
        return self.events[-1].state

    @property
    def reason(self) -> str:
        """Of what a moderator made of it, or of the last event."""
        return self.moderation_reason if self.moderation else self.events[-1].reason

    @property
    def public_reason(self) -> str:
        """What everybody may read of it: why a bot failed its check is its owner's affair."""
        failed = self.state == SubmissionState.REJECTED and not self.moderation
        return "" if failed else self.reason

    @property
    def is_anonymous(self) -> bool:
        """Whether nobody but its owner and organisers may learn whose it is."""
        return self.moderation in (Moderation.HIDDEN, Moderation.ERASED)

    @property
    def detail(self) -> str:
        """Of the last event: such as the bot's own traceback."""
        return self.events[-1].detail

    @property
    def kind(self) -> str:
        """What sort of program it is; the oldest submissions do not say it, and are Python."""
        return str(self.facts.get("kind", "Python"))

    @property
    def plays(self) -> bool:
        """Whether it is to be scheduled."""
        return self.is_current and self.state in ACTIVE and self.moderation is None

    @property
    def status(self) -> str:
        """Its state, as people see it."""
        if self.moderation:
            return self.moderation.value
        if self.state in ACTIVE:
            return SubmissionState.ACCEPTED.value if self.is_current else "RETIRED"
        return self.state.value

    @property
    def is_barred(self) -> bool:
        """Whether a person suspended or hid it, and it was not let play again."""
        if self.moderation:
            return True
        suspended = SubmissionState.SUSPENDED
        turns = [e for e in self.events if e.state in (suspended, SubmissionState.RESUMED)]
        last = turns[-1] if turns and turns[-1].state == suspended else None
        return last is not None and not last.by.startswith(WORKER)

    @property
    def since(self) -> int:
        """When it was last let play; its faults are counted from there."""
        return max((event.at for event in self.events if event.state in ACTIVE), default=0)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How one entrant of a league behaves; times in seconds of computing."""

    games: int
    faults: Mapping[str, int]  # by kind
    longest: tuple[float, ...]  # the longest answer of a match: quantiles of `reliability`
    match: tuple[float, ...]  # a whole match, the start included: likewise

    @property
    def failed(self) -> int:
        """Games in which it failed."""
        return sum(self.faults.values())
