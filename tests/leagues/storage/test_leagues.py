"""Leagues, owners and submissions: every change an event, and only those that make sense."""

import re

import pytest

from arena.league.submit import submit
from leagues.errors import StorageError
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage, open_storage
from leagues.submissions.lifecycle import NEXT_LEAGUE_STATES, NEXT_SUBMISSION_STATES
from tests.arena.league.sample_league import FIRST, LAST, code, enter, folder, found


def test_a_league_lives_by_events(roster: Storage) -> None:
    league = found(roster)
    for state in (
        LeagueState.PAUSED,
        LeagueState.FROZEN,
        LeagueState.OPEN,
        LeagueState.CLOSED,
    ):
        roster.leagues.set_league_state(league.id, state, f"now {state}", "ref")
        assert roster.reader.leagues.state(league.id) == state
    told = [(event.state, event.reason) for event in roster.reader.leagues.events(league.id)]
    assert told[-2:] == [("OPEN", "now OPEN"), ("CLOSED", "now CLOSED")]
    with pytest.raises(StorageError, match="spring is CLOSED already"):
        roster.leagues.set_league_state(league.id, LeagueState.CLOSED)
    with pytest.raises(StorageError, match="spring is CLOSED for good"):
        roster.leagues.set_league_state(league.id, LeagueState.OPEN)
    assert not list(roster.reader.results.damages())


def test_several_leagues_share_a_database(roster: Storage) -> None:
    with pytest.raises(StorageError, match="no league spring yet: arena league create spring"):
        roster.reader.leagues.by_name("spring")
    spring, autumn = found(roster), found(roster, "autumn")
    assert [league.name for league in roster.reader.leagues.all()] == ["spring", "autumn"]
    one, _ = submit(roster, spring, code("mine"), "ann")
    other, new = submit(roster, autumn, code("mine"), "ann")
    assert new
    assert one.digest == other.digest
    assert one.entrant != other.entrant
    with pytest.raises(StorageError, match="which is a league already"):
        roster.leagues.create("spring", "", 1)
    with pytest.raises(StorageError, match="expected a league out of spring, autumn, got winter"):
        roster.reader.leagues.by_name("winter")
    for name in ("", "a b", "<b>", "-a", "x" * 41):
        with pytest.raises(StorageError, match="expected a name of up to 40"):
            roster.leagues.create(name, "", 1)


def test_states_lead_only_to_states() -> None:
    for table in (NEXT_LEAGUE_STATES, NEXT_SUBMISSION_STATES):
        assert {state for states in table.values() for state in states} <= set(table)


@pytest.mark.parametrize("state", [LeagueState.FROZEN, LeagueState.CLOSED])
def test_a_league_that_takes_nothing_says_so(roster: Storage, state: LeagueState) -> None:
    league = found(roster)
    roster.leagues.set_league_state(league.id, state)
    with pytest.raises(StorageError, match=f"takes submissions, got one that is {state}"):
        submit(roster, league, code("late"))
    assert roster.reader.leagues.submissions(league.id) == []


def test_unchanged_content_is_recognised(roster: Storage) -> None:
    league = found(roster)
    first, new = submit(roster, league, code("mine"), "ann")
    assert new
    again, new = submit(roster, league, code("mine"), "ann")
    assert not new
    assert again == first
    with pytest.raises(StorageError, match="got the content of another's"):
        submit(roster, league, code("mine"), "bob")
    assert [entry.label for entry in roster.reader.leagues.submissions(league.id)] == [first.label]
    assert not list(roster.reader.results.damages())


def test_a_new_version_retires_the_old_one_when_it_is_accepted(roster: Storage) -> None:
    league = found(roster)
    old = enter(roster, league, "mine", "ann", "1.0")
    other = enter(roster, league, "mine", "bob", "1.0")
    new, _ = submit(roster, league, folder("mine", "1.1"), "ann")
    assert new.parent == old.id
    assert [entry.label for entry in roster.reader.leagues.playing(league.id)] == [
        old.label,
        other.label,
    ]
    roster.leagues.set_submission_state(new.id, SubmissionState.ACCEPTED)
    assert [e.label for e in roster.reader.leagues.playing(league.id)] == [
        "bob/mine@1.0",
        "ann/mine@1.1",
    ]
    assert roster.reader.leagues.find_submission(league.id, "ann/mine@1.0").status == "RETIRED"
    # Whoever withdraws the new one has none, until the old one is let play again.
    roster.leagues.set_submission_state(new.id, SubmissionState.WITHDRAWN)
    assert [entry.label for entry in roster.reader.leagues.playing(league.id)] == ["bob/mine@1.0"]
    roster.leagues.set_submission_state(old.id, SubmissionState.WITHDRAWN)
    roster.leagues.set_submission_state(old.id, SubmissionState.RESUMED)
    assert [e.label for e in roster.reader.leagues.playing(league.id)] == [
        "ann/mine@1.0",
        "bob/mine@1.0",
    ]
    entrants = {entrant.label: entrant for entrant in roster.reader.results.entrants()}
    assert entrants["ann/mine@1.1"].parent == entrants["ann/mine@1.0"].id


def test_the_same_number_for_other_content_is_told_apart(roster: Storage) -> None:
    league = found(roster)
    enter(roster, league, "mine", None, "1.0")
    again, _ = submit(roster, league, folder("mine", "1.0", LAST))
    assert again.label == f"mine@1.0+{again.digest[:6]}"


def test_a_submission_becomes_only_what_it_may(roster: Storage) -> None:
    league = found(roster)
    entry, _ = submit(roster, league, code("mine"))
    wanted = f"{entry.label} is RECEIVED: expected a bot that is WITHDRAWN or SUSPENDED to become "
    with pytest.raises(StorageError, match=re.escape(wanted)):
        roster.leagues.set_submission_state(entry.id, SubmissionState.RESUMED)
    roster.leagues.set_submission_state(
        entry.id, SubmissionState.REJECTED, "it fails", "Traceback\n\tline"
    )
    told = roster.reader.leagues.find_submission(league.id, "mine")
    assert (told.status, told.reason, told.detail) == ("REJECTED", "it fails", "Traceback\n\tline")
    with pytest.raises(StorageError, match="without control characters"):
        roster.leagues.set_submission_state(entry.id, SubmissionState.WITHDRAWN, "\x1b[31m")
    with pytest.raises(StorageError, match="expected a submission of this database, got 99"):
        roster.leagues.set_submission_state(99, SubmissionState.ACCEPTED)


def test_bots_are_called_by_what_is_enough(roster: Storage) -> None:
    league = found(roster)
    enter(roster, league, "mine", "ann")
    enter(roster, league, "mine", "bob")
    lone = enter(roster, league, "lone")
    id = league.id
    assert roster.reader.leagues.find_submission(id, "bob/mine").owner == "bob"
    assert roster.reader.leagues.find_submission(id, "lone@1").label == lone.label == "lone@1"
    with pytest.raises(StorageError, match="expected one bot out of ann/mine@1, bob/mine@1"):
        roster.reader.leagues.find_submission(id, "mine")
    with pytest.raises(StorageError, match="expected a bot of the league"):
        roster.reader.leagues.find_submission(id, "mine@2")


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
    roster: Storage, name: str, version: str, owner: str, reason: str
) -> None:
    league = found(roster)
    with pytest.raises(Exception, match=reason):
        submit(roster, league, folder(name, version), owner)
    assert roster.reader.leagues.submissions(league.id) == []
    assert roster.reader.leagues.owners() == []


def test_a_token_proves_its_owner_until_there_is_a_new_one(place: str) -> None:
    with open_storage(place) as roster:
        first = roster.leagues.new_token("ann")
        other = roster.leagues.new_token("bob")
        assert roster.reader.leagues.owner_of(first) == "ann"
        second = roster.leagues.new_token("ann")
        assert roster.reader.leagues.owner_of(first) is None
        assert roster.reader.leagues.owner_of(second) == "ann"
        assert roster.reader.leagues.owner_of(other) == "bob"
        assert roster.reader.leagues.owner_of("") is None
        assert len({first, second, other}) == 3
        assert not list(roster.reader.results.damages())


def test_files_come_back_as_they_were(roster: Storage) -> None:
    league = found(roster)
    parcel = code("mine", FIRST)
    entry, _ = submit(roster, league, parcel)
    assert roster.reader.leagues.archive(entry.digest, entry.facts["alone"]) == parcel
    with pytest.raises(StorageError, match="expected a bot of this database"):
        roster.reader.leagues.archive("none", False)


def test_names_that_look_like_another_s_are_refused(roster: Storage) -> None:
    league = found(roster)
    enter(roster, league, "mine", "Bob_1")
    for name in ("bob_1", "BOB-1", "B0b_1", "Bob_l", "Bob-I"):
        with pytest.raises(
            StorageError, match=f"expected an owner's name unlike Bob_1, got {name}"
        ):
            roster.leagues.new_token(name)
        with pytest.raises(StorageError, match="unlike Bob_1"):
            submit(roster, league, code("other"), name)
    roster.leagues.new_token("Bob_1")
    roster.leagues.new_token("Bob_2")
    with pytest.raises(StorageError, match="expected a name unlike spring, got Spr1ng"):
        found(roster, "Spr1ng")


def test_what_a_person_suspended_does_not_come_back_as_a_new_version(roster: Storage) -> None:
    league = found(roster)
    bad = enter(roster, league, "mine", "ann")
    roster.leagues.set_submission_state(bad.id, SubmissionState.SUSPENDED, "it cheats")
    roster.leagues.set_submission_state(bad.id, SubmissionState.WITHDRAWN, by="ann")
    with pytest.raises(StorageError, match="got one of ann/mine@1, which was suspended"):
        submit(roster, league, folder("mine", "2"), "ann")
    assert submit(roster, league, folder("mine", "2"), "bob")[1]
    roster.leagues.set_submission_state(bad.id, SubmissionState.RESUMED)
    assert submit(roster, league, folder("mine", "3", LAST), "ann")[1]


def test_what_a_worker_suspended_may_be_mended(roster: Storage) -> None:
    league = found(roster)
    roster.leagues.set_submission_state(
        enter(roster, league, "mine", "ann").id,
        SubmissionState.SUSPENDED,
        "it fails",
        by="worker 1",
    )
    assert submit(roster, league, folder("mine", "2"), "ann")[1]


@pytest.mark.parametrize("before", ["REJECTED", "RECEIVED"])
def test_what_was_never_let_play_is_checked_before_it_is(roster: Storage, before: str) -> None:
    league = found(roster)
    entry, _ = submit(roster, league, code("mine"))
    if before == "REJECTED":
        roster.leagues.set_submission_state(entry.id, SubmissionState.REJECTED)
    roster.leagues.set_submission_state(entry.id, SubmissionState.WITHDRAWN)
    with pytest.raises(StorageError, match="was never let play: expected it RECEIVED"):
        roster.leagues.set_submission_state(entry.id, SubmissionState.RESUMED)
    roster.leagues.set_submission_state(entry.id, SubmissionState.RECEIVED)


def test_an_owner_hands_in_so_many_in_a_day(
    roster: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_000
    monkeypatch.setattr("leagues.storage.leagues.time.time", lambda: now)
    league = found(roster, submissions=2)
    assert all(submit(roster, league, code("mine", note=note), "ann")[1] for note in "ab")
    assert not submit(roster, league, code("mine", note="a"), "ann")[1]  # which is not new
    with pytest.raises(StorageError, match="too many submissions: 2 a day, retry in 1441 min"):
        submit(roster, league, code("other"), "ann")
    assert submit(roster, league, code("other"), "bob")[1]
    assert all(submit(roster, league, code("free", note=note))[1] for note in "abc")
    assert submit(roster, found(roster, "autumn"), code("other"), "ann")[1]
    now += 24 * 3600
    assert submit(roster, league, code("mine", note="c"), "ann")[1]


def test_a_league_and_a_tournament_never_share_a_name(roster: Storage) -> None:
    found(roster)
    with pytest.raises(StorageError, match="expected a new name, got spring, which is a league"):
        roster.results.get_or_create_tournament("spring", 1, {}, [])
    roster.results.get_or_create_tournament("cup", 1, {}, [])
    with pytest.raises(StorageError, match="expected a new name, got cup, which is a tournament"):
        roster.leagues.create("cup", "", 1)
