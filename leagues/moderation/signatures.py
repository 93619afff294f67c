"""Who did something, as it is stored: owners by number, for names may have to be forgotten."""

import re
from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.errors import RefusedError
from leagues.storage.models.results import OwnerRow

SIGNED: Final = re.compile(r"owner ([0-9]{1,9})")


def owner_signature(owner: int) -> str:
    """What the acts of an owner are signed with; no name has a space."""
    return f"owner {owner}"


def check_signature(by: str) -> None:
    """RefusedError if somebody signs as an owner whom only the site can know to be one."""
    if SIGNED.fullmatch(by):
        raise RefusedError("expected a name, got {by}, which is how the site signs", by=by)


def signer_names(connection: sa.Connection, signatures: Iterable[str]) -> dict[str, str]:
    """What those who signed are called now; who is no owner is called as they signed."""
    found = {by: by for by in signatures}
    numbers = [int(match[1]) for match in map(SIGNED.fullmatch, found) if match]
    if numbers:
        query = sa.select(col(OwnerRow.id), col(OwnerRow.name)).where(col(OwnerRow.id).in_(numbers))
        found |= {owner_signature(id or 0): name for id, name in connection.execute(query)}
    return found
