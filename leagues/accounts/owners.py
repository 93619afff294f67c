"""Owners entered when they are first named."""

import time

from sqlmodel import Session, select

from leagues.errors import RefusedError
from leagues.storage.models.results import OwnerRow
from leagues.storage.models.rows import number_of, with_checksum
from leagues.submissions.lifecycle import check_owner, look_alike


def get_or_create_owner(session: Session, name: str) -> int:
    """The owner's number; entered now if new."""
    check_owner(name)
    owner = session.exec(select(OwnerRow).where(OwnerRow.name == name)).first()
    if owner is None:
        for taken in session.exec(select(OwnerRow.name)):
            if look_alike(taken, name):
                raise RefusedError(
                    "expected an owner's name unlike {taken}, got {name}", taken=taken, name=name
                )
        owner = OwnerRow(name=name, created=int(time.time()), checksum=b"")
        session.add(with_checksum(owner))
        session.flush()
    return number_of(owner)
