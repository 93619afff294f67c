"""Teams: owners that several people may act for, made of acts of organisers."""

import json

from sqlmodel import Session, col, select

from leagues.accounts.owners import get_or_create_owner
from leagues.errors import RefusedError
from leagues.moderation.acts import record_act
from leagues.moderation.moderate import find_owner
from leagues.records import ActKind
from leagues.storage.database import Database
from leagues.storage.models.leagues import ActRow
from leagues.storage.models.results import OwnerRow
from leagues.storage.models.rows import number_of


class TeamsReader:
    """Who acts for whom."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, owner: str) -> list[str]:
        """The teams that somebody may act for, oldest first."""
        with self._database.reading() as connection, Session(connection) as session:
            id = number_of(find_owner(session, owner))
            return _names(session, [team for team, who in _members(session).items() if id in who])

    def all(self) -> dict[str, list[str]]:
        """Every team, and who may act for it."""
        with self._database.reading() as connection, Session(connection) as session:
            return {
                session.get_one(OwnerRow, team).name: _names(session, list(who))
                for team, who in _members(session).items()
            }


class TeamsWriter:
    """People made members of teams."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set_member(self, team: str, member: str, is_member: bool, reason: str, by: str) -> None:
        """Let somebody act for a team, which is entered if new, or not any more."""
        with self._database.write_session() as session:
            id, person = get_or_create_owner(session, team), find_owner(session, member)
            teams = _members(session)
            if id == person.id or person.id in teams or any(id in who for who in teams.values()):
                raise RefusedError(
                    "expected a team of people, got {member} in {team}: teams have no teams",
                    member=member,
                    team=team,
                )
            if (number_of(person) in teams.get(id, ())) == is_member:
                raise RefusedError(
                    "{member} acts for {team} already"
                    if is_member
                    else "{member} does not act for {team}",
                    member=member,
                    team=team,
                )
            facts = {"member": f"owner {person.id}", "is_member": is_member}
            record_act(session, ActKind.MEMBER, f"owner {id}", reason, by, facts=facts)


def _members(session: Session) -> dict[int, list[int]]:
    """Of every team its members, as they are by the acts so far."""
    query = select(ActRow.subject, ActRow.facts).where(ActRow.kind == ActKind.MEMBER.value)
    teams: dict[int, list[int]] = {}
    for subject, text in session.exec(query.order_by(col(ActRow.id))):
        facts = json.loads(text)
        members = teams.setdefault(_number(subject), [])
        if facts["is_member"]:
            members.append(_number(facts["member"]))
        else:
            members.remove(_number(facts["member"]))
    return {team: members for team, members in teams.items() if members}


def _number(subject: str) -> int:
    return int(subject.rpartition(" ")[2])


def _names(session: Session, ids: list[int]) -> list[str]:
    query = select(OwnerRow.name).where(col(OwnerRow.id).in_(ids))
    return list(session.exec(query.order_by(col(OwnerRow.id))))
