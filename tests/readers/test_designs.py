"""Tournaments of every design are verified, those that follow their results too."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.plan import Plan
from arena.schedule import Fixture
from arena.tournament import Scribe, open_contest, play
from engine.record import MatchResult, MatchSpec
from leagues.store import open_store
from readers.conftest import Run
from readers.sample import throw

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


class Dice:
    """A runner without workers, which stops after some matches."""

    def __init__(self, liar: int | None) -> None:
        self.liar = liar  # the place at which it lets bots change seats
        self.stopping = False
        self.played = 0

    def run(
        self, matches: Iterable[tuple[Fixture, MatchSpec]], _: int
    ) -> Iterator[tuple[Fixture, MatchResult]]:
        for fixture, _spec in matches:
            if self.stopping:
                return
            result = throw(fixture)
            if fixture.number == self.liar:
                fixture = replace(fixture, entrants=fixture.entrants[::-1])
            yield fixture, result
            self.played += 1
            self.stopping = self.played == ENOUGH


def hold(db: Path, liar: int | None = None, **wishes: Any) -> int:
    """Play a part of a tournament, or go on with it; how many matches it has."""
    with open_store(db) as store:
        contest = open_contest(store, Plan(BOTS, players="2", seed=5, name="cup", **wishes))
        play(contest, Dice(liar), Scribe(store, contest, True), lambda *_: None)  # type: ignore[arg-type]
        return store.count()


@pytest.mark.parametrize("name", PLANS)
def test_every_design_is_verified(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    played = hold(tmp_path / "arena.db", **PLANS[name])
    assert played > 3
    said = run("tournament", "verify")
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{played} matches of cup: checksums, rules, schedule and table confirmed\n"
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
    assert said.out == f"{played} matches of cup: checksums, rules, schedule and table confirmed\n"


def test_a_table_that_does_not_follow_from_the_results_is_named(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hold(tmp_path / "arena.db", liar=12, **PLANS["adaptive"])
    said = run("tournament", "verify", "cup")
    assert said.code == 1
    assert said.out.startswith("match 13: place 12 of the schedule: expected seats (")
