"""Tournaments of every design are verified, those that follow their results too."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.league.planning.agenda import agenda
from arena.league.rules import parse_rules
from arena.playing.entrants import contenders
from arena.playing.machine_failures import MachineFailures
from arena.playing.runner import NotPlayed
from arena.schedule import Fixture
from arena.tournament.contest import open_contest
from arena.tournament.plan import plan_of
from arena.tournament.plan_command import plan_command
from arena.tournament.run import play_contest
from engine.match import MatchResult, MatchSpec
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import open_storage
from tests.arena.conftest import Run
from tests.arena.league import sample_league
from tests.arena.reports.sample_tournament import throw

pytestmark = pytest.mark.slow

BOTS = ("random", "greedy", "planner")
PLANS: dict[str, dict[str, Any]] = {
    "balanced": {"rounds": 2},
    "full": {"design": "full"},
    "random": {"design": "random", "rounds": 2},
    "gauntlet": {"newcomer": "planner", "rounds": 2},
    "adaptive": {"until": "top1@99%"},
    "timed": {"budget": "5s"},
}
ENOUGH = 25

CONFIRMED = "checksums, rules, schedule, table and ratings confirmed\n"


class Dice:
    """A runner without workers, which stops after some matches."""

    enough = ENOUGH

    def __init__(self, liar: int | None, unplayed: int | None) -> None:
        self.liar = liar  # the place at which it lets bots change seats
        self.unplayed = unplayed  # the place at which the machine fails
        self.stopping = False
        self.played = 0

    def run(
        self, matches: Iterable[tuple[Fixture, MatchSpec]], _: int
    ) -> Iterator[tuple[Fixture, MatchResult | NotPlayed]]:
        for fixture, _spec in matches:
            if self.stopping:
                return
            if fixture.number == self.unplayed:
                yield fixture, NotPlayed("a power cut")
                continue
            result = throw(fixture)
            if fixture.number == self.liar:
                fixture = replace(fixture, entrants=fixture.entrants[::-1])
            yield fixture, result
            self.played += 1
            self.stopping = self.played == self.enough


def hold(db: Path, liar: int | None = None, unplayed: int | None = None, **settings: Any) -> int:
    """Play a part of a tournament, or go on with it; how many matches it has."""
    with open_storage(db) as storage:
        facts = {"bots": BOTS, "players": "2", "seed": 5, "name": "cup"} | settings
        contest = open_contest(storage, plan_of(facts, ""), contenders(BOTS), plan_command)
        play_contest(contest, Dice(liar, unplayed), storage, True, MachineFailures())  # type: ignore[arg-type]
        return storage.reader.results.count()


@pytest.mark.parametrize("name", PLANS)
def test_every_design_is_verified(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    played = hold(tmp_path / "arena.db", **PLANS[name])
    assert played > 3
    said = run("tournament", "verify")
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{played} matches of cup: {CONFIRMED}"
    assert run("tournament", "status", "cup").code == 0
    assert f" {played}" in run("tournament", "list").out


@pytest.mark.parametrize("name", ["adaptive", "balanced"])
def test_a_tournament_that_went_on_is_verified(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    first = hold(db, **PLANS[name])
    more = {"rounds": 5} if name == "balanced" else {}
    assert hold(db, **PLANS[name] | more) > first
    said = run("tournament", "verify", "cup")
    assert (said.code, said.out.count("\n")) == (0, 1)


def test_what_is_excluded_afterwards_disturbs_no_table(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    played = hold(tmp_path / "arena.db", **PLANS["adaptive"])
    assert run("match", "exclude", 1, "--reason", "a power cut").code == 0
    said = run("tournament", "verify", "cup")
    assert said.out == f"{played} matches of cup: {CONFIRMED}"


def test_a_table_that_does_not_follow_from_the_results_is_named(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hold(tmp_path / "arena.db", liar=12, **PLANS["adaptive"])
    said = run("tournament", "verify", "cup")
    assert said.code == 1
    assert said.out.startswith("match 13: place 12 of the schedule: expected seats (")


@pytest.mark.parametrize("liar", [None, 26])
def test_tables_follow_from_what_counted_when_they_were_made(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, liar: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    hold(db, **PLANS["adaptive"])
    for id in (1, 2):
        assert run("match", "exclude", id, "--reason", "a power cut").code == 0
    hold(db, liar=liar, **PLANS["adaptive"])
    assert run("match", "restore", 2, "--reason", "a mistake").code == 0
    played = hold(db, **PLANS["adaptive"])
    said = run("tournament", "verify", "cup")
    if liar is None:
        expected = f"{played} matches of cup: {CONFIRMED}"
        assert (said.code, said.out) == (0, expected)
    else:
        assert said.code == 1
        assert f"place {liar} of the schedule: expected seats (" in said.out


@pytest.mark.parametrize("liar", [None, 16])
def test_tables_follow_from_what_was_stored_when_they_were_made(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, liar: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    hold(db, liar=liar, unplayed=7, **PLANS["adaptive"])
    played = hold(db, **PLANS["adaptive"])
    said = run("tournament", "verify", "cup")
    if liar is None:
        expected = f"{played} matches of cup: {CONFIRMED}"
        assert (said.code, said.out) == (0, expected)
    else:
        assert said.code == 1
        assert said.out.count("\n") == 2
        assert f"place {liar} of the schedule: expected seats (" in said.out


def test_more_rounds_are_more_to_do(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    first = hold(db, rounds=2)

    def status() -> tuple[int, int, bool, str]:
        facts = json.loads(run("tournament", "status", "cup", "-o", "json").out)
        return facts["played"], facts["planned"], facts["complete"], facts["resume"]

    assert status()[:3] == (first, first, True)
    played = hold(db, rounds=20)
    assert played == first + ENOUGH
    assert status()[:3] == (played, 10 * first, False)
    assert "--rounds 20" in status()[3]
    said = run("tournament", "status", "cup").out
    assert f"{played} of {10 * first} matches played" in said
    assert "to go on: arena tournament run" in said
    (listed,) = json.loads(run("tournament", "list", "-o", "json").out)
    assert listed["planned"] == 10 * first
    assert hold(db, rounds=2) == played
    assert status()[2]


def test_a_goal_that_is_reached_is_complete(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    goal: dict[str, Any] = {"until": "order@60%"}

    def status() -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(run("tournament", "status", "cup", "-o", "json").out)
        assert facts["complete"] == (facts["sure"] is not None and facts["sure"] >= facts["enough"])
        return facts

    monkeypatch.setattr(Dice, "enough", 3)
    hold(db, **goal)
    assert (status()["complete"], status()["sure"]) == (False, None)
    assert "the opening is not played yet" in run("tournament", "status", "cup").out
    monkeypatch.setattr(Dice, "enough", 8)
    while (before := hold(db, **goal)) < (after := hold(db, **goal)):
        assert not status()["complete"] or hold(db, **goal) == after
    assert before == after
    assert status()["complete"]
    said = run("tournament", "status", "cup").out
    assert "goal order@60%: " in said
    assert "\ncomplete\n" in said


def test_as_many_rounds_as_time_allows_are_never_complete(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    hold(db, **PLANS["timed"])
    played = hold(db, **PLANS["timed"])
    facts = json.loads(run("tournament", "status", "cup", "-o", "json").out)
    assert (facts["played"], facts["planned"], facts["complete"]) == (played, None, False)


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_tournament_is_followed_until_it_is_complete(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "arena.db"
    monkeypatch.setattr(Dice, "enough", 5)
    played = [hold(db, rounds=4)]

    def a_while(_: float) -> None:
        played.append(hold(db, rounds=4))

    monkeypatch.setattr("arena.tournament.follow.sleep", a_while)
    said = run("tournament", "status", "cup", "--follow", "-o", form)
    assert len(played) > 1
    if form == "json":
        told = [json.loads(line)["played"] for line in said.out.splitlines()]
        assert told == played
    else:
        lines = [f"{count} of {played[-1]} matches played" for count in played]
        assert said.out.splitlines() == [*lines, "complete"]
    assert run("tournament", "status", "cup", "--follow", "-o", "csv").code == 2


@pytest.mark.parametrize("liar", [None, 3])
def test_stages_of_leagues_are_verified_and_listed_apart(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, liar: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_storage(tmp_path / "arena.db") as storage:
        league = sample_league.found(storage, players="2", games=8)
        for name in ("a", "b", "c"):
            sample_league.enter(storage, league, name)
        due = agenda(storage, league, parse_rules(league.rules)).due
        assert due is not None
        for fixture in due.fixtures:
            seats = fixture.entrants[:: -1 if fixture.number == liar else 1]
            entrants = tuple(due.entrants[place] for place in seats)
            result = throw(fixture)
            row = (fixture.number, fixture.id, fixture.stage, fixture.round, entrants, result)
            storage.results.add(due.stage.tournament, [ScheduledResult(*row)])
    said = run("tournament", "verify")
    assert said.code == (0 if liar is None else 1)
    assert liar is None or said.out.startswith("match 4: place 3 of the schedule: expected seats (")
    assert run("tournament", "verify", "spring").out == said.out
    matches = run("match", "list", "--tournament", "spring", "-o", "json").out
    exported = run("tournament", "export", "spring").out.splitlines()
    assert len(json.loads(matches)) == len(exported) == len(due.fixtures)
    assert {json.loads(line)["tournament"] for line in exported} == {"spring/1"}
    assert run("tournament", "status", "spring").err.endswith(
        "got a league: arena league show spring\n"
    )
    (told,) = run("match", "debug", "1", "--seat", "0").err.splitlines()
    assert re.fullmatch("arena: expected --bot with your own copy of .@1, got a league's bot", told)
    assert "1 stage of leagues: arena league list" in run("tournament", "list").out
    assert run("tournament", "status", "spring/1").err == (
        "arena: expected a tournament by itself, got spring/1, a stage of a league: "
        "arena league show spring\n"
    )


def test_one_bot_in_two_leagues_has_one_name_and_is_told_apart_by_the_league(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_storage(tmp_path / "arena.db") as storage:
        for name in ("spring", "autumn"):
            league = sample_league.found(storage, name, players="2")
            for bot in ("a", "b"):
                sample_league.enter(storage, league, bot)
            due = agenda(storage, league, parse_rules(league.rules)).due
            assert due is not None
            sample_league.play(storage, due, 2)
    everywhere = json.loads(run("match", "list", "--json").out)
    names = {seat["bot"] for row in everywhere for seat in row["seats"]}
    assert names == {"a@1", "b@1"}
    exported = run("tournament", "export", "spring").out
    assert "#" not in exported
    for words in (("a@1#1",), ("a", "--tournament", "spring"), ("a@1", "--tournament", "spring")):
        found = json.loads(run("match", "list", "--json", "--bot", *words).out)
        assert {row["tournament"] for row in found} == {"spring/1"}
        assert len(found) == 2
