"""Acts of moderators: every one recorded, with who and why, in a hash chain."""

import json
import time
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, select

from leagues.moderation.signatures import signer_names
from leagues.records import Act, ActKind
from leagues.storage.codec import check_line, parse_word
from leagues.storage.models.leagues import (
    ActHeadRow,
    ActRow,
    LeagueEventRow,
    SubmissionEventRow,
    SubmissionRow,
)
from leagues.storage.models.results import EntrantRow, ExclusionRow, LeagueRow, OwnerRow

HEAD: Final = 1  # the number of the only row of `act_head`
SECRET_FACTS: Final = ("seed", "priors", "origins")
SEAL_BYTES: Final = 32  # nobody is to find another text with the same checksum
EFFECTS: Final[Mapping[str, type[SQLModel]]] = {
    "exclusion": ExclusionRow,
    "league_event": LeagueEventRow,
    "submission_event": SubmissionEventRow,
}


def record_act(
    session: Session,
    kind: ActKind,
    subject: str,
    reason: str,
    by: str,
    league: int | None = None,
    facts: Mapping[str, object] | None = None,
    effect: ExclusionRow | LeagueEventRow | SubmissionEventRow | None = None,
) -> None:
    """Continue the chain, in the transaction that does what is recorded."""
    if effect is not None:
        session.add(effect)
        session.flush()
    head = session.get(ActHeadRow, HEAD)
    before = b"" if head is None else head.checksum
    row = ActRow(
        id=1 if head is None else head.acts + 1,
        league=league,
        kind=kind.value,
        subject=subject,
        facts=json.dumps(facts or {}, sort_keys=True),
        effect="" if effect is None else _effect(effect),
        reason=check_line(reason, "a reason"),
        by=check_line(by, "a name"),
        at=int(time.time()),
        checksum=b"",
    )
    row.checksum = _seal(before, [getattr(row, name) for name in _CONTENT])
    session.add(row)
    if head is None:
        session.add(ActHeadRow(id=HEAD, acts=row.id, checksum=row.checksum))
    else:
        head.acts, head.checksum = row.id, row.checksum
        session.add(head)
    session.flush()


_CONTENT: Final = [name for name in ActRow.model_fields if name != "checksum"]


def _effect(row: ExclusionRow | LeagueEventRow | SubmissionEventRow) -> str:
    return f"{row.__tablename__} {row.id} {row.checksum.hex()}"


def _seal(before: bytes, content: list[object]) -> bytes:
    text = repr((before, content)).encode("utf-8", "backslashreplace")
    return blake2b(text, digest_size=SEAL_BYTES).digest()


def read_acts(session: Session, league: int | None = None) -> list[Act]:
    """All acts, oldest first; or those in one league."""
    query = select(ActRow).order_by(col(ActRow.id))
    if league is not None:
        query = query.where(ActRow.league == league)
    rows = session.exec(query).all()
    names = _names(session, {row.subject for row in rows})
    facts = [_shown(json.loads(row.facts)) for row in rows]
    members = {str(each["member"]) for each in facts if "member" in each}
    signers = signer_names(session.connection(), {row.by for row in rows} | members)
    return [
        Act(
            id=row.id,
            league=row.league,
            kind=parse_word(ActKind, row.kind),
            subject=names[row.subject],
            facts=told | ({"member": signers[told["member"]]} if "member" in told else {}),
            reason=row.reason,
            by=signers[row.by],
            at=row.at,
        )
        for row, told in zip(rows, facts, strict=True)
    ]


def _shown(facts: dict[str, Any]) -> dict[str, Any]:
    """What may be read by all: the seed of a final tells its deals, and ratings are no news."""
    return {key: value for key, value in facts.items() if key not in SECRET_FACTS}


def _names(session: Session, subjects: set[str]) -> dict[str, str]:
    """What the subjects of acts are called now."""
    numbers: dict[str, list[int]] = {}
    for subject in subjects:
        table, number = subject.split(" ")
        numbers.setdefault(table, []).append(int(number))
    found = {subject: subject for subject in subjects}
    owners = select(OwnerRow.id, OwnerRow.name)
    leagues = select(LeagueRow.id, LeagueRow.name)
    labels = select(SubmissionRow.id, EntrantRow.label).join(
        EntrantRow, col(EntrantRow.id) == col(SubmissionRow.entrant)
    )
    for table, query, key in (
        ("owner", owners, OwnerRow.id),
        ("league", leagues, LeagueRow.id),
        ("submission", labels, SubmissionRow.id),
    ):
        for id, name in session.exec(query.where(col(key).in_(numbers.get(table, [])))):
            found[f"{table} {id}"] = name
    return found


def last_acts(session: Session, on: ActKind, off: ActKind | None, table: str) -> dict[int, str]:
    """Of every subject that an act is in force for, the reason; its opposite ends it."""
    kinds = [kind.value for kind in (on, off) if kind]
    query = (
        select(ActRow.kind, ActRow.subject, ActRow.reason)
        .where(col(ActRow.kind).in_(kinds), col(ActRow.subject).startswith(f"{table} "))
        .order_by(col(ActRow.id))
    )
    found: dict[int, str] = {}
    for kind, subject, reason in session.exec(query):
        number = int(subject.rpartition(" ")[2])
        if kind == on:
            found[number] = reason
        else:
            found.pop(number, None)
    return found


def last_facts(session: Session, kind: ActKind, table: str) -> dict[int, dict[str, Any]]:
    """Of every subject of an act of this kind, what the last one says."""
    query = (
        select(ActRow.subject, ActRow.facts)
        .where(ActRow.kind == kind.value, col(ActRow.subject).startswith(f"{table} "))
        .order_by(col(ActRow.id))
    )
    return {int(subject.rpartition(" ")[2]): json.loads(f) for subject, f in session.exec(query)}


def last_seal(session: Session) -> tuple[int, str]:
    """How many acts there are, and the checksum of the last: to be noted down elsewhere."""
    head = session.get(ActHeadRow, HEAD)
    return (0, "") if head is None else (head.acts, head.checksum.hex())


def broken_acts(connection: sa.Connection, rows: Iterator[tuple[Any, ...]]) -> Iterator[str]:
    """What was changed or taken away; the rows are those of `act` in their order."""
    before, number = b"", 0
    for row in rows:
        *content, seal = row
        if row[0] != number + 1:
            yield f"act {number + 1}: it is missing"
        elif seal != _seal(before, content):
            yield f"act {row[0]}: its checksum is of other content"
        yield from _missed_effect(connection, row[0], row[_CONTENT.index("effect")])
        before, number = seal, row[0]
    head = connection.execute(sa.select(ActHeadRow.acts, ActHeadRow.checksum)).first()  # type: ignore[call-overload]
    if head is None:
        if number:
            yield "the record of the last act is missing"
    elif head[0] > number:
        yield f"act {head[0]}: it is missing, and all after act {number}"
    elif head[0] < number or bytes(head[1]) != before:
        yield "the record of the last act is of another"


def _missed_effect(connection: sa.Connection, act: int, effect: str) -> Iterator[str]:
    """Whether the row that an act wrote is still what it was."""
    if not effect:
        return
    name, id, seal = effect.split(" ")
    table: Any = EFFECTS[name]
    found = connection.execute(sa.select(table.checksum).where(table.id == int(id))).scalar()
    if found is None:
        yield f"act {act}: its {name} {id} was taken away"
    elif bytes(found).hex() != seal:
        yield f"act {act}: its {name} {id} was changed"
