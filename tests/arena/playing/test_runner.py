"""Whatever dies on the way, every match comes back once."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.playing import runner as runner_module
from arena.playing.runner import (
    MAX_AT_ONCE,
    MatchOutcome,
    NotPlayed,
    PortionLostError,
    Runner,
)
from bots.sandbox.errors import SandboxError
from engine.match import MatchResult, MatchSpec, Setup, Variant

Play = Callable[[list[MatchSpec]], list[MatchOutcome]]
SETUP = Setup(Variant("architects"), 2, ("giza", "rhodes"))


def spec(number: int, bots: tuple[str, ...] = ("a", "b")) -> MatchSpec:
    return MatchSpec(SETUP, number, bots, 1)


def played(spec: MatchSpec, seconds: float = 0.01) -> MatchResult:
    return MatchResult(spec, [], [0, 0], [0, 0], seconds=seconds)


def easy(specs: list[MatchSpec]) -> list[MatchOutcome]:
    return [played(spec) for spec in specs]


def deadly(specs: list[MatchSpec]) -> list[MatchOutcome]:
    """A worker that dies: once for a bot that names a file, each time for one named kill."""
    for one in specs:
        if one.bots[0] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if one.bots[0].startswith("/") and not os.path.exists(one.bots[0]):
            Path(one.bots[0]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return easy(specs)


def threads() -> Executor:
    return ThreadPoolExecutor(2)


def processes() -> Executor:
    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


def run_with(pool: Callable[[], Executor], play: Play, jobs: int) -> Runner[int]:
    """A runner whose matches go by a number."""
    return Runner(pool, play, lambda: jobs)


def test_every_match_comes_back_once() -> None:
    with run_with(threads, easy, 2) as runner:
        results = dict(runner.run((number, spec(number)) for number in range(500)))
        assert sorted(results) == list(range(500))
        for number, result in results.items():
            assert isinstance(result, MatchResult)
            assert result.spec.seed == number
        assert list(runner.run([])) == []
        assert len(list(runner.run([(0, spec(0))]))) == 1


def test_workers_may_start_before_there_is_a_match() -> None:
    ready: list[int] = []
    with run_with(threads, easy, 2) as runner:
        runner.start_workers(lambda: ready.append(1))
        assert len(list(runner.run([(1, spec(1))]))) == 1
    assert ready == [1, 1]


def test_matches_may_begin_before_they_are_asked_for() -> None:
    with run_with(threads, easy, 2) as runner:
        runner.begin((number, spec(number)) for number in range(500))
        assert 1 <= len(runner._begun) <= 4
        numbers = [key for key, _ in runner.run((number, spec(number)) for number in range(20))]
        assert sorted(numbers) == list(range(20))
        assert runner._begun == []
        assert [key for key, _ in runner.run([(0, spec(0))])] == [0]  # which is asked for again


def test_a_match_that_was_begun_and_kills_its_worker_is_played_again(tmp_path: Path) -> None:
    once = spec(1, (str(tmp_path / "died"), "b"))
    with run_with(processes, deadly, 2) as runner:
        runner.begin([(1, once), (2, spec(2))])
        found = dict(runner.run([(1, once), (2, spec(2)), (3, spec(3))]))
    assert sorted(found) == [1, 2, 3]
    assert all(isinstance(outcome, MatchResult) for outcome in found.values())


def test_a_worker_that_dies_while_it_prepares_is_replaced() -> None:
    with run_with(processes, easy, 2) as runner:
        runner.start_workers(partial(os._exit, 1))
        assert len(list(runner.run([(1, spec(1))]))) == 1


def test_matches_are_asked_for_only_when_they_can_be_begun() -> None:
    asked: list[int] = []

    def source() -> Iterator[tuple[int, MatchSpec]]:
        for number in range(100_000):
            asked.append(number)
            yield number, spec(number)

    with run_with(threads, easy, 2) as runner:
        for count, _ in enumerate(runner.run(source()), 1):
            assert len(asked) - count <= 5 * MAX_AT_ONCE
            if count == 1000:
                break


def test_after_stop_only_what_is_under_way_comes_back() -> None:
    with run_with(threads, easy, 2) as runner:
        count = 0
        for count, _ in enumerate(runner.run((n, spec(n)) for n in range(100_000)), 1):
            if count == 10:
                runner.stop()
        assert 10 <= count < 1000


def test_what_is_dropped_does_not_come_back_and_the_workers_stay() -> None:
    opened: list[Executor] = []

    def pool() -> Executor:
        opened.append(threads())
        return opened[-1]

    with run_with(pool, easy, 2) as runner:
        for _ in runner.run((n, spec(n)) for n in range(100_000)):
            break  # with others under way
        runner.drop()
        later = dict(runner.run((n, spec(n)) for n in range(200_000, 200_050)))
    assert sorted(later) == list(range(200_000, 200_050))
    assert len(opened) == 1


def test_a_dead_worker_costs_nothing(tmp_path: Path) -> None:
    matches = [
        (n, spec(n, (str(tmp_path / "once"), "b") if n == 7 else ("a", "b"))) for n in range(40)
    ]
    with run_with(processes, deadly, 2) as runner:
        results = list(runner.run(matches))
    assert sorted(key for key, _ in results) == list(range(40))
    assert not [result for _, result in results if isinstance(result, NotPlayed)]


@pytest.mark.slow
def test_a_match_that_kills_its_worker_every_time_is_given_up() -> None:
    matches = [(n, spec(n, ("kill" if n == 3 else "a", "b"))) for n in range(12)]
    with run_with(processes, deadly, 1) as runner:
        results = dict(runner.run(matches))
    assert sorted(results) == list(range(12))
    assert isinstance(results[3], NotPlayed)
    assert sum(isinstance(result, MatchResult) for result in results.values()) == 11


@pytest.mark.slow
def test_when_no_worker_lives_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "MAX_CONSECUTIVE_DEATHS", 5)
    with (
        run_with(processes, deadly, 1) as runner,
        pytest.raises(SandboxError, match="stopped after the deaths of 5"),
    ):
        list(runner.run((n, spec(n, ("kill", "b"))) for n in range(50)))


class _Losing(ThreadPoolExecutor):
    """Loses every portion, as machines do that are killed by what they play."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert kwargs == {}
        lost: Future[Any] = Future()
        lost.set_exception(PortionLostError("left is gone"))
        return lost


def test_a_match_that_is_lost_every_time_is_given_up() -> None:
    with Runner[int](_Losing, easy, lambda: 2, separate=True) as runner:
        found = dict(runner.run((number, spec(number)) for number in range(5)))
    lost = NotPlayed("lost 20 times, the last time: left is gone")
    assert found == dict.fromkeys(range(5), lost)


def test_an_error_of_ours_is_not_hidden() -> None:
    def wrong(specs: list[MatchSpec]) -> list[MatchOutcome]:
        raise ZeroDivisionError

    with run_with(threads, wrong, 1) as runner, pytest.raises(ZeroDivisionError):
        list(runner.run([(1, spec(1))]))


def test_with_many_workers_portions_are_larger() -> None:
    sizes: list[int] = []

    def counted(specs: list[MatchSpec]) -> list[MatchOutcome]:
        sizes.append(len(specs))
        return [played(spec, 0.1) for spec in specs]

    for jobs, likely in ((2, {1, 2}), (100, {9, 10})):
        sizes.clear()
        with run_with(threads, counted, jobs) as runner:
            list(runner.run((number, spec(number)) for number in range(8000)))
        assert max(sizes) in likely
