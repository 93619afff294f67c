"""What leagues and submissions may become, and submissions as they are read."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session, col, select

from leagues.storage.database import RefusedError
from leagues.storage.models import Entrant, Owner, Snapshot, Submission, SubmissionEvent

# What a league may become. PAUSED takes submissions and plays nothing, FROZEN the other way round.
LIFE: Final = {
    "CREATED": ("OPEN", "CLOSED"),
    "OPEN": ("PAUSED", "FROZEN", "CLOSED"),
    "PAUSED": ("OPEN", "FROZEN", "CLOSED"),
    "FROZEN": ("OPEN", "PAUSED", "CLOSED"),
    "CLOSED": (),
}
RECEIVING: Final = ("CREATED", "OPEN", "PAUSED")
PLAYING: Final = ("OPEN", "FROZEN")
# What a submission may become; who is ACCEPTED or RESUMED plays.
FATE: Final = {
    "RECEIVED": ("ACCEPTED", "REJECTED", "WITHDRAWN"),
    "ACCEPTED": ("WITHDRAWN", "SUSPENDED"),
    "REJECTED": ("RECEIVED", "WITHDRAWN"),
    "WITHDRAWN": ("RESUMED", "RECEIVED"),
    "SUSPENDED": ("RESUMED", "WITHDRAWN"),
    "RESUMED": ("WITHDRAWN", "SUSPENDED"),
}
ACTIVE: Final = ("ACCEPTED", "RESUMED")
WORKER: Final = "worker "  # begins what a worker signs with
DAY: Final = 24 * 3600
ALIKE: Final = str.maketrans("01i_", "oll-")  # what is taken for each other, in small letters
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,39}")


class AnothersError(RefusedError):
    """A bot handed in whose content somebody else handed in before, under this label."""

    def __init__(self, label: str) -> None:
        super().__init__("expected a bot of your own, got the content of another's")
        self.label = label


def check_life(league: str, now: str, state: str) -> None:
    """RefusedError if a league in one state may not have the other."""
    if state in LIFE[now]:
        return
    if state == now:
        raise RefusedError(f"{league} is {now} already")
    if not LIFE[now]:
        raise RefusedError(f"{league} is {now} for good: expected a league that goes on")
    may = " or ".join(LIFE[now])
    raise RefusedError(f"{league} is {now}: expected {may} next, got {state}")


def check_fate(label: str, states: Sequence[str], state: str) -> None:
    """RefusedError if a submission that had these states may not have the next."""
    now = states[-1]
    if state in FATE[now]:
        if state == "RESUMED" and not set(states) & set(ACTIVE):
            raise RefusedError(
                f"{label} was never let play: expected it RECEIVED, and checked first"
            )
        return
    if now in ACTIVE and state in ACTIVE:
        raise RefusedError(f"{label} plays already")
    if state == now:
        raise RefusedError(f"{label} is {now} already")
    before = " or ".join(each for each, next in FATE.items() if state in next)
    raise RefusedError(f"{label} is {now}: expected a bot that is {before} to become {state}")


@dataclass(frozen=True)
class Entry:
    """A submission with all that became of it."""

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

    @property
    def state(self) -> str:
        """The last event's."""
        return self.events[-1].state

    @property
    def reason(self) -> str:
        """Of the last event."""
        return self.events[-1].reason

    @property
    def detail(self) -> str:
        """Of the last event: such as the bot's own traceback."""
        return self.events[-1].detail

    @property
    def kind(self) -> str:
        """What sort of program it is; those of before this was asked were all Python."""
        return str(self.facts.get("kind", "Python"))

    @property
    def plays(self) -> bool:
        """Whether it is to be scheduled."""
        return self.is_current and self.state in ACTIVE

    @property
    def status(self) -> str:
        """Its state, as people see it."""
        if self.state in ACTIVE:
            return "ACCEPTED" if self.is_current else "RETIRED"
        return self.state

    @property
    def is_barred(self) -> bool:
        """Whether a person suspended it, and it was not let play again."""
        turns = [event for event in self.events if event.state in ("SUSPENDED", "RESUMED")]
        last = turns[-1] if turns and turns[-1].state == "SUSPENDED" else None
        return last is not None and not last.by.startswith(WORKER)

    @property
    def since(self) -> int:
        """When it was last let play; its faults are counted from there."""
        return max((event.at for event in self.events if event.state in ACTIVE), default=0)


def read_entries(session: Session, league: int, like: Submission | None = None) -> list[Entry]:
    """All submissions of a league, oldest first; or those that are versions of the same bot."""
    wanted = [col(Submission.league) == league]
    if like is not None:
        wanted.append(col(Submission.name) == like.name)
        wanted.append(col(Submission.owner).is_not_distinct_from(like.owner))
    rows = session.exec(
        select(Submission, Entrant.label, Owner.name)
        .join(Entrant, col(Entrant.id) == col(Submission.entrant))
        .join(Owner, col(Owner.id) == col(Submission.owner), isouter=True)
        .where(*wanted)
        .order_by(col(Submission.id))
    ).all()
    sizes = {
        digest: (files, size)
        for digest, files, size in session.exec(
            select(Snapshot.digest, Snapshot.files, Snapshot.size)
            .join(Submission, col(Submission.digest) == col(Snapshot.digest))
            .where(*wanted)
        )
    }
    events = session.exec(
        select(SubmissionEvent)
        .join(Submission, col(Submission.id) == col(SubmissionEvent.submission))
        .where(*wanted)
        .order_by(col(SubmissionEvent.id))
    ).all()
    said: dict[int | None, list[SubmissionEvent]] = {}
    for event in events:
        said.setdefault(event.submission, []).append(event)
    current = _current([row for row, *_ in rows], events)
    return [
        _entry(row, label, owner, sizes[row.digest], said[row.id], row.id in current)
        for row, label, owner in rows
    ]


def _current(rows: Sequence[Submission], events: Sequence[SubmissionEvent]) -> set[int | None]:
    """Of the versions of each bot, the one that was let play last."""
    of = {row.id: (row.owner, row.name) for row in rows}
    last = {of[event.submission]: event.submission for event in events if event.state in ACTIVE}
    return set(last.values())


def _entry(
    row: Submission,
    label: str,
    owner: str | None,
    size: tuple[int, int],
    events: list[SubmissionEvent],
    is_current: bool,
) -> Entry:
    assert row.id is not None
    return Entry(
        id=row.id,
        league=row.league,
        entrant=row.entrant,
        label=label,
        owner=owner,
        name=row.name,
        version=row.version,
        digest=row.digest,
        facts=json.loads(row.facts),
        parent=row.parent,
        received=row.received,
        files=size[0],
        size=size[1],
        events=tuple(events),
        is_current=is_current,
    )


def check_names(name: str, version: str, owner: str | None) -> None:
    """RefusedError unless a bot, its version and its owner can be called that."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise RefusedError(f"expected a bot's name of letters, digits, - and _, got {name[:80]!a}")
    if not VERSION.fullmatch(version):
        raise RefusedError(
            f"expected a version of up to 40 letters, digits and .+_-, got {version[:80]!a}"
        )
    if owner is not None:
        check_owner(owner)


def check_welcome(mine: Sequence[Entry], name: str, most: int | None, now: int) -> None:
    """RefusedError if an owner hands in once too often in a day, or anew what was suspended."""
    for entry in mine:
        if entry.name == name and entry.is_barred:
            raise RefusedError(
                f"expected a bot that may play, got one of {entry.label}, which was suspended"
            )
    late = sorted(entry.received for entry in mine if entry.received > now - DAY)
    if most is not None and len(late) >= most:
        wait = (late[-most] + DAY - now) // 60 + 1
        raise RefusedError(
            f"expected at most {most} submissions in a day, got more: wait {wait} min"
        )


def look_alike(one: str, other: str) -> bool:
    """Whether people would take one name for the other."""
    return one.casefold().translate(ALIKE) == other.casefold().translate(ALIKE)


def check_owner(owner: str) -> None:
    if not NAME.fullmatch(owner):
        raise RefusedError(
            f"expected an owner's name of up to 40 letters, digits, - and _, got {owner[:80]!a}"
        )
