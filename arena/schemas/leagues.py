"""What the commands on leagues and clusters print with `--json`."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class LeagueJson(Struct, forbid_unknown_fields=True):
    """`arena league list`."""

    league: str
    title: str
    state: str
    game: str
    players: list[int]
    bots: int
    matches: int


class EntryJson(Struct, forbid_unknown_fields=True):
    """A submission; times are seconds since 1970."""

    bot: str
    state: str
    reason: str | None
    kind: str
    received: int
    digest: str
    files: int
    size: int


class ActJson(Struct, forbid_unknown_fields=True):
    """`arena league acts`: what an organiser did, and why."""

    id: int
    at: int
    act: str
    subject: str
    facts: dict[str, Any]
    reason: str
    by: str


class LeagueEventJson(Struct, forbid_unknown_fields=True):
    """That a league was opened, paused, frozen or closed."""

    at: int
    state: str
    reason: str
    by: str


class LeagueFactsJson(Struct, forbid_unknown_fields=True):
    """`arena league show LEAGUE`; the seed of an open league is secret, and null."""

    league: str
    state: str
    reason: str
    seed: int | None
    created: int
    contained: bool  # false if bots could have cheated in some of its matches
    title: str
    text: str
    contact: str
    opens: str
    closes: str
    season: int
    division: int
    previous: str
    following: list[str]
    rules: dict[str, Any]
    events: list[LeagueEventJson]
    acts: list[ActJson]
    bots: list[EntryJson]


class LeagueStandingJson(Struct, forbid_unknown_fields=True):
    """`arena league table`: where a bot of a league stands; as in `arena rank show`."""

    rank: int
    rank_low: int
    rank_high: int
    bot: str
    owner: str
    state: str
    skill: float
    skill_low: float
    skill_high: float
    rating: float
    mu: float
    sigma: float
    superior: float | None
    games: int
    win_share: float
    rank_points: float | None
    faults: int
    longest_ms: float | None
    provisional: bool


class LiftJson(Struct, rename={"other": "with"}, forbid_unknown_fields=True):
    """`arena league collusion`: how much better a bot does with another at the table."""

    bot: str
    other: str
    same_owner: bool
    where: str
    games: int
    lift: float
    score: float
    chance: float
    alarming: bool


class PhaseJson(Struct, forbid_unknown_fields=True):
    """`arena league simulate`: what filling the league, or an update, costs."""

    phase: str
    matches: int
    stages: int
    fewest_games: int
    most_games: int
    rank_range: float
    others_rank_range: float | None
    inside: float


class TokenJson(Struct, forbid_unknown_fields=True):
    """`arena owner tokens`: a token without its secret; times are seconds since 1970."""

    id: int
    name: str
    made: int
    expires: int | None
    valid: bool


class InvitationJson(Struct, forbid_unknown_fields=True):
    """`arena owner invitations`: an invitation without its link; times are seconds since 1970."""

    id: int
    name: str
    state: Literal["ASKED", "READY", "USED", "REVOKED", "EXPIRED"]
    made: int
    expires: int
    note: str


class OwnerJson(Struct, forbid_unknown_fields=True):
    """`arena owner list`; `banned` is the reason of a ban."""

    owner: str
    since: int
    bots: int
    banned: str | None


class DuplicateJson(Struct, forbid_unknown_fields=True):
    """`arena league duplicates`: bots of different owners with the same content."""

    digest: str
    bots: list[str]


class WebhookJson(Struct, forbid_unknown_fields=True):
    """`arena league webhook list`."""

    webhook: int
    url: str
    state: str
    failures: int
    problem: str | None


class MachineJson(Struct, forbid_unknown_fields=True):
    """`arena cluster status`: a machine; what it has not told is null."""

    machine: str
    address: str
    cores: int | None
    sandbox: str | None
    program: str | None
    engine: str | None
    python: str | None
    speed: float | None
    noise: str | None  # why its clock cannot be relied on; empty if it can
    under_way: int
    played: int
    rate: float
