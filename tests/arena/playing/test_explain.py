"""A match explained: its points add up, its outlooks follow on, its other choices are legal."""

import json
from pathlib import Path

import pytest

from arena.playing.explain import describe_choices, explain
from arena.playing.referee import build_decision, play
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from bots.house.hint import STRONGEST
from bots.house.judge import JUDGE, Judge, judge_end
from engine.catalog import find
from engine.match import MatchResult, Variant
from engine.replay import rounds
from tests.bots.matches import arena

pytestmark = pytest.mark.slow  # interpreted, the judge takes its time


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
        assert 0 <= each.outlook <= 100
    assert [sheet["total"] for sheet in found.sheets] == result.scores
    totals = list(result.scores)
    own_total = totals.pop(seat)
    assert found.final_lead == own_total - max(totals)
    assert found.final_outlook == judge_end(list(rounds(result))[-1].after, seat)
    following = [each.outlook for each in found.decisions[1:]] + [found.final_outlook]
    reached = [each.outlook + each.swing for each in found.decisions]
    assert reached == pytest.approx(following)
    assert found.stages[-1].sheets == found.sheets


def test_what_is_shown_is_the_worst() -> None:
    found = explain(match("architects", 2), 0, worlds=1)
    costs = sorted((each.cost for each in found.decisions), reverse=True)
    assert [each.cost for each in found.costliest(3)] == costs[:3]
    swings = sorted(each.swing for each in found.decisions)
    assert sorted(each.swing for each in found.turning_points(2)) == swings[:2]
    assert explain(match("architects", 2), 0, worlds=1) == found  # the same again


def test_the_strongest_house_bot_judges_and_agrees_with_itself() -> None:
    assert JUDGE == STRONGEST
    result = match("seven", 3)
    round = next(rounds(result))
    decision = build_decision(find("seven"), round.before, 0, Limits.move)
    setup = result.spec.setup
    verdicts = [
        Judge(find("seven"), setup, 0, 1, worlds=4).judge(decision, at)
        for at in range(len(decision.options))
    ]
    assert any(verdict.cost > 1 for verdict in verdicts)
    own = [verdict for at, verdict in enumerate(verdicts) if verdict.best == at]
    assert own
    assert all(verdict.cost == 0 for verdict in own)


def test_what_was_drawn_is_named_and_what_was_hidden_is_not() -> None:
    result = match("architects", 2)
    found = explain(result, 0, worlds=1)
    told = describe_choices(result, found, "en")
    assert told.keys() == {each.number for each in found.decisions}
    hidden = [each for each in found.decisions if each.chosen == "take centre"]
    assert hidden
    assert all("a card" not in told[each.number][0] for each in hidden)
    better = [each for each in found.decisions if each.better == "take centre" != each.chosen]
    assert better
    assert all("a card" in told[each.number][1] for each in better)


def test_the_command_explains_the_last_place(tmp_path: Path) -> None:
    words = ("play", "architects", "random", "greedy", "--seed", 1, "--in-process")
    assert arena(*words, cwd=tmp_path).returncode == 0
    told = json.loads(arena("match", "explain", 1, "--json", cwd=tmp_path).stdout)
    ranks = [told["rank"], told["seat"]]
    assert ranks == [2, 0]
    assert told["points"][0]["total"] < told["points"][1]["total"]
    shown = arena("match", "explain", 1, "--seat", 1, cwd=tmp_path).stdout
    assert "match 1: greedy, seat 1, rank 1 of 2" in shown
    assert "outlook by oracle, from 0 to 100" in shown
    assert arena("match", "explain", 1, "--seat", 2, cwd=tmp_path).returncode == 2
