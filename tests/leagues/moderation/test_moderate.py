"""What moderators do is recorded in a chain, and what follows from it is undone by its opposite."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.league.organiser.moderation import organiser_name
from arena.league.submit import submit
from leagues.errors import StorageError
from leagues.records import ActKind, LeagueState, Moderation, SubmissionState
from leagues.storage.handle import Storage, open_storage
from tests.arena.league.sample_league import code, enter, folder, found


def test_a_ban_stops_an_owner_and_its_end_restores_every_bot(storage: Storage) -> None:
    spring, autumn = found(storage), found(storage, "autumn")
    for league in (spring, autumn):
        enter(storage, league, "mine", "ann")
        enter(storage, league, "other", "bob")
    token = storage.accounts.replace_tokens("ann")
    storage.moderation.ban("ann", "shared accounts", "ref")
    for league in (spring, autumn):
        assert [e.label for e in storage.reader.leagues.playing(league.id)] == ["bob/other@1"]
        (mine, _) = storage.reader.leagues.submissions(league.id)
        assert (mine.status, mine.reason) == ("BANNED", "shared accounts")
    assert storage.reader.accounts.owner_of_token(token) is None
    assert storage.reader.moderation.banned() == {"ann": "shared accounts"}
    with pytest.raises(StorageError, match="ann is banned"):
        submit(storage, spring, code("next"), "ann")
    with pytest.raises(StorageError, match="ann is banned already"):
        storage.moderation.ban("ann", "again", "ref")
    storage.moderation.unban("ann", "appeal", "ref")
    assert len(storage.reader.leagues.playing(spring.id)) == 2
    assert storage.reader.accounts.owner_of_token(token) == "ann"
    with pytest.raises(StorageError, match="expected an owner of this database, got eve"):
        storage.moderation.ban("eve", "x", "ref")
    assert not list(storage.reader.results.damages())


def test_a_renamed_owner_leaves_no_old_name(storage: Storage, tmp_path: Path) -> None:
    league = found(storage)
    enter(storage, league, "mine", "Rude-Word", "1.0")
    enter(storage, league, "mine", "Rude-Word", "1.1")
    enter(storage, league, "other", "bob")
    storage.moderation.ban("Rude-Word", "the name", "ref")
    storage.moderation.rename("Rude-Word", "ann", "offensive", "ref")
    labels = [entry.label for entry in storage.reader.leagues.submissions(league.id)]
    assert labels == ["ann/mine@1.0", "ann/mine@1.1", "bob/other@1"]
    assert [act.subject for act in storage.reader.moderation.acts()[-2:]] == ["ann", "ann"]
    with pytest.raises(StorageError, match="expected an owner's name unlike bob, got Bob"):
        storage.moderation.rename("ann", "Bob", "x", "ref")
    assert not list(storage.reader.results.damages())
    with storage.database.reading() as connection:
        for table in ("owner", "entrant", "act", "submission_event"):
            text = str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
            assert "Rude-Word" not in text, table


def test_a_hidden_bot_is_anonymous_until_it_is_shown_again(storage: Storage) -> None:
    league = found(storage)
    old = enter(storage, league, "rude", "ann", "1.0")
    new = enter(storage, league, "rude", "ann", "1.1")
    enter(storage, league, "other", "bob")
    storage.moderation.hide(new.id, "its name", "ref")
    shown = storage.reader.leagues.submissions(league.id)
    assert [entry.label for entry in shown[:2]] == [f"anonymous@{e.entrant}" for e in (old, new)]
    assert [entry.moderation for entry in shown[:2]] == [Moderation.HIDDEN] * 2
    assert [entry.label for entry in storage.reader.leagues.playing(league.id)] == ["bob/other@1"]
    entrants = {each.id: each for each in storage.reader.results.entrants()}
    assert entrants[new.entrant].owner is None
    with pytest.raises(StorageError, match="got one of anonymous@"):
        submit(storage, league, folder("rude", "1.2"), "ann")
    storage.moderation.rename("ann", "ann2", "asked for", "ref")  # shows nothing of the hidden
    assert storage.reader.leagues.submission(new.id).label == f"anonymous@{new.entrant}"
    storage.moderation.unhide(new.id, "renamed", "ref")
    labels = [entry.label for entry in storage.reader.leagues.submissions(league.id)[:2]]
    assert labels == ["ann2/rude@1.0", "ann2/rude@1.1"]
    with pytest.raises(StorageError, match="expected a bot that is hidden"):
        storage.moderation.unhide(new.id, "again", "ref")
    assert not list(storage.reader.results.damages())


def test_an_erased_bot_leaves_no_name_and_no_file(storage: Storage) -> None:
    league, other = found(storage), found(storage, "other")
    mine = enter(storage, league, "mine", "ann")
    enter(storage, league, "kept", "bob")
    storage.moderation.erase(mine.id, "asked for", "ref")
    (gone, _) = storage.reader.leagues.submissions(league.id)
    assert (gone.owner, gone.label, gone.status) == (None, f"anonymous@{mine.entrant}", "ERASED")
    with pytest.raises(StorageError):
        storage.reader.leagues.archive(mine.digest, alone=False)
    with pytest.raises(StorageError, match="was erased"):
        storage.moderation.unhide(mine.id, "x", "ref")
    assert not list(storage.reader.results.damages())
    # The same files may come again, from whoever has them.
    again = enter(storage, other, "mine", "ann")
    assert again.digest == mine.digest
    assert storage.reader.leagues.archive(mine.digest, alone=False).items


def test_an_erased_owner_is_nobody(storage: Storage) -> None:
    league = found(storage)
    asked = storage.invitations.ask("ann", "from the club")
    storage.invitations.decide(1, True, "known", "ref")
    token = storage.invitations.join(asked, "ann")
    storage.accounts.add_token("ann", "laptop")
    cookie = storage.accounts.open_session(token)
    assert cookie is not None
    enter(storage, league, "mine", "ann")
    name = storage.moderation.erase_owner("ann", "asked for", "ref")
    assert [owner.name for owner in storage.reader.leagues.owners()] == [name]
    assert storage.reader.accounts.owner_of_token(token) is None
    assert storage.reader.leagues.playing(league.id) == []
    for change in (storage.moderation.unban, storage.moderation.ban):
        with pytest.raises(StorageError, match=r"erased|banned already"):
            change(name, "x", "ref")
    assert storage.reader.accounts.owner_of_token(token) is None
    assert storage.reader.accounts.owner_of_session(cookie) is None
    with storage.database.reading() as connection:
        for table in sa.inspect(connection).get_table_names():
            text = str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
            assert "'ann'" not in text, table
            assert "laptop" not in text, table
            assert "from the club" not in text, table
    assert not list(storage.reader.results.damages())


def test_signatures_of_earlier_programs_are_forgotten_with_a_name(storage: Storage) -> None:
    league = found(storage)
    entry = enter(storage, league, "mine", "ann")
    state = SubmissionState.WITHDRAWN
    storage.leagues.set_submission_state(entry.id, state, by="ann")
    storage.moderation.rename("ann", "anna", "asked for", "ref")
    assert storage.reader.leagues.submission(entry.id).events[-1].by == "anna"
    assert not list(storage.reader.results.damages())


def test_nobody_signs_as_an_owner_by_hand(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="expected a name, got owner 3"):
        organiser_name("owner 3")


def test_acts_tell_who_and_why(storage: Storage) -> None:
    league = found(storage)
    entry = enter(storage, league, "mine", "ann")
    storage.leagues.set_league_state(league.id, LeagueState.PAUSED, "a break", "ref")
    storage.moderation.hide(entry.id, "its name", "ref")
    acts = storage.reader.moderation.acts(league.id)
    assert [(act.kind, act.reason, act.by) for act in acts[-2:]] == [
        (ActKind.STATE, "a break", "ref"),
        (ActKind.HIDE, "its name", "ref"),
    ]
    assert storage.reader.moderation.last_seal()[0] == len(acts)


TAMPERED = {
    "DELETE FROM act WHERE id = 2": "act 2: it is missing",
    "DELETE FROM act WHERE id = 4": "act 4: it is missing, and all after act 3",
    "UPDATE act SET reason = 'none' WHERE id = 3": "act 3: its checksum is of other content",
    "DELETE FROM act_head": "the record of the last act is missing",
    "UPDATE act_head SET acts = 3": "the record of the last act is of another",
    "DELETE FROM league_event WHERE state = 'PAUSED'": "act 2: its league_event 3 was taken away",
}


@pytest.mark.parametrize("statement", TAMPERED)
def test_an_act_that_was_changed_or_taken_away_is_missed(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "arena.db"
    with open_storage(path) as storage:
        league = found(storage)
        storage.leagues.set_league_state(league.id, LeagueState.PAUSED, "a break", "ref")
        storage.accounts.replace_tokens("ann")
        storage.moderation.ban("ann", "why", "ref")
        storage.moderation.unban("ann", "why not", "ref")
        assert not list(storage.reader.results.damages())
    with closing(sqlite3.connect(path)) as base, base:
        assert base.execute(statement).rowcount == 1
    with open_storage(path) as storage:
        told = [str(damage) for damage in storage.reader.results.damages()]
    assert TAMPERED[statement] in told


def test_an_error_does_not_list_the_whole_field(storage: Storage) -> None:
    league = found(storage)
    for number in range(12):
        enter(storage, league, f"bot{number}", f"owner{number}")
    wanted = "expected a bot, got the owner owner3, whose bots are owner3/bot3"
    with pytest.raises(StorageError, match=wanted):
        storage.reader.leagues.find_submission(league.id, "owner3")
    with pytest.raises(StorageError) as refused:
        storage.reader.leagues.find_submission(league.id, "zzz")
    assert len(re.findall("@1", str(refused.value))) == 5
    assert "and 7 more" in str(refused.value)
