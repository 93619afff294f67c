"""Matches travel between processes as they are, compiled or not."""

import pickle

import arena.playing.runner  # noqa: F401 - which makes matches fit to travel
from engine.match import Account, Fault, MatchResult
from tests.support.setups import Row


def test_a_match_arrives_as_it_was_sent() -> None:
    spec = Row("architects", 2).spec(3)
    fault = Fault(1, "time", "too long", 2)
    sent = MatchResult(
        spec, [1, 2], [3, 4], [1, 0], (fault,), (Account(1), Account(2)), "full", 1.0
    )
    assert pickle.loads(pickle.dumps(sent)) == sent
