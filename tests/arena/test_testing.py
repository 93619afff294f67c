"""What `arena.testing` gives a bot author's own tests."""

import pytest

from arena.testing import decide_again, practice
from bots.api import Bot, Decision, find
from bots.house.random import Random
from engine.errors import ArenaError


class Fails(Bot):
    def decide(self, decision: Decision) -> str:
        raise RuntimeError("no idea")


def test_opponents_are_named_or_classes_and_take_turns() -> None:
    result = practice(Random, "seven", 4, seed=2, opponents=["greedy:worlds=1", Random])
    assert result.spec.bots == ("Random", "greedy:worlds=1", "Random", "greedy:worlds=1")
    assert result.faults == ()


def test_a_bot_may_be_given_by_its_spec() -> None:
    one = practice("random", "architects", 2, seed=3)
    assert one.decisions == practice(Random, "architects", 2, seed=3).decisions
    assert one.spec.bots == ("random", "steward")


def test_what_it_does_wrong_is_in_the_faults() -> None:
    result = practice(Fails, "architects", 2, seed=1, opponents=["random"])
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, "exception")]


def test_a_decision_can_be_asked_again() -> None:
    game = find("architects")
    setup = game.setup(2, 1)
    state = game.deal(setup, 1)
    seat = state.pending()[0]
    options = [game.text(action) for action in state.legal(seat)]
    view = state.view(seat).dump()
    first = decide_again("greedy", "architects", setup, seat, 5, view, options)
    assert first in options
    assert decide_again("greedy", "architects", setup, seat, 5, view, options) == first
    with pytest.raises(ArenaError, match="expected the options take nothing, got take left"):
        decide_again("greedy", "architects", setup, seat, 5, view, ["take nothing"])
