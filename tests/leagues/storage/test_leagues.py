"""Leagues, owners and submissions: every change an event, and only those that make sense."""

import re

import pytest

from arena.league.submit import submit
from leagues.storage.leagues import Roster, open_roster
from leagues.storage.results import StoreError
from leagues.submissions.lifecycle import FATE, LIFE
from tests.arena.league.sample_league import FIRST, LAST, code, enter, folder, found


def test_a_league_lives_by_events(roster: Roster) -> None:
    league = found(roster)
    for state in ("PAUSED", "FROZEN", "OPEN", "CLOSED"):
        roster.turn(league.id or 0, state, f"now {state}", "ref")
        assert roster.state(league.id or 0) == state
    told = [(event.state, event.reason) for event in roster.league_events(league.id or 0)]
    assert told[-2:] == [("OPEN", "now OPEN"), ("CLOSED", "now CLOSED")]
    with pytest.raises(StoreError, match="spring is CLOSED already"):
        roster.turn(league.id or 0, "CLOSED")
    with pytest.raises(StoreError, match="spring is CLOSED for good"):
        roster.turn(league.id or 0, "OPEN")
    assert not list(roster.check())


def test_several_leagues_share_a_database(roster: Roster) -> None:
    with pytest.raises(StoreError, match="expected the league spring, got none yet: arena league"):
        roster.league("spring")
    spring, autumn = found(roster), found(roster, "autumn")
    assert [league.name for league in roster.leagues()] == ["spring", "autumn"]
    one, _ = submit(roster, spring, code("mine"), "ann")
    other, new = submit(roster, autumn, code("mine"), "ann")
    assert new
    assert one.digest == other.digest
    assert one.entrant != other.entrant
    with pytest.raises(StoreError, match="which is a league already"):
        roster.create("spring", "", 1)
    with pytest.raises(StoreError, match="expected a league out of spring, autumn, got winter"):
        roster.league("winter")
    for name in ("", "a b", "<b>", "-a", "x" * 41):
        with pytest.raises(StoreError, match="expected a name of up to 40"):
            roster.create(name, "", 1)


def test_states_lead_only_to_states() -> None:
    for table in (LIFE, FATE):
        assert {state for states in table.values() for state in states} <= set(table)


@pytest.mark.parametrize("state", ["FROZEN", "CLOSED"])
def test_a_league_that_takes_nothing_says_so(roster: Roster, state: str) -> None:
    league = found(roster)
    roster.turn(league.id or 0, state)
    with pytest.raises(StoreError, match=f"takes submissions, got one that is {state}"):
        submit(roster, league, code("late"))
    assert roster.entries(league.id or 0) == []


def test_unchanged_content_is_recognised(roster: Roster) -> None:
    league = found(roster)
    first, new = submit(roster, league, code("mine"), "ann")
    assert new
    again, new = submit(roster, league, code("mine"), "ann")
    assert not new
    assert again == first
    with pytest.raises(StoreError, match="got the content of another's"):
        submit(roster, league, code("mine"), "bob")
    assert [entry.label for entry in roster.entries(league.id or 0)] == [first.label]
    assert not list(roster.check())


def test_a_new_version_retires_the_old_one_when_it_is_accepted(roster: Roster) -> None:
    league = found(roster)
    old = enter(roster, league, "mine", "ann", "1.0")
    other = enter(roster, league, "mine", "bob", "1.0")
    new, _ = submit(roster, league, folder("mine", "1.1"), "ann")
    assert new.parent == old.id
    assert [entry.label for entry in roster.field(league.id or 0)] == [old.label, other.label]
    roster.say(new.id, "ACCEPTED")
    assert [e.label for e in roster.field(league.id or 0)] == ["bob/mine@1.0", "ann/mine@1.1"]
    assert roster.entry(league.id or 0, "ann/mine@1.0").status == "RETIRED"
    # Whoever withdraws the new one has none, until the old one is let play again.
    roster.say(new.id, "WITHDRAWN")
    assert [entry.label for entry in roster.field(league.id or 0)] == ["bob/mine@1.0"]
    roster.say(old.id, "WITHDRAWN")
    roster.say(old.id, "RESUMED")
    assert [e.label for e in roster.field(league.id or 0)] == ["ann/mine@1.0", "bob/mine@1.0"]
    entrants = {entrant.label: entrant for entrant in roster.entrants()}
    assert entrants["ann/mine@1.1"].parent == entrants["ann/mine@1.0"].id


def test_the_same_number_for_other_content_is_told_apart(roster: Roster) -> None:
    league = found(roster)
    enter(roster, league, "mine", None, "1.0")
    again, _ = submit(roster, league, folder("mine", "1.0", LAST))
    assert again.label == f"mine@1.0+{again.digest[:6]}"


def test_a_submission_becomes_only_what_it_may(roster: Roster) -> None:
    league = found(roster)
    entry, _ = submit(roster, league, code("mine"))
    wanted = f"{entry.label} is RECEIVED: expected a bot that is WITHDRAWN or SUSPENDED to become "
    with pytest.raises(StoreError, match=re.escape(wanted)):
        roster.say(entry.id, "RESUMED")
    roster.say(entry.id, "REJECTED", "it fails", "Traceback\n\tline")
    told = roster.entry(league.id or 0, "mine")
    assert (told.status, told.reason, told.detail) == ("REJECTED", "it fails", "Traceback\n\tline")
    with pytest.raises(StoreError, match="without control characters"):
        roster.say(entry.id, "WITHDRAWN", "\x1b[31m")
    with pytest.raises(StoreError, match="expected a submission of this database, got 99"):
        roster.say(99, "ACCEPTED")


def test_bots_are_called_by_what_is_enough(roster: Roster) -> None:
    league = found(roster)
    enter(roster, league, "mine", "ann")
    enter(roster, league, "mine", "bob")
    lone = enter(roster, league, "lone")
    id = league.id or 0
    assert roster.entry(id, "bob/mine").owner == "bob"
    assert roster.entry(id, "lone@1").label == lone.label == "lone@1"
    with pytest.raises(StoreError, match="expected one bot out of ann/mine@1, bob/mine@1"):
        roster.entry(id, "mine")
    with pytest.raises(StoreError, match="expected a bot of the league"):
        roster.entry(id, "mine@2")


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
    roster: Roster, name: str, version: str, owner: str, reason: str
) -> None:
    league = found(roster)
    with pytest.raises(Exception, match=reason):
        submit(roster, league, folder(name, version), owner)
    assert roster.entries(league.id or 0) == []
    assert roster.owners() == []


def test_a_token_proves_its_owner_until_there_is_a_new_one(place: str) -> None:
    with open_roster(place) as roster:
        first = roster.new_token("ann")
        other = roster.new_token("bob")
        assert roster.owner_of(first) == "ann"
        second = roster.new_token("ann")
        assert roster.owner_of(first) is None
        assert roster.owner_of(second) == "ann"
        assert roster.owner_of(other) == "bob"
        assert roster.owner_of("") is None
        assert len({first, second, other}) == 3
        assert not list(roster.check())


def test_files_come_back_as_they_were(roster: Roster) -> None:
    league = found(roster)
    parcel = code("mine", FIRST)
    entry, _ = submit(roster, league, parcel)
    assert roster.parcel(entry.digest, entry.facts["alone"]) == parcel
    with pytest.raises(StoreError, match="expected a bot of this database"):
        roster.parcel("none", False)


def test_names_that_look_like_another_s_are_refused(roster: Roster) -> None:
    league = found(roster)
    enter(roster, league, "mine", "Bob_1")
    for name in ("bob_1", "BOB-1", "B0b_1", "Bob_l", "Bob-I"):
        with pytest.raises(StoreError, match=f"expected an owner's name unlike Bob_1, got {name}"):
            roster.new_token(name)
        with pytest.raises(StoreError, match="unlike Bob_1"):
            submit(roster, league, code("other"), name)
    roster.new_token("Bob_1")
    roster.new_token("Bob_2")
    with pytest.raises(StoreError, match="expected a name unlike spring, got Spr1ng"):
        found(roster, "Spr1ng")


def test_what_a_person_suspended_does_not_come_back_as_a_new_version(roster: Roster) -> None:
    league = found(roster)
    bad = enter(roster, league, "mine", "ann")
    roster.say(bad.id, "SUSPENDED", "it cheats")
    roster.say(bad.id, "WITHDRAWN", by="ann")
    with pytest.raises(StoreError, match="got one of ann/mine@1, which was suspended"):
        submit(roster, league, folder("mine", "2"), "ann")
    assert submit(roster, league, folder("mine", "2"), "bob")[1]
    roster.say(bad.id, "RESUMED")
    assert submit(roster, league, folder("mine", "3", LAST), "ann")[1]


def test_what_a_worker_suspended_may_be_mended(roster: Roster) -> None:
    league = found(roster)
    roster.say(enter(roster, league, "mine", "ann").id, "SUSPENDED", "it fails", by="worker 1")
    assert submit(roster, league, folder("mine", "2"), "ann")[1]


@pytest.mark.parametrize("before", ["REJECTED", "RECEIVED"])
def test_what_was_never_let_play_is_checked_before_it_is(roster: Roster, before: str) -> None:
    league = found(roster)
    entry, _ = submit(roster, league, code("mine"))
    if before == "REJECTED":
        roster.say(entry.id, "REJECTED")
    roster.say(entry.id, "WITHDRAWN")
    with pytest.raises(StoreError, match="was never let play: expected it RECEIVED"):
        roster.say(entry.id, "RESUMED")
    roster.say(entry.id, "RECEIVED")


def test_an_owner_hands_in_so_many_in_a_day(
    roster: Roster, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_000
    monkeypatch.setattr("leagues.storage.leagues.time.time", lambda: now)
    league = found(roster, submissions=2)
    assert all(submit(roster, league, code("mine", note=note), "ann")[1] for note in "ab")
    assert not submit(roster, league, code("mine", note="a"), "ann")[1]  # which is not new
    with pytest.raises(StoreError, match="at most 2 submissions in a day, got more: wait 1441 min"):
        submit(roster, league, code("other"), "ann")
    assert submit(roster, league, code("other"), "bob")[1]
    assert all(submit(roster, league, code("free", note=note))[1] for note in "abc")
    assert submit(roster, found(roster, "autumn"), code("other"), "ann")[1]
    now += 24 * 3600
    assert submit(roster, league, code("mine", note="c"), "ann")[1]
