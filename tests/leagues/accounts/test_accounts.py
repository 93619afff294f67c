"""Tokens, sessions and invitations: secrets are stored by their hashes, and end in time."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from leagues.accounts.accounts import DAY, SESSION_SECONDS
from leagues.accounts.invitations import DAYS, InvitationState
from leagues.accounts.secrets_hash import hash_secret
from leagues.errors import StorageError
from leagues.storage.handle import Storage, open_storage

DUMP = Path(__file__).parents[1] / "storage" / "old_database.sql"


def later(seconds: float) -> object:
    """The time of day, so many seconds from now."""
    return patch("time.time", return_value=time.time() + seconds)


def everything(storage: Storage) -> str:
    with storage.database.engine.connect() as connection:
        names = sa.inspect(connection).get_table_names()
        return str([connection.exec_driver_sql(f"SELECT * FROM {n}").all() for n in names])


def test_tokens_are_listed_revoked_and_expire(storage: Storage) -> None:
    laptop = storage.accounts.add_token("ann", "laptop")
    ci = storage.accounts.add_token("ann", "ci", days=2)
    reader = storage.reader.accounts
    assert [each.name for each in reader.tokens("ann")] == ["laptop", "ci"]
    assert reader.owner_of_token(ci) == "ann"
    with later(2 * DAY + 1):  # type: ignore[attr-defined]
        assert reader.owner_of_token(ci) is None
        assert reader.owner_of_token(laptop) == "ann"
    first = reader.tokens("ann")[0]
    storage.accounts.add_token("bob")
    with pytest.raises(StorageError, match="expected a token of bob"):
        storage.accounts.revoke_token("bob", first.id)
    storage.accounts.revoke_token("ann", first.id)
    assert reader.owner_of_token(laptop) is None
    assert [each.is_valid for each in reader.tokens("ann")] == [False, True]
    new = storage.accounts.replace_tokens("ann")
    assert reader.owner_of_token(ci) is None
    assert reader.owner_of_token(new) == "ann"
    for secret in (laptop, ci, new):
        assert secret not in everything(storage)


def test_a_session_is_no_token_and_ends_with_the_one_it_began_with(storage: Storage) -> None:
    token = storage.accounts.add_token("ann")
    cookie = storage.accounts.open_session(token)
    other = storage.accounts.open_session(token)
    assert cookie is not None
    assert other is not None
    assert storage.accounts.open_session("arena_guess") is None
    reader = storage.reader.accounts
    assert reader.owner_of_session(cookie) == "ann"
    assert reader.owner_of_token(cookie) is None
    assert reader.owner_of_session(token) is None
    assert cookie not in everything(storage)
    storage.accounts.close_session(other)
    assert reader.owner_of_session(other) is None
    with later(SESSION_SECONDS + 1):  # type: ignore[attr-defined]
        assert reader.owner_of_session(cookie) is None
    storage.moderation.ban("ann", "why", "ref")
    assert reader.owner_of_session(cookie) is None
    storage.moderation.unban("ann", "why", "ref")
    assert reader.owner_of_session(cookie) == "ann"
    storage.accounts.revoke_token("ann", reader.tokens("ann")[0].id)
    assert reader.owner_of_session(cookie) is None


def test_an_invitation_lets_one_person_in(storage: Storage) -> None:
    link = storage.invitations.invite("ann", "ref")
    token = storage.invitations.join(link, "ann")
    assert storage.reader.accounts.owner_of_token(token) == "ann"
    for name in ("ann", "bob"):
        with pytest.raises(StorageError, match="expected an invitation that holds, got none"):
            storage.invitations.join(link, name)
    second = storage.invitations.invite("", "ref")
    with pytest.raises(StorageError, match="expected a name that is free, got Ann"):
        storage.invitations.join(second, "Ann")
    with later(DAYS * DAY + 1):  # type: ignore[attr-defined]
        assert storage.reader.invitations.find(second) is None
    assert second not in everything(storage)


def test_an_owner_that_is_there_is_taken_by_who_was_invited_as_it(storage: Storage) -> None:
    storage.accounts.set_organiser("ann", True, "runs it", "ref")
    asked = storage.invitations.ask("ann", "it is me")
    storage.invitations.decide(1, True, "fine", "ref")
    other = storage.invitations.invite("bob", "ref")
    for link in (asked, other):  # neither was invited by this name
        with pytest.raises(StorageError, match="expected a name that is free, got ann"):
            storage.invitations.join(link, "ann")
    first, second = (storage.invitations.invite("ann", "ref") for _ in range(2))
    token = storage.invitations.join(first, "ann")
    assert storage.reader.accounts.owner_of_token(token) == "ann"
    assert storage.reader.accounts.organisers() == {"ann"}
    with pytest.raises(StorageError, match="expected a name that is free, got ann"):
        storage.invitations.join(second, "ann")


def test_who_asks_comes_in_when_an_organiser_agrees(storage: Storage) -> None:
    link = storage.invitations.ask("cyd", "from the club")
    refused = storage.invitations.ask("dan", "")
    with pytest.raises(StorageError, match="expected an invitation that holds, got none"):
        storage.invitations.join(link, "cyd")
    (cyd, dan) = storage.reader.invitations.all()
    assert (cyd.state, cyd.note) == (InvitationState.ASKED, "from the club")
    storage.invitations.decide(cyd.id, True, "known", "ref")
    storage.invitations.decide(dan.id, False, "unknown", "ref")
    assert storage.invitations.join(link, "cyd").startswith("arena_")
    assert storage.reader.invitations.find(refused) is None
    with pytest.raises(StorageError, match="expected an invitation that is open"):
        storage.invitations.decide(dan.id, True, "again", "ref")
    assert [act.reason for act in storage.reader.moderation.acts()] == ["known", "unknown"]
    assert not list(storage.reader.results.damages())


def test_organisers_are_named_by_acts(storage: Storage) -> None:
    storage.accounts.set_organiser("ann", True, "founder", "ref")
    storage.accounts.set_organiser("bob", True, "helps", "ref")
    storage.accounts.set_organiser("bob", False, "left", "ref")
    assert storage.reader.accounts.organisers() == {"ann"}


def test_tokens_of_an_older_database_still_count(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as base:
        base.executescript(DUMP.read_text(encoding="utf-8"))
        owner = base.execute("SELECT id FROM owner").fetchone()
        id = owner[0] if owner else 1
        if owner is None:
            base.execute("INSERT INTO owner VALUES (1, 'ann', 1, x'00')")
        for secret in ("first", "second"):
            row = (id, hash_secret(secret))
            base.execute(
                "INSERT INTO token (owner, hash, at, checksum) VALUES (?, ?, 1, x'00')", row
            )
        base.commit()
    with open_storage(path) as storage:
        assert storage.reader.accounts.owner_of_token("first") is None
        assert storage.reader.accounts.owner_of_token("second") is not None
        assert storage.reader.leagues.submissions(1)
        with storage.database.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def test_a_team_is_an_owner_that_several_people_act_for(storage: Storage) -> None:
    for name in ("ann", "bob", "cyd"):
        storage.accounts.add_token(name)
    change, teams = storage.teams.set_member, storage.reader.teams
    change("crew", "ann", True, "asked for", "ref")
    change("crew", "bob", True, "asked for", "ref")
    assert (teams.of("ann"), teams.of("cyd")) == (["crew"], [])
    assert teams.all() == {"crew": ["ann", "bob"]}
    change("crew", "ann", False, "left", "ref")
    assert teams.of("ann") == []
    for team, member in (("crew", "crew"), ("other", "crew"), ("bob", "ann")):
        with pytest.raises(StorageError, match="teams have no teams"):
            change(team, member, True, "x", "ref")
    with pytest.raises(StorageError, match="bob acts for crew already"):
        change("crew", "bob", True, "x", "ref")
    with pytest.raises(StorageError, match="cyd does not act for crew"):
        change("crew", "cyd", False, "x", "ref")
    storage.moderation.rename("bob", "robert", "asked for", "ref")
    facts = [act.facts for act in storage.reader.moderation.acts()[:2]]
    assert [each["member"] for each in facts] == ["ann", "robert"]
    assert teams.of("robert") == ["crew"]
    assert not list(storage.reader.results.damages())
