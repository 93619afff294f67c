"""What leagues and submissions may become, and what bots and owners may be called."""

import re
from collections.abc import Sequence
from typing import Final

from leagues.errors import RefusedError
from leagues.records import ACTIVE, LeagueState, Submission, SubmissionState

NEXT_LEAGUE_STATES: Final = {
    LeagueState.CREATED: (LeagueState.OPEN, LeagueState.CLOSED, LeagueState.ARCHIVED),
    LeagueState.OPEN: (
        *(LeagueState.PAUSED, LeagueState.FROZEN, LeagueState.FINAL),
        *(LeagueState.CLOSED, LeagueState.ARCHIVED),
    ),
    LeagueState.PAUSED: (
        *(LeagueState.OPEN, LeagueState.FROZEN, LeagueState.FINAL),
        *(LeagueState.CLOSED, LeagueState.ARCHIVED),
    ),
    LeagueState.FROZEN: (
        *(LeagueState.OPEN, LeagueState.PAUSED, LeagueState.FINAL),
        *(LeagueState.CLOSED, LeagueState.ARCHIVED),
    ),
    LeagueState.FINAL: (LeagueState.CLOSED, LeagueState.ARCHIVED),
    LeagueState.CLOSED: (LeagueState.ARCHIVED,),
    LeagueState.ARCHIVED: (),  # but for the state it had before
}
RECEIVING: Final = frozenset({LeagueState.CREATED, LeagueState.OPEN, LeagueState.PAUSED})
PLAYING: Final = frozenset({LeagueState.OPEN, LeagueState.FROZEN, LeagueState.FINAL})
NEXT_SUBMISSION_STATES: Final = {
    SubmissionState.RECEIVED: (
        SubmissionState.ACCEPTED,
        SubmissionState.REJECTED,
        SubmissionState.WITHDRAWN,
    ),
    SubmissionState.ACCEPTED: (SubmissionState.WITHDRAWN, SubmissionState.SUSPENDED),
    SubmissionState.REJECTED: (SubmissionState.RECEIVED, SubmissionState.WITHDRAWN),
    SubmissionState.WITHDRAWN: (SubmissionState.RESUMED, SubmissionState.RECEIVED),
    SubmissionState.SUSPENDED: (SubmissionState.RESUMED, SubmissionState.WITHDRAWN),
    SubmissionState.RESUMED: (SubmissionState.WITHDRAWN, SubmissionState.SUSPENDED),
}
DAY: Final = 24 * 3600
REJECTED_AS_ONE: Final = 4  # uploads that were rejected, in the quota of a day
CONFUSABLE: Final = str.maketrans("01i_", "oll-")  # taken for each other, in small letters
RESERVED: Final = ("erased-", "anonymous")  # for those whose names were forgotten or hidden
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,39}")


def check_league_state(league: str, now: LeagueState, state: LeagueState) -> None:
    """RefusedError if a league in one state may not have the other."""
    allowed = NEXT_LEAGUE_STATES[now]
    if state in allowed:
        return
    if state == now:
        raise RefusedError("{name} is {now} already", name=league, now=now)
    if now in (LeagueState.CLOSED, LeagueState.ARCHIVED):
        raise RefusedError(
            "{league} is permanently {now}: expected a league that continues",
            league=league,
            now=now,
        )
    raise RefusedError(
        "{league} is {now}: expected {allowed} next, got {state}",
        league=league,
        now=now,
        allowed=" or ".join(allowed),
        state=state,
    )


def check_submission_state(
    label: str, states: Sequence[SubmissionState], state: SubmissionState
) -> None:
    """RefusedError if a submission that had these states may not have the next."""
    now = states[-1]
    if state in NEXT_SUBMISSION_STATES[now]:
        if state == SubmissionState.RESUMED and not ACTIVE.intersection(states):
            raise RefusedError(
                "{label} was never let play: expected it RECEIVED, and checked first", label=label
            )
        return
    if now in ACTIVE and state in ACTIVE:
        raise RefusedError("{label} plays already", label=label)
    if state == now:
        raise RefusedError("{name} is {now} already", name=label, now=now)
    before = " or ".join(each for each, next in NEXT_SUBMISSION_STATES.items() if state in next)
    raise RefusedError(
        "{label} is {now}: expected a bot that is {before} to become {state}",
        label=label,
        now=now,
        before=before,
        state=state,
    )


def check_names(name: str, version: str, owner: str | None) -> None:
    """RefusedError unless a bot, its version and its owner can be called that."""
    _check_reserved(name)
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise RefusedError(
            "expected a bot's name of letters, digits, - and _, got {name!a}", name=name[:80]
        )
    if not VERSION.fullmatch(version):
        raise RefusedError(
            "expected a version of up to 40 letters, digits and .+_-, got {version!a}",
            version=version[:80],
        )
    if owner is not None:
        check_owner(owner)


def check_quota(
    mine: Sequence[Submission], name: str, limit: int | None, now: int, active: int | None = None
) -> None:
    """RefusedError if an owner submits once too often in a day, or again what was suspended.

    Of those that were rejected, so many count as one; and it may have so many active bots.
    """
    for submission in mine:
        if submission.name == name and submission.is_barred:
            raise RefusedError(
                "expected a bot that may play, got one of {label}, which was suspended",
                label=submission.label,
            )
    names = {each.name for each in mine if each.plays or each.state == SubmissionState.RECEIVED}
    if active is not None and name not in names and len(names) >= active:
        raise RefusedError(
            "expected at most {active} bots of an owner that play, got another: withdraw one first",
            active=active,
        )
    late = _counted(sorted(mine, key=lambda each: each.received), now - DAY)
    if limit is not None and len(late) >= limit:
        wait = (late[-limit] + DAY - now) // 60 + 1
        raise RefusedError(
            "too many submissions: {limit} a day, retry in {wait} min", limit=limit, wait=wait
        )


def _counted(mine: Sequence[Submission], since: int) -> list[int]:
    """When submissions were received that count: of the rejected, every so many as one."""
    rejected = 0
    counted = []
    for each in mine:
        if each.received <= since:
            continue
        if each.state == SubmissionState.REJECTED:
            rejected += 1
            if rejected % REJECTED_AS_ONE:
                continue
        counted.append(each.received)
    return counted


def look_alike(one: str, other: str) -> bool:
    """Whether people would take one name for the other."""
    return one.casefold().translate(CONFUSABLE) == other.casefold().translate(CONFUSABLE)


def _check_reserved(name: str) -> None:
    """RefusedError if this is what nameless bots and owners are called."""
    if name.casefold().startswith(RESERVED):
        raise RefusedError(
            "expected a name that does not begin with {words}, got {name}",
            words=" or ".join(RESERVED),
            name=name[:80],
        )


def check_owner(owner: str) -> None:
    """RefusedError unless an owner can be called that."""
    _check_reserved(owner)
    if not NAME.fullmatch(owner):
        raise RefusedError(
            "expected an owner's name of up to 40 letters, digits, - and _, got {owner!a}",
            owner=owner[:80],
        )
