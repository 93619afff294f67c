"""Owners banned and renamed, bots hidden and erased: what they played stays, without a name."""

import json
import time
from collections.abc import Iterable

from sqlmodel import Session, col, select

from leagues.errors import NotFoundError, RefusedError
from leagues.moderation.acts import last_acts, last_seal, read_acts, record_act
from leagues.moderation.signatures import owner_signature
from leagues.records import Act, ActKind
from leagues.storage.database import Database
from leagues.storage.models.accounts import AccessTokenRow, IdentityRow, InvitationRow, SessionRow
from leagues.storage.models.leagues import ActRow, SnapshotRow, SubmissionEventRow, SubmissionRow
from leagues.storage.models.results import EntrantRow, OwnerRow
from leagues.storage.models.rows import number_of, with_checksum
from leagues.storage.submissions import entrant_label
from leagues.submissions.lifecycle import check_owner, look_alike


class ModerationReader:
    """Acts of moderators, read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acts(self, league: int | None = None) -> list[Act]:
        """All acts, oldest first; or those in one league."""
        with self._database.reading() as connection, Session(connection) as session:
            return read_acts(session, league)

    def last_seal(self) -> tuple[int, str]:
        """How many acts there are, and the checksum of the last: to be noted down elsewhere."""
        with self._database.reading() as connection, Session(connection) as session:
            return last_seal(session)

    def banned(self) -> dict[str, str]:
        """The owners that are banned, and why."""
        with self._database.reading() as connection, Session(connection) as session:
            reasons = last_acts(session, ActKind.BAN, ActKind.UNBAN, "owner")
            query = select(OwnerRow.id, OwnerRow.name).where(col(OwnerRow.id).in_(reasons))
            return {name: reasons[id or 0] for id, name in session.exec(query)}


class ModerationWriter:
    """What moderators do, each act with its reason and who it was."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ban(self, owner: str, reason: str, by: str) -> None:
        """Let an owner submit nothing, and none of its bots play."""
        self._set_ban(owner, True, reason, by)

    def unban(self, owner: str, reason: str, by: str) -> None:
        """Let an owner's bots play again, each as it was."""
        self._set_ban(owner, False, reason, by)

    def _set_ban(self, owner: str, banned: bool, reason: str, by: str) -> None:
        with self._database.write_session() as session:
            id = number_of(find_owner(session, owner))
            if (id in last_acts(session, ActKind.BAN, ActKind.UNBAN, "owner")) == banned:
                raise RefusedError(
                    "{owner} is banned already" if banned else "{owner} is not banned", owner=owner
                )
            kind = ActKind.BAN if banned else ActKind.UNBAN
            if id in last_acts(session, ActKind.ERASE, None, "owner"):
                raise RefusedError("expected an owner that is there, got one that was erased")
            record_act(session, kind, f"owner {id}", reason, by)

    def rename(self, owner: str, name: str, reason: str, by: str) -> None:
        """Give an owner and all its bots another name; the old one stays in free texts alone."""
        with self._database.write_session() as session:
            row = find_owner(session, owner)
            check_owner(name)
            for taken in session.exec(select(OwnerRow.name).where(OwnerRow.id != row.id)):
                if look_alike(taken, name):
                    raise RefusedError(
                        "expected an owner's name unlike {taken}, got {name}",
                        taken=taken,
                        name=name,
                    )
            _rename(session, row, name)
            record_act(session, ActKind.RENAME, f"owner {row.id}", reason, by)

    def hide(self, submission: int, reason: str, by: str) -> None:
        """Take a bot out in all its versions; its matches are shown as an anonymous bot's."""
        with self._database.write_session() as session:
            rows = self._versions(session, submission)
            hidden = last_acts(session, ActKind.HIDE, ActKind.UNHIDE, "submission")
            for row in rows:
                if number_of(row) not in hidden:
                    _set_label(session, row, anonymous=True)
                    self._record(session, ActKind.HIDE, row, reason, by)

    def unhide(self, submission: int, reason: str, by: str) -> None:
        """Show a bot again in all its versions, each in the state it has."""
        with self._database.write_session() as session:
            rows = self._versions(session, submission)
            hidden = last_acts(session, ActKind.HIDE, ActKind.UNHIDE, "submission")
            if not any(number_of(row) in hidden for row in rows):
                raise RefusedError("expected a bot that is hidden, got one that is not")
            for row in rows:
                if number_of(row) in hidden:
                    _set_label(session, row, anonymous=False)
                    self._record(session, ActKind.UNHIDE, row, reason, by)

    def erase(self, submission: int, reason: str, by: str) -> None:
        """Forget the files, the name and the owner of a bot in all its versions, for good."""
        with self._database.write_session() as session:
            for row in self._versions(session, submission):
                _erase(session, row)
                self._record(session, ActKind.ERASE, row, reason, by)

    def erase_owner(self, owner: str, reason: str, by: str) -> str:
        """Forget an owner and all its bots, for good; what it is called from now on."""
        with self._database.write_session() as session:
            row = find_owner(session, owner)
            name = f"erased-{row.id}"
            for bot in session.exec(select(SubmissionRow).where(SubmissionRow.owner == row.id)):
                _erase(session, bot)
                self._record(session, ActKind.ERASE, bot, reason, by)
            _rename(session, row, name)
            _forget_person(session, number_of(row))
            record_act(session, ActKind.ERASE, f"owner {row.id}", reason, by)
            record_act(session, ActKind.BAN, f"owner {row.id}", reason, by)
            return name

    def _versions(self, session: Session, submission: int) -> list[SubmissionRow]:
        """All versions of the bot that this submission is one of."""
        row = session.get(SubmissionRow, submission)
        if row is None:
            raise NotFoundError("expected a submission of this database, got {id}", id=submission)
        if submission in last_acts(session, ActKind.ERASE, None, "submission"):
            raise RefusedError("expected a bot that is there, got one that was erased")
        query = select(SubmissionRow).where(
            SubmissionRow.league == row.league,
            SubmissionRow.name == row.name,
            col(SubmissionRow.owner).is_not_distinct_from(row.owner),
        )
        return list(session.exec(query.order_by(col(SubmissionRow.id))))

    def _record(
        self, session: Session, kind: ActKind, row: SubmissionRow, reason: str, by: str
    ) -> None:
        record_act(session, kind, f"submission {row.id}", reason, by, row.league)


def find_owner(session: Session, name: str) -> OwnerRow:
    """The owner of this name; NotFoundError if there is none."""
    row = session.exec(select(OwnerRow).where(OwnerRow.name == name)).first()
    if row is None:
        raise NotFoundError("expected an owner of this database, got {name}", name=name)
    return row


def _rename(session: Session, owner: OwnerRow, name: str) -> None:
    before, owner.name = owner.name, name
    session.add(with_checksum(owner))
    session.flush()
    _sign_by_number(session, number_of(owner), before)
    for invitation in session.exec(select(InvitationRow).where(InvitationRow.owner == owner.id)):
        invitation.name = name
        session.add(invitation)
    for row in session.exec(select(SubmissionRow).where(SubmissionRow.owner == owner.id)):
        entrant = session.get_one(EntrantRow, row.entrant)
        if entrant.owner is not None:  # if it is not hidden
            _set_label(session, row, anonymous=False)


def _sign_by_number(session: Session, owner: int, name: str) -> None:
    """Change signatures of earlier programs, which had the name, where no act seals them."""
    sealed = set(session.exec(select(ActRow.effect).where(col(ActRow.effect) != "")))
    query = (
        select(SubmissionEventRow)
        .join(SubmissionRow, col(SubmissionRow.id) == col(SubmissionEventRow.submission))
        .where(SubmissionRow.owner == owner, SubmissionEventRow.by == name)
    )
    for event in session.exec(query).all():
        if f"submission_event {event.id} {event.checksum.hex()}" not in sealed:
            event.by = owner_signature(owner)
            session.add(with_checksum(event))


def _forget_person(session: Session, owner: int) -> None:
    """End what an owner comes in by, for good, and forget what it was asked and named for."""
    for row in session.exec(select(SessionRow).where(SessionRow.owner == owner)).all():
        session.delete(row)
    for identity in session.exec(select(IdentityRow).where(IdentityRow.owner == owner)).all():
        session.delete(identity)
    for token in session.exec(select(AccessTokenRow).where(AccessTokenRow.owner == owner)):
        token.name, token.revoked = "", token.revoked or int(time.time())
        session.add(token)
    for invitation in session.exec(select(InvitationRow).where(InvitationRow.owner == owner)):
        invitation.note = ""
        session.add(invitation)


def _set_label(session: Session, row: SubmissionRow, anonymous: bool) -> None:
    """Name the entrant after its submission, or after nobody."""
    entrant = session.get_one(EntrantRow, row.entrant)
    owner = None if row.owner is None else session.get_one(OwnerRow, row.owner).name
    entrant.owner = None if anonymous else owner
    entrant.label = f"anonymous@{entrant.id}"
    if not anonymous:
        others = select(SubmissionRow.version).where(
            SubmissionRow.league == row.league,
            SubmissionRow.name == row.name,
            col(SubmissionRow.owner).is_not_distinct_from(row.owner),
            col(SubmissionRow.id) < number_of(row),
        )
        entrant.label = entrant_label(
            owner, row.name, row.version, row.digest, session.exec(others).all()
        )
    session.add(with_checksum(entrant))


def _erase(session: Session, row: SubmissionRow) -> None:
    _set_label(session, row, anonymous=True)
    entrant = session.get_one(EntrantRow, row.entrant)
    entrant.version = ""
    session.add(with_checksum(entrant))
    row.name, row.version, row.owner = f"erased-{row.id}", "0", None
    row.facts = json.dumps({"games": [], "alone": True})
    session.add(with_checksum(row))
    for event in session.exec(
        select(SubmissionEventRow).where(SubmissionEventRow.submission == row.id)
    ):
        if event.detail:  # what the bot said; reasons of moderators have none
            event.detail = ""
            session.add(with_checksum(event))
    session.flush()
    _forget_files(session, row.digest)


def _forget_files(session: Session, digest: str) -> None:
    """Drop files that nobody else submitted, or that all who did were erased."""
    erased: Iterable[int] = last_acts(session, ActKind.ERASE, None, "submission")
    left = select(SubmissionRow.id).where(
        SubmissionRow.digest == digest,
        ~col(SubmissionRow.name).startswith("erased-"),
        ~col(SubmissionRow.id).in_(erased),
    )
    snapshot = session.get(SnapshotRow, digest)
    if snapshot is not None and session.exec(left).first() is None:
        snapshot.content, snapshot.files, snapshot.size = b"", 0, 0
        session.add(with_checksum(snapshot))
