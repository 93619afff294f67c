"""The referee's own arithmetic, and the steward who plays for those that failed."""

from contextlib import closing

import pytest

from arena.playing.referee import ask, last_if_faulty
from arena.testing import practice
from bots.chairs.in_process import InProcessChair
from bots.chairs.steward import Steward
from bots.house.random import Random
from tests.bots.matches import GAME, PATIENT, bot, confirm, in_a_process, in_ours, match, story


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
        ([2, 1, 0], {1, 2}, [0, 1, 1]),
        ([0, 1, 2], {0, 1, 2}, [0, 0, 0]),
        ([1, 0], {1}, [0, 1]),
        ([3, 0, 1, 2], {1, 3}, [1, 2, 0, 2]),
    ],
)
def test_seats_with_a_fault_come_last(ranks: list, faulty: set, expected: list) -> None:
    assert last_if_faulty(ranks, faulty) == expected


def test_the_steward_plays_the_same_again() -> None:
    first = match([Steward(9, seat) for seat in range(3)], 9)
    assert story(match([Steward(9, seat) for seat in range(3)], 9)) == story(first)
    assert match([Steward(8, seat) for seat in range(3)], 9).decisions != first.decisions
    confirm(first)


def test_two_stewards_of_a_match_roll_other_dice() -> None:
    state = GAME.deal(GAME.setup(3, 1), 1)
    question = ask(GAME, state, state.pending()[0], PATIENT.move)
    streams = []
    for seat in range(3):
        steward = Steward(1, seat)
        steward.ask(question)
        streams.append([steward.answer() for _ in range(40)])
    assert streams[0] != streams[1] != streams[2] != streams[0]
    assert all(set(stream) == {option.action for option in question.options} for stream in streams)


def test_practice_with_a_seed_can_be_repeated() -> None:
    first = practice(Random, GAME.id, 3, seed=4)
    assert story(first) == story(practice(Random, GAME.id, 3, seed=4))
    assert first.spec.bots == ("Random", "steward", "steward")
    assert first.faults == ()


def test_every_seat_has_an_account() -> None:
    result = match([in_ours(bot("crashes.py:at=decide")), InProcessChair(Random), Steward(1, 2)], 1)
    asked = [account.asked for account in result.accounts]
    assert (asked[0], asked[2]) == (1, 0)
    assert asked[1] > 1
    good = result.accounts[1]
    assert 0 < good.longest <= good.computed < result.seconds


@pytest.mark.parametrize("name", ["talks.py", "talks_then_crashes.py"])
def test_what_a_bot_printed_is_kept_with_the_match(name: str) -> None:
    with closing(in_a_process(bot(name))) as chair:
        result = match([chair, InProcessChair(Random)], 1)
        again = match([chair, InProcessChair(Random)], 1)
    assert bool(result.faults) == ("crashes" in name)
    for account in (result.accounts[0], again.accounts[0]):
        assert account.printed
        assert len(account.printed) <= 4_000
        assert account.asked > 0
