"""Submissions read with all that became of them, and new ones stored."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from leagues.errors import DuplicateContentError
from leagues.records import ACTIVE, Submission, SubmissionEvent, SubmissionState
from leagues.storage.codec import check_line, check_lines, parse_word
from leagues.storage.models import (
    EntrantRow,
    OwnerRow,
    SnapshotRow,
    SubmissionEventRow,
    SubmissionRow,
    number_of,
    with_checksum,
)
from leagues.submissions.archive import BotArchive, pack_archive
from leagues.submissions.lifecycle import check_quota


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A bot as it is submitted to a league."""

    league: int
    archive: BotArchive
    name: str
    version: str
    facts: Mapping[str, object]  # what the bot says of itself
    owner: str | None = None
    by: str = ""


def read_submissions(
    session: Session, league: int, like: SubmissionRow | None = None
) -> list[Submission]:
    """All submissions of a league, oldest first; or those that are versions of the same bot."""
    wanted = [col(SubmissionRow.league) == league]
    if like is not None:
        wanted.append(col(SubmissionRow.name) == like.name)
        wanted.append(col(SubmissionRow.owner).is_not_distinct_from(like.owner))
    rows = session.exec(
        select(SubmissionRow, EntrantRow.label, OwnerRow.name)
        .join(EntrantRow, col(EntrantRow.id) == col(SubmissionRow.entrant))
        .join(OwnerRow, col(OwnerRow.id) == col(SubmissionRow.owner), isouter=True)
        .where(*wanted)
        .order_by(col(SubmissionRow.id))
    ).all()
    sizes = {
        digest: (files, size)
        for digest, files, size in session.exec(
            select(SnapshotRow.digest, SnapshotRow.files, SnapshotRow.size)
            .join(SubmissionRow, col(SubmissionRow.digest) == col(SnapshotRow.digest))
            .where(*wanted)
        )
    }
    found = session.exec(
        select(SubmissionEventRow)
        .join(SubmissionRow, col(SubmissionRow.id) == col(SubmissionEventRow.submission))
        .where(*wanted)
        .order_by(col(SubmissionEventRow.id))
    )
    events = [_event(row) for row in found]
    by_submission: dict[int, list[SubmissionEvent]] = {}
    for event in events:
        by_submission.setdefault(event.submission, []).append(event)
    current = _current([row for row, *_ in rows], events)
    return [
        _submission(row, label, owner, sizes[row.digest], by_submission[number_of(row)], current)
        for row, label, owner in rows
    ]


def _current(rows: Sequence[SubmissionRow], events: Sequence[SubmissionEvent]) -> set[int]:
    """Of the versions of each bot, the one that was let play last."""
    of = {number_of(row): (row.owner, row.name) for row in rows}
    last = {of[event.submission]: event.submission for event in events if event.state in ACTIVE}
    return set(last.values())


def _event(row: SubmissionEventRow) -> SubmissionEvent:
    return SubmissionEvent(
        id=number_of(row),
        submission=row.submission,
        state=parse_word(SubmissionState, row.state),
        reason=row.reason,
        detail=row.detail,
        by=row.by,
        at=row.at,
    )


def _submission(
    row: SubmissionRow,
    label: str,
    owner: str | None,
    size: tuple[int, int],
    events: list[SubmissionEvent],
    current: set[int],
) -> Submission:
    id = number_of(row)
    return Submission(
        id=id,
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
        is_current=id in current,
    )


def add_submission(
    session: Session, new: NewSubmission, owner: int | None, limit: int | None
) -> tuple[int, bool]:
    """The number of the submission of this content, and whether it is new; RefusedError or so."""
    digest = new.archive.digest
    rows = session.exec(
        select(SubmissionRow)
        .where(SubmissionRow.league == new.league)
        .order_by(col(SubmissionRow.id))
    ).all()
    for row in rows:
        if row.digest == digest:
            if row.owner != owner:
                raise DuplicateContentError(
                    "expected a bot of your own, got the content of another's",
                    label=session.get_one(EntrantRow, row.entrant).label,
                )
            return number_of(row), False
    mine = [each for each in read_submissions(session, new.league) if each.owner == new.owner]
    check_quota(mine, new.name, limit if new.owner else None, int(time.time()))
    before = [row for row in rows if row.name == new.name and row.owner == owner]
    entrant = _add_entrant(session, new, before)
    _add_snapshot(session, new.archive)
    row = SubmissionRow(
        league=new.league,
        owner=owner,
        name=new.name,
        version=new.version,
        digest=digest,
        facts=json.dumps(new.facts, sort_keys=True),
        parent=before[-1].id if before else None,
        entrant=entrant,
        received=int(time.time()),
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()
    id = number_of(row)
    session.add(submission_event(id, SubmissionState.RECEIVED, by=new.by))
    return id, True


def _add_entrant(session: Session, new: NewSubmission, before: Sequence[SubmissionRow]) -> int:
    digest = new.archive.digest
    who = new.name if new.owner is None else f"{new.owner}/{new.name}"
    label = f"{who}@{new.version}"
    if any(row.version == new.version for row in before):
        label = f"{label}+{digest[:6]}"  # another content under the same number
    row = EntrantRow(
        label=label,
        spec=f"league:{digest}",
        digest=f"{digest}@{new.league}",
        version=new.version,
        owner=new.owner,
        parent=before[-1].entrant if before else None,
        created=int(time.time()),
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()
    return number_of(row)


def _add_snapshot(session: Session, archive: BotArchive) -> None:
    """Store the files, unless another league has them."""
    if session.get(SnapshotRow, archive.digest) is not None:
        return
    row = SnapshotRow(
        digest=archive.digest,
        content=pack_archive(archive),
        files=len(archive.items),
        size=archive.size,
        created=int(time.time()),
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()


def submission_event(
    submission: int, state: SubmissionState, reason: str = "", detail: str = "", by: str = ""
) -> SubmissionEventRow:
    """The row of an event."""
    row = SubmissionEventRow(
        submission=submission,
        state=state.value,
        reason=check_line(reason, "a reason"),
        detail=check_lines(detail, "a detail"),
        by=check_line(by, "a name"),
        at=int(time.time()),
        checksum=b"",
    )
    return with_checksum(row)
