"""The referee's own arithmetic, and the steward who plays for those that failed."""

import pytest

from arena.practice import practice
from arena.referee import ask, last_if_faulty
from botlife.table import GAME, PATIENT, confirm, match
from bots.house.random import Random
from bots.players import Steward


@pytest.mark.parametrize(
    ("ranks", "faulty", "expected"),
    [
        ([0, 1, 2], set(), [0, 1, 2]),
        ([0, 1, 2], {0}, [2, 0, 1]),
        ([0, 1, 2], {1}, [0, 2, 1]),
        ([0, 1, 2], {2}, [0, 1, 2]),
        ([0, 0, 2], {0}, [2, 0, 1]),
        ([0, 0, 2], {2}, [0, 0, 2]),
        ([0, 0, 0], {1}, [0, 2, 0]),
        ([0, 1, 1], {0}, [2, 0, 0]),
        ([0, 1, 1], {1, 2}, [0, 1, 1]),
        ([2, 1, 0], {1, 2}, [0, 2, 1]),
        ([0, 1, 2], {0, 1, 2}, [0, 1, 2]),
        ([1, 0], {1}, [0, 1]),
        ([3, 0, 1, 2], {1, 3}, [1, 2, 0, 3]),
    ],
)
def test_seats_with_a_fault_come_last(ranks: list, faulty: set, expected: list) -> None:
    assert last_if_faulty(ranks, faulty) == expected


def test_the_steward_plays_the_same_again() -> None:
    first = match([Steward(9, seat) for seat in range(3)], 9)
    assert match([Steward(9, seat) for seat in range(3)], 9) == first
    assert match([Steward(8, seat) for seat in range(3)], 9).decisions != first.decisions
    confirm(first)


def test_two_stewards_of_a_match_roll_other_dice() -> None:
    state = GAME.deal(GAME.setup(3, 1), 1)
    question = ask(GAME, state, state.pending()[0], PATIENT)
    streams = []
    for seat in range(3):
        steward = Steward(1, seat)
        steward.ask(question)
        streams.append([steward.answer() for _ in range(40)])
    assert streams[0] != streams[1] != streams[2] != streams[0]
    assert all(set(stream) == {option.action for option in question.options} for stream in streams)


def test_practice_with_a_seed_can_be_repeated() -> None:
    first = practice(Random, GAME.id, 3, seed=4)
    assert first == practice(Random, GAME.id, 3, seed=4)
    assert first.spec.bots == ("Random", "steward", "steward")
    assert first.faults == ()
