"""Whom failures of the machine are laid at the door of: a bot they cluster around, or nobody."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from unittest.mock import patch

import pytest

from arena.playing.machine_failures import MIN_FAILED, RETRY, Blame, BlameLedger
from arena.playing.referee import play
from arena.playing.runner import MAX_ROUNDS, MatchOutcome, NotPlayed, Runner
from arena.series import run as series
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation
from bots.house.random import Random
from bots.sandbox.errors import SandboxError
from engine.catalog import GAMES
from engine.match import Fault, FaultKind, MatchResult, MatchSpec, Setup, Variant

FIELD = [f"bot{number}" for number in range(10)]
BAD = {"bot3", "bot7"}
SETUP = Setup(Variant("architects"), 3, ("giza", "rhodes", "olympia"))


def tables(count: int, field: Sequence[str] = FIELD, size: int = 3) -> Iterator[MatchSpec]:
    dice = random.Random(1)
    for number in range(count):
        yield MatchSpec(SETUP, number, tuple(dice.sample(field, size)), 1)


class Machine:
    """Plays no match: they fail as told, and are counted."""

    def __init__(self, fails: Callable[[MatchSpec], NotPlayed | None]) -> None:
        self.fails = fails
        self.tried: Counter[int] = Counter()

    def play(
        self, specs: list[MatchSpec], blamed: Mapping[str, Blame] | None = None, attempts: int = 3
    ) -> list[MatchOutcome]:
        return [self.one(spec, blamed or {}, attempts) for spec in specs]

    def one(self, spec: MatchSpec, blamed: Mapping[str, Blame], attempts: int) -> MatchOutcome:
        failure = None if BAD & set(blamed) else self.fails(spec)
        self.tried[spec.seed] += attempts if failure else 1
        if failure:
            return failure
        faults = [
            Fault(seat, blamed[bot].kind, blamed[bot].detail, 0)
            for seat, bot in enumerate(spec.bots)
            if bot in blamed
        ]
        return MatchResult(spec, [], [0, 0, 0], [0, 0, 0], tuple(faults), seconds=0.01)

    def run(self, specs: Iterator[MatchSpec]) -> list[MatchOutcome]:
        with Runner[int](self.open, self.play, lambda: 2) as runner:
            return [outcome for _, outcome in runner.run((spec.seed, spec) for spec in specs)]

    def open(self) -> Executor:
        return ThreadPoolExecutor(2)


def failure(seat: int | None = None, works: bool = True) -> NotPlayed:
    return NotPlayed("killed", kind=FaultKind.MEMORY, seat=seat, machine_works=works)


def faults(outcomes: list[MatchOutcome]) -> Counter[str]:
    return Counter(
        each.spec.bots[fault.seat]
        for each in outcomes
        if isinstance(each, MatchResult)
        for fault in each.faults
    )


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_two_bots_of_ten_that_undo_their_matches(share: float) -> None:
    """Every match ends with a result, and the fault is theirs, of the kind of the failure."""
    machine = Machine(
        lambda spec: (
            failure()
            if BAD & set(spec.bots) and random.Random(spec.seed).random() < share
            else None
        )
    )
    outcomes = machine.run(tables(400))
    assert len(outcomes) == 400
    unplayed = [each for each in outcomes if isinstance(each, NotPlayed)]
    assert not unplayed
    assert set(faults(outcomes)) == BAD
    results = [each for each in outcomes if isinstance(each, MatchResult)]
    assert {fault.kind for each in results for fault in each.faults} == {FaultKind.MEMORY}
    detail = next(fault.detail for each in results for fault in each.faults)
    assert detail.startswith("killed; the machine failed in ")
    assert max(machine.tried.values()) <= 3 * MAX_ROUNDS + 1


def test_a_machine_that_fails_now_and_then_is_nobodys_doing() -> None:
    machine = Machine(lambda spec: failure() if random.Random(spec.seed).random() < 0.05 else None)
    outcomes = machine.run(tables(1000))
    assert len(outcomes) == 1000
    assert not faults(outcomes)
    assert 20 < sum(isinstance(each, NotPlayed) for each in outcomes) < 80
    assert max(machine.tried.values()) == 3 * MAX_ROUNDS


def test_a_while_in_which_everything_fails_is_nobodys_doing() -> None:
    machine = Machine(lambda spec: failure() if 300 < spec.seed < 315 else None)
    assert not faults(machine.run(tables(1000)))


def test_a_machine_that_fails_for_ours_too_is_not_asked_again() -> None:
    machine = Machine(lambda _: failure(0, works=False))
    outcomes = machine.run(tables(10))
    assert all(isinstance(each, NotPlayed) for each in outcomes)
    assert set(machine.tried.values()) == {3}


def test_two_bots_that_only_meet_each_other_are_told_apart_by_whose_process_fails() -> None:
    machine = Machine(lambda spec: failure(spec.bots.index("bot3")))
    outcomes = machine.run(tables(30, ["bot3", "bot4"], 2))
    assert faults(outcomes) == {"bot3": 30}
    machine = Machine(lambda _: failure())
    outcomes = machine.run(tables(30, ["bot3", "bot4"], 2))
    assert all(isinstance(each, NotPlayed) for each in outcomes)


def test_who_only_sat_with_a_culprit_is_not_one() -> None:
    ledger = BlameLedger()
    for spec in tables(200):
        if "bot3" in spec.bots:
            ledger.add_failed(spec)
        else:
            ledger.add_played(spec)
    assert list(ledger.culprits()) == ["bot3"]


def test_a_few_failures_tell_nothing() -> None:
    ledger = BlameLedger()
    for spec in itertools.islice(tables(1000), 900):
        ledger.add_played(spec)
    for number in range(MIN_FAILED - 1):
        ledger.add_failed(MatchSpec(SETUP, -number, ("bot1", f"bot{number + 2}", "bot9"), 1))
    assert not ledger.culprits()
    ledger.add_failed(MatchSpec(SETUP, -8, ("bot6", "bot8", "bot7"), 1))
    ledger.add_failed(MatchSpec(SETUP, -9, ("bot1", "bot8", "bot7"), 1))
    assert not ledger.culprits()  # one without it is usual enough for one that played so many
    for number in range(60):
        ledger.add_failed(MatchSpec(SETUP, -10 - number, ("bot1", "bot8", "bot7"), 1))
    assert list(ledger.culprits()) == ["bot1"]


@pytest.mark.parametrize("seats", [[1, 1, 1, None], [1, 0, 1, None]])
def test_a_game_alone_ends_in_a_fault_too(seats: list[int | None]) -> None:
    game = GAMES[0]
    spec = game.spec(game.setup(2, 1), 1, ("one", "two"))
    chairs = [InProcessChair(Random), InProcessChair(Random)]
    left = iter(seats)

    def referee(*args: object) -> MatchResult:
        seat = next(left)
        if seat is None:
            return play(*args)  # type: ignore[arg-type]
        problem = SandboxError("the container ended")
        problem.seat = seat
        raise problem

    isolation = choose_isolation([], in_process=True)
    with patch.object(series, "referee", referee):
        if len(set(seats)) == 3:
            with pytest.raises(SandboxError, match="ended"):
                series._play(spec, list(chairs), Limits(), None, isolation)
            return
        result = series._play(spec, list(chairs), Limits(), None, isolation)
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(1, FaultKind.CRASH)]
    assert len(seats) == RETRY.attempts + 1
