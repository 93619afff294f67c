"""A match explained: its points add up, its leads follow the judge, its other choices are legal."""

import json
from pathlib import Path

import pytest

from arena.playing.explain import explain
from arena.playing.referee import play
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from bots.house.judge import judge_position
from engine.catalog import find
from engine.match import MatchResult, Variant
from engine.replay import rounds
from tests.bots.matches import arena


def match(game: str, players: int, seed: int = 5) -> MatchResult:
    rules = find(game)
    setup = rules.setup(players, seed, (), Variant(game))
    chairs: list[Chair] = [Steward(seed, seat) for seat in range(players)]
    return play(rules.spec(setup, seed, ("steward",) * players), chairs, Limits())


@pytest.mark.parametrize(("game", "players"), [("architects", 2), ("seven", 3)])
def test_every_decision_of_the_seat_is_judged(game: str, players: int) -> None:
    result = match(game, players)
    seat = players - 1
    found = explain(result, seat, worlds=1)
    rules = find(game)
    own = {
        round.number + round.seats.index(seat): round
        for round in rounds(result)
        if seat in round.seats
    }
    assert [each.number for each in found.decisions] == list(own)
    for each in found.decisions:
        round = own[each.number]
        texts = [rules.text(action) for action in round.options[round.seats.index(seat)]]
        assert each.chosen == rules.text(result.decisions[each.number])
        assert each.better in texts
        assert each.cost >= 0
        assert (each.cost == 0) is each.is_same
        assert each.lead == judge_position(round.before, seat)
    assert [sheet["total"] for sheet in found.sheets] == result.scores
    totals = list(result.scores)
    own_total = totals.pop(seat)
    assert found.final_lead == own_total - max(totals)
    last = found.decisions[-1]
    assert last.lead + last.swing == pytest.approx(found.final_lead)
    assert found.stages[-1].sheets == found.sheets


def test_what_is_shown_is_the_worst() -> None:
    found = explain(match("architects", 2), 0, worlds=1)
    costs = sorted((each.cost for each in found.decisions), reverse=True)
    assert [each.cost for each in found.costliest(3)] == costs[:3]
    swings = sorted(each.swing for each in found.decisions)
    assert sorted(each.swing for each in found.turning_points(2)) == swings[:2]
    assert explain(match("architects", 2), 0, worlds=1) == found  # the same again


def test_the_command_explains_the_last_place(tmp_path: Path) -> None:
    words = ("play", "architects", "random", "greedy", "--seed", 1, "--in-process")
    assert arena(*words, cwd=tmp_path).returncode == 0
    told = json.loads(arena("match", "explain", 1, "--json", cwd=tmp_path).stdout)
    ranks = [told["rank"], told["seat"]]
    assert ranks == [2, 0]
    assert told["points"][0]["total"] < told["points"][1]["total"]
    shown = arena("match", "explain", 1, "--seat", 1, cwd=tmp_path).stdout
    assert "match 1: greedy, seat 1, rank 1 of 2" in shown
    assert "lead over the best other seat" in shown
    assert arena("match", "explain", 1, "--seat", 2, cwd=tmp_path).returncode == 2
