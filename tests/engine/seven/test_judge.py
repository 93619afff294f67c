"""Whole games, decision by decision, before a judge that knows the rules by another way."""

from typing import Any

import pytest

import engine
from engine.match import MatchResult, MatchSpec, Variant
from engine.replay import trace
from engine.rng import Rng, derive
from engine.seven.game import SEVEN
from tests.engine.seven import slow_score
from tests.engine.seven.slow_rules import Judge

TABLES = [(edition, players) for edition in ("1st", "2nd") for players in range(3, 8)]


def recorded(edition: str, players: int, seed: int, thrifty: bool) -> dict[str, Any]:
    """A game in words; thrifty seats build what they can, so that cities grow rich."""
    setup = SEVEN.setup(players, seed, (), Variant("seven", edition))
    state = SEVEN.deal(setup, seed)
    dice = Rng(derive(seed, "judge"))
    decisions = []
    while seats := state.pending():
        for seat in seats:
            options = state.legal(seat)
            if thrifty:
                builds = [a for a in options if not SEVEN.text(a).startswith(("sell", "pass"))]
                options = builds or options
            decisions.append(options[dice.below(len(options))])
            state.apply(seat, decisions[-1])
    spec = MatchSpec(setup, seed, ("random",) * players, 1)
    return trace(MatchResult(spec, decisions, state.scores(), state.ranks()))


@pytest.mark.slow
@pytest.mark.parametrize("thrifty", [False, True])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_judge_asks_the_same_questions(edition: str, players: int, thrifty: bool) -> None:
    for seed in range(12 if engine.COMPILED else 2):
        facts = recorded(edition, players, seed, thrifty)
        judge = Judge(facts)
        game = judge.play()
        ask = next(game, None)
        for step in facts["steps"]:
            assert ask == (step["seat"], step["prompt"], set(step["options"]))
            try:
                ask = game.send(step["choice"])
            except StopIteration:
                ask = None
        assert ask is None
        sheets = [slow_score.sheet(judge.towns, seat) for seat in range(players)]
        assert facts["scores"] == sheets
        keys = [(sheets[seat]["total"], judge.towns[seat].coins) for seat in range(players)]
        assert facts["ranks"] == [sum(other > key for other in keys) for key in keys]
