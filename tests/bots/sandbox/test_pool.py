"""A pool keeps containers from match to match, and no more than it has room for."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.playing.referee import play
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool, choose_isolation
from bots.discovery.spec import BotError
from bots.sandbox.container import Layers
from tests.bots.sandbox.matches import GAME, SETUP, container_of, descriptors, need, transport_of

SPEC = GAME.spec(SETUP, 1, ("a", "b"))
LIMITS = Limits()


@pytest.fixture
def pool() -> Iterator[ChairPool]:
    need(Layers())
    with closing(ChairPool(LIMITS, most=2)) as found:
        yield found


def processes(chairs: list[Chair]) -> list[int]:
    return [container_of(chair).process.pid for chair in chairs]


def test_a_bot_keeps_its_container_but_not_its_worker(pool: ChairPool) -> None:
    seen = []
    for specs in (["random", "greedy"], ["greedy", "random"]):
        chairs = pool.chairs(specs)
        assert play(SPEC, chairs, LIMITS).faults == ()
        assert [transport_of(chair).worker for chair in chairs] == [None, None]
        seen.append(processes(chairs))
    assert seen[0] == seen[1][::-1]


def test_a_bot_that_sits_twice_has_two_chairs(pool: ChairPool) -> None:
    one, two = pool.chairs(["random", "random"])
    assert one is not two
    assert len({*processes([one, two])}) == 2
    assert play(SPEC, [one, two], LIMITS).faults == ()
    assert pool.chairs(["random", "random"]) == [one, two]


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
