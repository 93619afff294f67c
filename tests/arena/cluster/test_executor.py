"""Portions and machines, with a scheduler that is made up: who gets what, and what is lost."""

import asyncio
import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import pytest

from arena.cluster import executor
from arena.cluster.address import ClusterAddress
from arena.cluster.dask_backend import MachineState
from arena.cluster.executor import ClusterExecutor
from arena.cluster.facts import Demands, MachineFacts, this_build
from arena.cluster.kit import Kit, run_portion
from arena.cluster.packed_bots import MachineRefusedError
from arena.playing.runner import PortionLostError, Runner
from bots.chairs.limits import FactorBounds, Limits
from engine.errors import ArenaError
from tests.arena.playing.test_runner import easy, spec

BUILD = this_build()
KIT = Kit({}, {}, Limits(), Demands(BUILD, "strong", FactorBounds(), timed=True))


@dataclass
class MadeUpScheduler:
    """Machines by their names, and what each does with a portion."""

    machines: dict[str, MachineFacts] = field(default_factory=dict)
    hung: set[str] = field(default_factory=set)
    refusing: set[str] = field(default_factory=set)
    noise: dict[str, str] = field(default_factory=dict)
    is_there: bool = True
    is_lost: bool = False
    heard: float = 0.0
    under_way: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    opened: int = 0
    problem: Exception | None = None  # that nobody expects

    async def open(self, _url: str, _tls: object) -> "MadeUpScheduler":
        if not self.is_there:
            raise OSError
        self.opened += 1
        self.is_lost = False
        return self

    async def check_versions(self) -> None:
        pass

    def put_kit(self, kit: Kit) -> None:
        assert kit is KIT

    async def machines_(self) -> list[MachineState]:
        if self.problem is not None:
            raise self.problem
        if self.is_lost:
            raise OSError
        self.heard += 1
        return [
            MachineState(
                facts,
                name,
                0.0 if name in self.hung else self.heard,
                0,
                0,
                0.0,
                noise=self.noise.get(name, ""),
            )
            for name, facts in self.machines.items()
        ]

    async def play(self, name: str, portion: bytes, _matches: int) -> bytes:
        if name in self.refusing:
            raise MachineRefusedError("expected thing, got nothing")
        self.under_way[name] += 1
        self.most[name] = max(self.most[name], self.under_way[name])
        try:
            await asyncio.sleep(600 if name in self.hung else 0.01)
        finally:
            self.under_way[name] -= 1
        self.played[name] += 1
        answer, _ = run_portion(portion, 0)
        return answer

    async def close(self) -> None:
        pass


@pytest.fixture
def scheduler() -> Iterator[MadeUpScheduler]:
    made = MadeUpScheduler()
    with (
        patch.object(executor, "SchedulerClient", _Client(made)),
        patch.object(executor, "LOOK", 0.02),
        patch.object(executor, "SILENCE", 0.3),
    ):
        yield made


class _Client:
    """What the executor takes for the client of a scheduler."""

    def __init__(self, made: MadeUpScheduler) -> None:
        self.made = made

    async def open(self, url: str, tls: object) -> Any:
        await self.made.open(url, tls)
        return self

    def __getattr__(self, name: str) -> Any:
        return self.made.machines_ if name == "machines" else getattr(self.made, name)


def machine(name: str, cores: int = 1) -> MachineFacts:
    return MachineFacts(name, cores, "full", BUILD, 1.0)


def opened() -> ClusterExecutor:
    return ClusterExecutor(ClusterAddress("tcp://made-up:1"), KIT)


def submit(pool: ClusterExecutor, count: int) -> list[Future[int]]:
    return [pool.submit(sum, [number]) for number in range(count)]


def test_a_machine_has_two_portions_a_core_and_no_more(scheduler: MadeUpScheduler) -> None:
    scheduler.machines = {"small": machine("small"), "large": machine("large", 3)}
    with opened() as pool:
        assert [future.result(20) for future in submit(pool, 80)] == list(range(80))
        assert pool.slots() == 4
    assert scheduler.most == {"small": 2, "large": 6}
    assert scheduler.played["large"] > scheduler.played["small"] > 0


def test_a_machine_that_says_nothing_loses_its_portions(
    scheduler: MadeUpScheduler, capfd: pytest.CaptureFixture[str]
) -> None:
    scheduler.machines = {"mute": machine("mute"), "well": machine("well")}
    scheduler.hung = {"mute"}
    with opened() as pool:
        futures = submit(pool, 20)
        lost = [f for f in futures if isinstance(f.exception(20), PortionLostError)]
        assert len(lost) == 2
        assert [f.result(20) for f in submit(pool, 10)] == list(range(10))
        scheduler.hung = set()
        until(lambda: pool.slots() == 2)
    assert capfd.readouterr().err.count("mute does not respond; others play its matches") == 1


def test_when_the_scheduler_is_gone_what_is_submitted_waits(scheduler: MadeUpScheduler) -> None:
    scheduler.machines = {"one": machine("one")}
    scheduler.hung = {"one"}
    with opened() as pool:
        (future,) = submit(pool, 1)
        until(lambda: scheduler.under_way["one"])
        scheduler.is_there, scheduler.is_lost = False, True
        assert isinstance(future.exception(20), PortionLostError)
        (future,) = submit(pool, 1)
        scheduler.hung = set()
        scheduler.is_there = True
        assert future.result(20) == 0
    assert scheduler.opened == 2


def test_it_is_told_again_and_again_that_there_is_no_scheduler(
    scheduler: MadeUpScheduler, capfd: pytest.CaptureFixture[str]
) -> None:
    line = "cluster: no connection to the scheduler at tcp://made-up:1; matches wait for it\n"
    with opened() as pool:
        scheduler.is_there, scheduler.is_lost = False, True
        with patch.object(executor, "REMIND", 600):
            until(lambda: executor_said(capfd, line))
            time.sleep(0.2)
            assert line not in capfd.readouterr().err
        pool._next_scheduler_line = 0.0
        with patch.object(executor, "REMIND", 0.05):
            until(lambda: executor_said(capfd, line * 3))


@pytest.mark.slow
def test_a_run_that_waits_for_a_scheduler_can_be_stopped(scheduler: MadeUpScheduler) -> None:
    with opened() as pool, ThreadPoolExecutor(1) as thread:
        scheduler.is_there, scheduler.is_lost = False, True
        until(lambda: pool._connection is None)
        runner: Runner[int] = Runner(lambda: pool, easy, pool.slots, separate=True)
        ended = thread.submit(list, runner.run([(1, spec(1))]))
        until(lambda: pool._waiting)
        runner.stop()
        try:
            assert ended.result(20) == []
        finally:
            scheduler.is_there = True  # or it would wait for ever


def test_a_portion_is_lost_even_if_nobody_has_begun_it(scheduler: MadeUpScheduler) -> None:
    scheduler.machines = {"one": machine("one")}
    with opened() as pool:
        until(lambda: pool._machines)

        def lose_at_once(call: executor._Call) -> None:
            pool._add(call)
            pool._update([])

        call = executor._Call(Future(), b"", 1)
        pool._loop.call_soon_threadsafe(lose_at_once, call)
        assert isinstance(call.future.exception(20), PortionLostError)


def test_a_machine_that_is_silent_and_gone_is_lost_once(scheduler: MadeUpScheduler) -> None:
    scheduler.machines = {"one": machine("one")}
    scheduler.hung = {"one"}
    with opened() as pool:
        (future,) = submit(pool, 1)
        until(lambda: scheduler.under_way["one"])
        with patch.object(executor, "SILENCE", 0.0):
            pool._loop.call_soon_threadsafe(pool._update, [])
            assert isinstance(future.exception(20), PortionLostError)
        scheduler.hung = set()
        (future,) = submit(pool, 1)
        assert future.result(20) == 0


def test_why_there_is_no_scheduler_is_told(scheduler: MadeUpScheduler) -> None:
    with (
        patch.object(
            scheduler, "open", side_effect=PermissionError(13, "Permission denied", "key")
        ),
        pytest.raises(ArenaError, match=r"got no answer: .*Permission denied: 'key'"),
    ):
        opened()


def test_an_error_that_nobody_expects_ends_all(scheduler: MadeUpScheduler) -> None:
    scheduler.machines = {"one": machine("one")}
    scheduler.hung = {"one"}
    with opened() as pool:
        futures = submit(pool, 4)  # two are played, two wait
        until(lambda: scheduler.under_way["one"] == 2)
        scheduler.problem = ZeroDivisionError("nobody expects this")
        found = [future.exception(20) for future in futures]
        assert found[2:] == [scheduler.problem] * 2
        assert [type(problem) for problem in found[:2]] == [PortionLostError] * 2
        until(lambda: not pool._thread.is_alive())
        with pytest.raises(ZeroDivisionError, match="nobody expects this"):
            pool.submit(sum, [1])


def test_a_machine_is_refused_once_and_others_play(
    scheduler: MadeUpScheduler, capfd: pytest.CaptureFixture[str]
) -> None:
    weak = replace(machine("weak"), level="reduced")
    scheduler.machines = {"weak": weak, "bare": machine("bare"), "well": machine("well")}
    scheduler.refusing = {"bare"}
    with opened() as pool:
        assert [future.result(20) for future in submit(pool, 30)] == list(range(30))
    said = capfd.readouterr().err
    assert said.count("weak is not given matches: expected sandbox strong, got reduced") == 1
    assert said.count("bare is not given matches: expected thing, got nothing") == 1
    assert set(scheduler.played) == {"well"}


def test_a_noisy_machine_is_set_aside_until_it_is_quiet(
    scheduler: MadeUpScheduler, capfd: pytest.CaptureFixture[str]
) -> None:
    scheduler.machines = {"noisy": machine("noisy"), "well": machine("well")}
    scheduler.noise = {"noisy": "it waited"}
    with opened() as pool, patch.object(executor, "PATIENCE", 0.1):
        assert [future.result(20) for future in submit(pool, 20)] == list(range(20))
        assert scheduler.played["noisy"] == 0
        assert pool.slots() == 1
        scheduler.noise = {"noisy": "it waited", "well": "it waited more"}
        until(lambda: executor_said(capfd, "no machine may play; matches wait; "))
        scheduler.noise = {}
        until(lambda: pool.slots() == 2)
        assert [future.result(20) for future in submit(pool, 20)] == list(range(20))
    assert scheduler.played["noisy"]


_said: list[str] = []


def executor_said(capfd: pytest.CaptureFixture[str], line: str) -> bool:
    _said.append(capfd.readouterr().err)
    return line in "".join(_said)


def test_without_a_scheduler_at_the_start_it_is_told(scheduler: MadeUpScheduler) -> None:
    scheduler.is_there = False
    with pytest.raises(ArenaError, match="expected a scheduler at tcp://made-up:1, got no answer"):
        opened()


def test_an_error_of_the_portion_is_its_own(scheduler: MadeUpScheduler) -> None:
    scheduler.machines = {"one": machine("one")}
    with opened() as pool:
        assert isinstance(pool.submit(sum, [None]).exception(20), TypeError)
        assert pickle.loads(pickle.dumps(PortionLostError("gone"))).args == ("gone",)


def until(check: Callable[[], object]) -> None:
    """Wait for what another thread does."""
    end = time.monotonic() + 20
    while not check():
        assert time.monotonic() < end
        time.sleep(0.01)
