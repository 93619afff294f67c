"""A pool keeps containers from match to match, and no more than it has room for."""

import ctypes
import os
import select
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.playing.referee import play
from bots.api import Seating
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool, choose_isolation
from bots.discovery.spec import BotError
from bots.sandbox.container import Layers
from bots.sandbox.lockdown import prctl
from tests.benchmarks.soak import PR_SET_CHILD_SUBREAPER, children
from tests.bots.sandbox.matches import (
    GAME,
    SETUP,
    container_of,
    descriptors,
    need,
    transport_of,
    worker_of,
)

SPEC = GAME.spec(SETUP, 1, ("a", "b"))
LIMITS = Limits()
EXAMPLE = Path(__file__).parents[3] / "examples" / "first_bot.py"


@pytest.fixture
def pool() -> Iterator[ChairPool]:
    need(Layers())
    with closing(ChairPool(LIMITS, most=2)) as found:
        yield found


def processes(chairs: list[Chair]) -> list[int]:
    return [container_of(chair).process.pid for chair in chairs]


def test_a_bot_keeps_its_container_but_not_its_worker(pool: ChairPool, tmp_path: Path) -> None:
    names = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}.py"
        file.write_text("def decide(decision):\n    return decision.options[0]\n", "utf-8")
        names.append(str(file))
    seen = []
    for specs in (names, names[::-1]):
        chairs = pool.chairs(specs)
        assert play(SPEC, chairs, LIMITS).faults == ()
        assert [transport_of(chair).worker for chair in chairs] == [None, None]
        seen.append(processes(chairs))
    assert seen[0] == seen[1][::-1]


def free_decisions(specs: list[str], seed: int) -> object:
    """What these bots decide in the arena's own process."""
    with closing(ChairPool(LIMITS, in_process=True)) as free:
        return play(GAME.spec(SETUP, seed, ("a", "b")), free.chairs(specs), LIMITS).decisions


def test_a_built_in_bot_keeps_its_worker_and_plays_as_in_process() -> None:
    need(Layers())
    pids, played = set(), []
    with closing(ChairPool(LIMITS, isolation=choose_isolation(["random", "ismcts"]))) as pool:
        for sims in (1, 30, 1):
            specs = ["random", f"ismcts:sims={sims}"]
            for seed in (1, 2):
                chairs = pool.chairs(specs)
                result = play(GAME.spec(SETUP, seed, ("a", "b")), chairs, LIMITS)
                assert result.decisions == free_decisions(specs, seed)
                pids.add(tuple(worker_of(chair).pid for chair in chairs))
                played.append(result.decisions)
    assert len(pids) == 1
    assert played[:2] == played[4:] != played[2:4]


def test_a_worker_that_is_old_or_has_not_ended_its_match_gets_no_other(pool: ChairPool) -> None:
    chairs = pool.chairs(["random", "greedy"])
    pids = []
    for trouble in ("none", "age", "unfinished"):
        if trouble == "age":
            transport_of(chairs[0]).worker_started -= 10_000
        if trouble == "unfinished":
            chairs[0].start(Seating(GAME, SETUP, 0, 1))
        assert play(SPEC, chairs, LIMITS).faults == ()
        pids.append([worker_of(chair).pid for chair in chairs])
    assert len({first for first, _ in pids}) == 3
    assert len({second for _, second in pids}) == 1


@pytest.mark.parametrize("gone", ["worker", "container"])
def test_a_kept_worker_that_is_gone_is_replaced(pool: ChairPool, gone: str) -> None:
    chairs = pool.chairs(["random", "greedy"])
    assert play(SPEC, chairs, LIMITS).faults == ()
    worker = worker_of(chairs[0])
    os.kill(worker.pid if gone == "worker" else container_of(chairs[0]).zygote, signal.SIGKILL)
    ending = select.poll()
    ending.register(worker.pidfd, select.POLLIN)
    assert ending.poll(10_000)
    before = descriptors()
    assert play(SPEC, chairs, LIMITS).faults == ()
    assert worker_of(chairs[0]).pid != worker.pid
    assert descriptors() == before


def test_a_bot_that_sits_twice_has_two_chairs(pool: ChairPool) -> None:
    one, two = pool.chairs(["random", "random"])
    assert one is not two
    assert len({*processes([one, two])}) == 2
    assert play(SPEC, [one, two], LIMITS).faults == ()
    assert pool.chairs(["random", "random"]) == [one, two]


def test_a_closed_container_leaves_nothing_to_be_reaped(pool: ChairPool) -> None:
    def orphans() -> set[int]:
        return {pid for pid, (state, _) in children().items() if state == "Z"}

    before = orphans()
    prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    try:
        chairs = pool.chairs([str(EXAMPLE), "random"])
        assert play(SPEC, chairs, LIMITS).faults == ()
        zygotes = {container_of(chair).zygote for chair in chairs}
        pool.close()
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(0))
    assert orphans() == before
    assert not any(Path(f"/proc/{pid}").exists() for pid in zygotes)


ECHO = """
class Echo:
    def __init__(self, word: str = "none") -> None:
        self.word = word

    def decide(self, decision):
        raise LookupError(self.word)
"""


def test_a_container_serves_a_bot_with_any_parameters(pool: ChairPool, tmp_path: Path) -> None:
    pool.isolation = choose_isolation(["random"])
    bot = tmp_path / "bot.py"
    bot.write_text(ECHO, encoding="utf-8")
    seen, kept = [], set()
    for params in ("", ":word=one", ":word=é", "", ":word="):
        chairs = pool.chairs([f"{bot}{params}", "random"])
        kept.add(tuple(processes(chairs)))
        fault = play(SPEC, chairs, LIMITS).faults[0]
        seen.append(fault.detail.splitlines()[-1].partition("LookupError")[2])
    assert seen == [": none", ": one", ": é", ": none", ""]
    assert len(kept) == 1
    with pytest.raises(BotError, match="unknown"):
        pool.chairs(["random:unknown=1"])


def test_the_one_used_longest_ago_makes_room(pool: ChairPool) -> None:
    before = descriptors()
    first, second = pool.chairs(["random"]) + pool.chairs(["greedy"])
    assert pool.chairs(["random"]) == [first]
    third = pool.chairs(["planner"])
    assert transport_of(second).container is None
    assert pool.chairs(["planner", "random"]) == [*third, first]
    pool.close()
    assert transport_of(first).container is None
    assert descriptors() == before
    assert len(pool.chairs(["random", "random", "random"])) == 3  # a table is never too large


def test_a_bot_that_is_not_there_is_told(pool: ChairPool, tmp_path: Path) -> None:
    with pytest.raises(BotError):
        pool.chairs(["random", f"{tmp_path}/none.py"])


def test_it_seats_trusted_bots_too() -> None:
    with closing(ChairPool(LIMITS, in_process=True)) as pool:
        assert all(isinstance(chair, InProcessChair) for chair in pool.chairs(["random", "random"]))
