"""Submissions read with all that became of them, and new ones stored."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from leagues.moderation.acts import last_acts
from leagues.moderation.signatures import signer_names
from leagues.records import (
    ACTIVE,
    ActKind,
    Moderation,
    Submission,
    SubmissionEvent,
    SubmissionState,
)
from leagues.storage.codec import check_line, check_lines, parse_word
from leagues.storage.models.leagues import SnapshotRow, SubmissionEventRow, SubmissionRow
from leagues.storage.models.results import EntrantRow, OwnerRow
from leagues.storage.models.rows import number_of, with_checksum
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
    ).all()
    signers = signer_names(session.connection(), {row.by for row in found})
    events = [_event(row, signers[row.by]) for row in found]
    by_submission: dict[int, list[SubmissionEvent]] = {}
    for event in events:
        by_submission.setdefault(event.submission, []).append(event)
    current = _current([row for row, *_ in rows], events)
    verdicts = _Verdicts(session)
    return [
        _submission(
            row,
            label,
            owner,
            sizes[row.digest],
            by_submission[number_of(row)],
            number_of(row) in current,
            verdicts.of(row),
        )
        for row, label, owner in rows
    ]


class _Verdicts:
    """What moderators made of owners and submissions."""

    def __init__(self, session: Session) -> None:
        self._banned = last_acts(session, ActKind.BAN, ActKind.UNBAN, "owner")
        self._hidden = last_acts(session, ActKind.HIDE, ActKind.UNHIDE, "submission")
        self._erased = last_acts(session, ActKind.ERASE, None, "submission")

    def of(self, row: SubmissionRow) -> tuple[Moderation | None, str]:
        """What became of a submission, and why."""
        id = number_of(row)
        for verdict, reasons, key in (
            (Moderation.ERASED, self._erased, id),
            (Moderation.HIDDEN, self._hidden, id),
            (Moderation.BANNED, self._banned, row.owner),
        ):
            if key in reasons:
                return verdict, reasons[key]
        return None, ""


def _current(rows: Sequence[SubmissionRow], events: Sequence[SubmissionEvent]) -> set[int]:
    """Of the versions of each bot, the one that was let play last."""
    of = {number_of(row): (row.owner, row.name) for row in rows}
    last = {of[event.submission]: event.submission for event in events if event.state in ACTIVE}
    return set(last.values())


def _event(row: SubmissionEventRow, by: str) -> SubmissionEvent:
    return SubmissionEvent(
        id=number_of(row),
        submission=row.submission,
        state=parse_word(SubmissionState, row.state),
        reason=row.reason,
        detail=row.detail,
        by=by,
        at=row.at,
    )


def _submission(
    row: SubmissionRow,
    label: str,
    owner: str | None,
    size: tuple[int, int],
    events: list[SubmissionEvent],
    is_current: bool,
    verdict: tuple[Moderation | None, str],
) -> Submission:
    return Submission(
        id=number_of(row),
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
        moderation=verdict[0],
        moderation_reason=verdict[1],
    )


def add_submission(
    session: Session,
    new: NewSubmission,
    owner: int | None,
    limit: int | None,
    active: int | None = None,
) -> tuple[int, bool]:
    """The number of the submission of this content, and whether it is new; RefusedError or so."""
    digest = new.archive.digest
    rows = session.exec(
        select(SubmissionRow)
        .where(SubmissionRow.league == new.league)
        .order_by(col(SubmissionRow.id))
    ).all()
    for row in rows:
        if row.digest == digest and row.owner == owner:
            return number_of(row), False
    mine = [each for each in read_submissions(session, new.league) if each.owner == new.owner]
    if new.owner is not None:
        check_quota(mine, new.name, limit, int(time.time()), active)
    else:
        check_quota(mine, new.name, None, int(time.time()))
    before = [row for row in rows if row.name == new.name and row.owner == owner]
    entrant = _add_entrant(session, new, owner, before)
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


def _entrant_digest(session: Session, digest: str, league: int, owner: int | None) -> str:
    """What tells an entrant from all others; different owners may have the same content."""
    found = f"{digest}@{league}"
    taken = session.exec(select(EntrantRow.id).where(EntrantRow.digest == found)).first()
    return found if taken is None else f"{found}/{owner or ''}"


def _add_entrant(
    session: Session, new: NewSubmission, owner: int | None, before: Sequence[SubmissionRow]
) -> int:
    digest = new.archive.digest
    versions = [row.version for row in before]
    row = EntrantRow(
        label=entrant_label(new.owner, new.name, new.version, digest, versions),
        spec=f"league:{digest}",
        digest=_entrant_digest(session, digest, new.league, owner),
        version=new.version,
        owner=new.owner,
        parent=before[-1].entrant if before else None,
        created=int(time.time()),
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()
    return number_of(row)


def entrant_label(
    owner: str | None, name: str, version: str, digest: str, before: Sequence[str]
) -> str:
    """OWNER/NAME@VERSION; with a part of the digest if the version came before."""
    label = f"{name if owner is None else f'{owner}/{name}'}@{version}"
    return f"{label}+{digest[:6]}" if version in before else label


def _add_snapshot(session: Session, archive: BotArchive) -> None:
    """Store the files, unless another league has them; they may have been erased."""
    row = session.get(SnapshotRow, archive.digest)
    if row is not None and row.content:
        return
    content = pack_archive(archive)
    if row is None:
        row = SnapshotRow(
            digest=archive.digest,
            content=content,
            files=0,
            size=0,
            created=int(time.time()),
            checksum=b"",
        )
    row.content, row.files, row.size = content, len(archive.items), archive.size
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
