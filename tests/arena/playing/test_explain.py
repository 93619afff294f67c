"""A match explained: its points add up, its outlooks follow on, its other choices are legal."""

import json
from pathlib import Path

import pytest

from arena.playing.explain import (
    JudgedDecision,
    MatchExplanation,
    describe_choices,
    explain,
    last_lost_lead,
)
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

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("hasty_judge")]


def match(game: str, players: int, seed: int = 5) -> MatchResult:
    rules = find(game)
    setup = rules.setup(players, seed, (), Variant(game))
    chairs: list[Chair] = [Steward(seed, seat) for seat in range(players)]
    return play(rules.spec(setup, seed, ("steward",) * players), chairs, Limits())


@pytest.mark.parametrize(("game", "players"), [("architects", 2), ("seven", 3)])
def test_every_decision_of_the_seat_is_judged(game: str, players: int) -> None:
    result = match(game, players)
    seat = players - 1
    found = explain(result, seat)
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
    found = explain(match("architects", 2), 0)
    costs = sorted((each.cost for each in found.decisions), reverse=True)
    assert [each.cost for each in found.costliest(3)] == costs[:3]
    swings = sorted(each.swing for each in found.decisions)
    turns = found.turning_points(3)
    assert {swings[0], swings[1]} <= {each.swing for each in turns}
    assert turns == sorted(turns, key=lambda each: each.number)
    assert explain(match("architects", 2), 0) == found  # the same again


def judged(number: int, cost: float, swing: float) -> JudgedDecision:
    better = "b" if cost else "a"
    return JudgedDecision(number, "turn", 3, "a", better, cost, 50.0, swing)


def test_the_costliest_decision_is_a_turning_point_whatever_came_after_it() -> None:
    falls = [judged(number, 0.0, -5.0 - number) for number in range(4)]
    found = MatchExplanation(0, [], [*falls, judged(9, 8.0, 2.0)], 0, 0.0, [])
    assert [each.number for each in found.turning_points(3)] == [2, 3, 9]


def test_who_was_ahead_of_the_winner_last() -> None:
    for seed in range(4):
        result = match("seven", 3, seed)
        winner = result.ranks.index(0)
        behind = [
            (each.number, scores.index(max(scores)))
            for each in rounds(result)
            if (scores := each.before.scores())[winner] < max(scores)
        ]
        lead = last_lost_lead(result)
        assert (lead and (lead.decision, lead.seat)) == (behind[-1] if behind else None)


def test_a_game_that_is_won_ends_at_a_hundred_and_one_that_is_lost_at_zero() -> None:
    for game, players in (("architects", 3), ("seven", 4)):
        result = match(game, players)
        end = list(rounds(result))[-1].after
        assert result.ranks.count(0) == 1
        ends = [judge_end(end, seat) for seat in range(players)]
        assert ends == pytest.approx([100.0 * (rank == 0) for rank in result.ranks], abs=0.01)


def test_the_strongest_house_bot_judges_and_agrees_with_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bots.house.judge.WORLDS", 4)
    assert JUDGE == STRONGEST
    result = match("seven", 3)
    round = next(rounds(result))
    decision = build_decision(find("seven"), round.before, 0, Limits.move)
    setup = result.spec.setup
    verdicts = [
        Judge(find("seven"), setup, 0, 1).judge(decision, at) for at in range(len(decision.options))
    ]
    assert any(verdict.cost > 1 for verdict in verdicts)
    own = [verdict for at, verdict in enumerate(verdicts) if verdict.best == at]
    assert own
    assert all(verdict.cost == 0 for verdict in own)


def test_what_was_drawn_is_named_and_what_was_hidden_is_not() -> None:
    result = match("architects", 2)
    found = explain(result, 0)
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
