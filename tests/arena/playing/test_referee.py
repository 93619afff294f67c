"""The referee's own arithmetic, and the steward who plays for those that failed."""

from contextlib import closing
from dataclasses import replace

import pytest

from arena.playing.referee import build_decision, play, rank_faulty_last
from arena.playing.seat_debug import decisions_of, find_moment
from arena.testing import practice
from bots.api import Action, Bot, Decision, Option, Outcome
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from bots.house.random import Random
from bots.sandbox.errors import SandboxError
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import Fault, MatchResult
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
def test_seats_with_a_fault_come_last(
    ranks: list[int], faulty: set[int], expected: list[int]
) -> None:
    assert rank_faulty_last(ranks, faulty) == expected


class FailsThird(Bot):
    """Fails at its third decision."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, decision: Decision) -> Option:
        self.asked += 1
        if self.asked == 3:
            raise ValueError("enough")
        return decision.options[0]


def failing_at(seat: int) -> MatchResult:
    """A match of three at 7 Wonders, where all answer at once."""
    seven = find("seven")
    chairs = [InProcessChair(FailsThird if at == seat else Random) for at in range(3)]
    spec = seven.spec(seven.setup(3, 1), 1, ("bot",) * 3)
    return play(spec, chairs, PATIENT)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_fault_carries_the_number_of_its_own_decision(seat: int) -> None:
    result = failing_at(seat)
    (fault,) = result.faults
    assert fault.decision == decisions_of(result, seat)[2]
    assert find_moment(result, seat, None).number == fault.decision
    assert find_moment(result, seat, fault.decision).number == fault.decision


@pytest.mark.parametrize("seat", [1, 2])
def test_a_fault_with_the_number_of_its_round_is_found(seat: int) -> None:
    """As matches have it that were stored by earlier versions."""
    result = failing_at(seat)
    (fault,) = result.faults
    first_of_round = fault.decision - seat
    stored = replace(result, faults=(Fault(seat, fault.kind, fault.detail, first_of_round),))
    assert find_moment(stored, seat, first_of_round).number == fault.decision
    assert find_moment(stored, seat, None).number == fault.decision
    assert find_moment(stored, seat, fault.decision).number == fault.decision
    with pytest.raises(ArenaError, match=f"expected a decision of seat {seat} out of"):
        find_moment(result, seat, first_of_round)


def test_the_steward_plays_the_same_again() -> None:
    first = match([Steward(9, seat) for seat in range(3)], 9)
    assert story(match([Steward(9, seat) for seat in range(3)], 9)) == story(first)
    assert match([Steward(8, seat) for seat in range(3)], 9).decisions != first.decisions
    confirm(first)


def test_two_stewards_of_a_match_roll_other_dice() -> None:
    state = GAME.deal(GAME.setup(3, 1), 1)
    question = build_decision(GAME, state, state.pending()[0], PATIENT.move)
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
        assert len(account.printed) <= 16_000
        assert account.asked > 0


def test_a_machine_that_fails_after_the_end_undoes_no_match() -> None:
    """Or a bot that has lost could have the match played again."""

    class Fails(Chair):
        def __init__(self) -> None:
            super().__init__()
            self.steward = Steward(1, 0)

        def ask(self, decision: Decision) -> None:
            self.steward.ask(decision)

        def answer(self) -> Action:
            return self.steward.answer()

        def finish(self, outcome: Outcome) -> None:
            raise SandboxError("the machine was too busy")

    setup = find("architects").setup(2, 1)
    spec = find("architects").spec(setup, 1, ("a", "b"))
    result = play(spec, [Fails(), Steward(1, 1)], Limits())
    assert result.faults == ()
    assert result.decisions == play(spec, [Steward(1, 0), Steward(1, 1)], Limits()).decisions
