"""Matches travel between processes as they are, compiled or not."""

import pickle

import arena.playing.runner  # noqa: F401 - which makes matches fit to travel
from engine.match import Fault, MatchResult, SeatUsage
from tests.support.setups import Row


def test_a_match_arrives_as_it_was_sent() -> None:
    spec = Row("architects", 2).spec(3)
    fault = Fault(1, "time", "too long", 2)
    sent = MatchResult(
        spec, [1, 2], [3, 4], [1, 0], (fault,), (SeatUsage(1), SeatUsage(2)), "full", 1.0
    )
    assert pickle.loads(pickle.dumps(sent)) == sent
