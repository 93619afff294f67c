"""Leagues, owners and submissions: every change an event, and only those that make sense."""

import re

import pytest

from arena.league.organiser.moderation import find_duplicates
from arena.league.submit import submit
from leagues.errors import StorageError
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage, open_storage
from leagues.submissions.lifecycle import NEXT_LEAGUE_STATES, NEXT_SUBMISSION_STATES
from tests.arena.league.sample_league import FIRST, LAST, code, enter, folder, found


def test_a_league_lives_by_events(storage: Storage) -> None:
    league = found(storage)
    for state in (
        LeagueState.PAUSED,
        LeagueState.FROZEN,
        LeagueState.OPEN,
        LeagueState.CLOSED,
    ):
        storage.leagues.set_league_state(league.id, state, f"now {state}", "ref")
        assert storage.reader.leagues.state(league.id) == state
        assert storage.reader.leagues.states() == {league.id: state}
    told = [(event.state, event.reason) for event in storage.reader.leagues.events(league.id)]
    assert told[-2:] == [("OPEN", "now OPEN"), ("CLOSED", "now CLOSED")]
    with pytest.raises(StorageError, match="spring is CLOSED already"):
        storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
    with pytest.raises(StorageError, match="spring is permanently CLOSED"):
        storage.leagues.set_league_state(league.id, LeagueState.OPEN)
    assert not list(storage.reader.results.damages())


def test_several_leagues_share_a_database(storage: Storage) -> None:
    with pytest.raises(StorageError, match="no league spring yet: arena league create spring"):
        storage.reader.leagues.by_name("spring")
    spring, autumn = found(storage), found(storage, "autumn")
    assert [league.name for league in storage.reader.leagues.all()] == ["spring", "autumn"]
    one, _ = submit(storage, spring, code("mine"), "ann")
    other, new = submit(storage, autumn, code("mine"), "ann")
    assert new
    assert one.digest == other.digest
    assert one.entrant != other.entrant
    with pytest.raises(StorageError, match="which is a league already"):
        storage.leagues.create("spring", "", 1)
    with pytest.raises(StorageError, match="expected a league out of spring, autumn, got winter"):
        storage.reader.leagues.by_name("winter")
    for name in ("", "a b", "<b>", "-a", "x" * 41):
        with pytest.raises(StorageError, match="expected a name of up to 40"):
            storage.leagues.create(name, "", 1)


def test_states_lead_only_to_states() -> None:
    for table in (NEXT_LEAGUE_STATES, NEXT_SUBMISSION_STATES):
        assert {state for states in table.values() for state in states} <= set(table)


@pytest.mark.parametrize("state", [LeagueState.FROZEN, LeagueState.CLOSED])
def test_a_league_that_takes_nothing_says_so(storage: Storage, state: LeagueState) -> None:
    league = found(storage)
    storage.leagues.set_league_state(league.id, state)
    with pytest.raises(StorageError, match=f"takes submissions, got one that is {state}"):
        submit(storage, league, code("late"))
    assert storage.reader.leagues.submissions(league.id) == []


def test_unchanged_content_is_recognised(storage: Storage) -> None:
    league = found(storage)
    first, new = submit(storage, league, code("mine"), "ann")
    assert new
    again, new = submit(storage, league, code("mine"), "ann")
    assert not new
    assert again == first
    same, new = submit(storage, league, code("mine"), "bob")  # as who begins with an example
    assert new
    assert same.digest == first.digest
    assert [entry.owner for entry in storage.reader.leagues.submissions(league.id)] == [
        "ann",
        "bob",
    ]
    assert find_duplicates(storage.reader, league.id) == [[first, same]]
    assert not list(storage.reader.results.damages())


def test_a_new_version_retires_the_old_one_when_it_is_accepted(storage: Storage) -> None:
    league = found(storage)
    old = enter(storage, league, "mine", "ann", "1.0")
    other = enter(storage, league, "mine", "bob", "1.0")
    new, _ = submit(storage, league, folder("mine", "1.1"), "ann")
    assert new.parent == old.id
    assert [entry.label for entry in storage.reader.leagues.playing(league.id)] == [
        old.label,
        other.label,
    ]
    storage.leagues.set_submission_state(new.id, SubmissionState.ACCEPTED)
    assert [e.label for e in storage.reader.leagues.playing(league.id)] == [
        "bob/mine@1.0",
        "ann/mine@1.1",
    ]
    assert storage.reader.leagues.find_submission(league.id, "ann/mine@1.0").status == "RETIRED"
    # Whoever withdraws the new one has none, until the old one is let play again.
    storage.leagues.set_submission_state(new.id, SubmissionState.WITHDRAWN)
    assert [entry.label for entry in storage.reader.leagues.playing(league.id)] == ["bob/mine@1.0"]
    storage.leagues.set_submission_state(old.id, SubmissionState.WITHDRAWN)
    storage.leagues.set_submission_state(old.id, SubmissionState.RESUMED)
    assert [e.label for e in storage.reader.leagues.playing(league.id)] == [
        "ann/mine@1.0",
        "bob/mine@1.0",
    ]
    entrants = {entrant.label: entrant for entrant in storage.reader.results.entrants()}
    assert entrants["ann/mine@1.1"].parent == entrants["ann/mine@1.0"].id


def test_the_same_number_for_other_content_is_told_apart(storage: Storage) -> None:
    league = found(storage)
    enter(storage, league, "mine", None, "1.0")
    again, _ = submit(storage, league, folder("mine", "1.0", LAST))
    assert again.label == f"mine@1.0+{again.digest[:6]}"


def test_a_submission_becomes_only_what_it_may(storage: Storage) -> None:
    league = found(storage)
    entry, _ = submit(storage, league, code("mine"))
    wanted = f"{entry.label} is RECEIVED: expected a bot that is WITHDRAWN or SUSPENDED to become "
    with pytest.raises(StorageError, match=re.escape(wanted)):
        storage.leagues.set_submission_state(entry.id, SubmissionState.RESUMED)
    storage.leagues.set_submission_state(
        entry.id, SubmissionState.REJECTED, "it fails", "Traceback\n\tline"
    )
    told = storage.reader.leagues.find_submission(league.id, "mine")
    assert (told.status, told.reason, told.detail) == ("REJECTED", "it fails", "Traceback\n\tline")
    with pytest.raises(StorageError, match="without control characters"):
        storage.leagues.set_submission_state(entry.id, SubmissionState.WITHDRAWN, "\x1b[31m")
    with pytest.raises(StorageError, match="expected a submission of this database, got 99"):
        storage.leagues.set_submission_state(99, SubmissionState.ACCEPTED)


def test_bots_are_called_by_what_is_enough(storage: Storage) -> None:
    league = found(storage)
    enter(storage, league, "mine", "ann")
    enter(storage, league, "mine", "bob")
    lone = enter(storage, league, "lone")
    id = league.id
    assert storage.reader.leagues.find_submission(id, "bob/mine").owner == "bob"
    assert storage.reader.leagues.find_submission(id, "lone@1").label == lone.label == "lone@1"
    with pytest.raises(StorageError, match="expected one bot out of ann/mine@1, bob/mine@1"):
        storage.reader.leagues.find_submission(id, "mine")
    with pytest.raises(StorageError, match="expected a bot of the league"):
        storage.reader.leagues.find_submission(id, "mine@2")


@pytest.mark.parametrize(
    ("name", "version", "owner", "reason"),
    [
        ("mine", "1 <b>", "ann", "expected a version"),
        ("mine", "", "ann", "expected version as text"),
        ("mine", "v" * 41, "ann", "expected a version"),
        ("mine", "1", "<ann>", "expected an owner's name"),
        ("mine", "1", "", "expected an owner's name"),
    ],
)
def test_names_with_markup_are_refused(
    storage: Storage, name: str, version: str, owner: str, reason: str
) -> None:
    league = found(storage)
    with pytest.raises(Exception, match=reason):
        submit(storage, league, folder(name, version), owner)
    assert storage.reader.leagues.submissions(league.id) == []
    assert storage.reader.leagues.owners() == []


def test_a_token_proves_its_owner_until_there_is_a_new_one(place: str) -> None:
    with open_storage(place) as storage:
        first = storage.accounts.replace_tokens("ann")
        other = storage.accounts.replace_tokens("bob")
        assert storage.reader.accounts.owner_of_token(first) == "ann"
        second = storage.accounts.replace_tokens("ann")
        assert storage.reader.accounts.owner_of_token(first) is None
        assert storage.reader.accounts.owner_of_token(second) == "ann"
        assert storage.reader.accounts.owner_of_token(other) == "bob"
        assert storage.reader.accounts.owner_of_token("") is None
        assert len({first, second, other}) == 3
        assert not list(storage.reader.results.damages())


def test_files_come_back_as_they_were(storage: Storage) -> None:
    league = found(storage)
    archive = code("mine", FIRST)
    entry, _ = submit(storage, league, archive)
    assert storage.reader.leagues.archive(entry.digest, entry.facts["alone"]) == archive
    with pytest.raises(StorageError, match="expected a bot of this database"):
        storage.reader.leagues.archive("none", False)


def test_names_that_look_like_another_s_are_refused(storage: Storage) -> None:
    league = found(storage)
    enter(storage, league, "mine", "Bob_1")
    for name in ("bob_1", "BOB-1", "B0b_1", "Bob_l", "Bob-I"):
        with pytest.raises(
            StorageError, match=f"expected an owner's name unlike Bob_1, got {name}"
        ):
            storage.accounts.replace_tokens(name)
        with pytest.raises(StorageError, match="unlike Bob_1"):
            submit(storage, league, code("other"), name)
    storage.accounts.replace_tokens("Bob_1")
    storage.accounts.replace_tokens("Bob_2")
    with pytest.raises(StorageError, match="expected a name unlike spring, got Spr1ng"):
        found(storage, "Spr1ng")


def test_what_a_person_suspended_does_not_come_back_as_a_new_version(storage: Storage) -> None:
    league = found(storage)
    bad = enter(storage, league, "mine", "ann")
    storage.leagues.set_submission_state(bad.id, SubmissionState.SUSPENDED, "it cheats")
    storage.leagues.set_submission_state(bad.id, SubmissionState.WITHDRAWN, by="ann")
    with pytest.raises(StorageError, match="got one of ann/mine@1, which was suspended"):
        submit(storage, league, folder("mine", "2"), "ann")
    assert submit(storage, league, folder("mine", "2"), "bob")[1]
    storage.leagues.set_submission_state(bad.id, SubmissionState.RESUMED)
    assert submit(storage, league, folder("mine", "3", LAST), "ann")[1]


def test_what_a_worker_suspended_may_be_mended(storage: Storage) -> None:
    league = found(storage)
    storage.leagues.set_submission_state(
        enter(storage, league, "mine", "ann").id,
        SubmissionState.SUSPENDED,
        "it fails",
        by="worker 1",
    )
    assert submit(storage, league, folder("mine", "2"), "ann")[1]


@pytest.mark.parametrize("before", ["REJECTED", "RECEIVED"])
def test_what_was_never_let_play_is_checked_before_it_is(storage: Storage, before: str) -> None:
    league = found(storage)
    entry, _ = submit(storage, league, code("mine"))
    if before == "REJECTED":
        storage.leagues.set_submission_state(entry.id, SubmissionState.REJECTED)
    storage.leagues.set_submission_state(entry.id, SubmissionState.WITHDRAWN)
    with pytest.raises(StorageError, match="was never let play: expected it RECEIVED"):
        storage.leagues.set_submission_state(entry.id, SubmissionState.RESUMED)
    storage.leagues.set_submission_state(entry.id, SubmissionState.RECEIVED)


def test_an_owner_hands_in_so_many_in_a_day(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_000
    monkeypatch.setattr("leagues.storage.leagues.time.time", lambda: now)
    league = found(storage, submissions=2)
    assert all(submit(storage, league, code("mine", note=note), "ann")[1] for note in "ab")
    assert not submit(storage, league, code("mine", note="a"), "ann")[1]  # which is not new
    with pytest.raises(StorageError, match="too many submissions: 2 a day, retry in 1441 min"):
        submit(storage, league, code("other"), "ann")
    assert submit(storage, league, code("other"), "bob")[1]
    assert all(submit(storage, league, code("free", note=note))[1] for note in "abc")
    assert submit(storage, found(storage, "autumn"), code("other"), "ann")[1]
    now += 24 * 3600
    assert submit(storage, league, code("mine", note="c"), "ann")[1]


def test_a_league_and_a_tournament_never_share_a_name(storage: Storage) -> None:
    found(storage)
    with pytest.raises(StorageError, match="expected a new name, got spring, which is a league"):
        storage.results.get_or_create_tournament("spring", 1, {}, [])
    storage.results.get_or_create_tournament("cup", 1, {}, [])
    with pytest.raises(StorageError, match="expected a new name, got cup, which is a tournament"):
        storage.leagues.create("cup", "", 1)
