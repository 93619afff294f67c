"""The sample bots at the table: a fault is one seat's, of the right kind, and the game goes on."""

import os
import select
import shutil
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.playing.referee import build_decision, play
from bots.api import Decision, Option, Seating
from bots.chairs.base import Chair, ChairFault
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.steward import Steward
from bots.chairs.subprocess import PipeTransport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.house.random import Random
from tests.bots.matches import (
    BAD_SEAT,
    GAME,
    PATIENT,
    SAMPLES,
    bot,
    children,
    confirm,
    in_a_hurry,
    in_a_process,
    in_ours,
    match,
    pid_of,
    program,
    runs,
    seated,
    story,
)

pytestmark = pytest.mark.slow

# What Python bots do wrong, the same in whichever process they run.
EITHER = {
    "crashes_at_import.py": "exception",
    "unregistered.py": "exception",
    "empty.py": "exception",
    "crashes.py:at=construct": "exception",
    "crashes.py:at=start": "exception",
    "crashes.py:at=decide": "exception",
    "crashes.py:at=observe": "exception",
    "crashes.py:at=finish": "exception",
    "crashes.py": "exception",
    "raises.py:what=huge": "exception",
    "raises.py:what=ansi": "exception",
    "raises.py:what=surrogate": "exception",
    "raises.py:what=unprintable": "exception",
    "raises.py:what=exit": "exception",
    "raises.py:what=stop": "exception",
    "raises.py:what=recursion": "exception",
    "wrong_type.py:what=none": "exception",
    "wrong_type.py:what=number": "exception",
    "wrong_type.py:what=first": "exception",
    "wrong_type.py:what=true": "exception",
    "wrong_type.py:what=list": "exception",
    "wrong_type.py:what=nan": "exception",
    "wrong_type.py:what=bytes": "exception",
    "illegal.py:text=resign": "illegal",
    "illegal.py:text=0": "illegal",
    "illegal.py:text=empty": "illegal",
    "illegal.py:text=huge": "illegal",
    "illegal.py:text=ansi": "illegal",
    "illegal.py:text=surrogate": "illegal",
    "talks_then_crashes.py": "exception",
}
# What would take our own process along.
OWN = {
    "raises.py:what=interrupt": "exception",
    "reads_stdin.py": "exception",
    "dies.py:by=exit": "crash",
    "dies.py:by=segfault": "crash",
    "forks.py:die=yes": "crash",
}
PROGRAMS = {
    "twice": "protocol",
    "wrong id": "protocol",
    "old id": "protocol",
    "failure of another": "protocol",
    "text id": "protocol",
    "no id": "protocol",
    "extra field": "protocol",
    "trailing bytes": "protocol",
    "ready": "protocol",
    "unknown type": "protocol",
    "no type": "protocol",
    "empty": "protocol",
    "no object": "protocol",
    "huge": "protocol",
    "bad utf-8": "protocol",
    "lone surrogate": "protocol",
    "deep": "protocol",
    "nul": "protocol",
    "nan": "protocol",
    "infinity": "protocol",
    "float": "protocol",
    "true": "protocol",
    "null": "protocol",
    "list": "protocol",
    "flood": "protocol",
    "close": "protocol",
    "below": "illegal",
    "above": "illegal",
    "far above": "illegal",
    "digits": "illegal",
    "failure": "exception",
    "exit": "crash",
}
NEVER = {
    "import": bot("hangs_at_import.py"),
    "decide": bot("hangs.py"),
    "spin": bot("spins.py"),
    "silence": program("answers.py", "silence"),
}


@pytest.fixture(scope="module")
def good() -> Iterator[RemoteChair]:
    """One that plays well, whoever fails beside it."""
    with closing(in_a_process("random")) as chair:
        yield chair


def judge(bad: Chair, good: RemoteChair, kind: str, games: int = 2) -> None:
    """Games of one run: in each the bad bot fails anew, and only it."""
    with seated(bad, good) as chairs:
        for seed in range(1, 1 + games):
            result = match(chairs, seed)
            assert [(fault.seat, fault.kind) for fault in result.faults] == [(BAD_SEAT, kind)]
            if result.faults[0].decision < len(result.decisions):
                assert result.ranks[BAD_SEAT] == 2
                assert sorted(result.ranks) in ([0, 1, 2], [0, 0, 2])
            assert 0 <= result.faults[0].decision <= len(result.decisions)
            result.faults[0].detail.encode()
            assert len(result.faults[0].detail) < 40_000
            confirm(result)
    assert children() == {pid_of(good)}


@pytest.mark.parametrize("name", EITHER)
def test_a_bot_in_our_process_that_fails(name: str, good: RemoteChair) -> None:
    judge(in_ours(bot(name)), good, EITHER[name])


@pytest.mark.parametrize("name", EITHER | OWN)
def test_a_bot_in_its_own_process_that_fails(name: str, good: RemoteChair) -> None:
    judge(in_a_process(bot(name)), good, (EITHER | OWN)[name])


@pytest.mark.parametrize("how", PROGRAMS)
def test_a_program_that_fails(how: str, good: RemoteChair) -> None:
    judge(in_a_process(program("answers.py", how)), good, PROGRAMS[how])


def test_a_program_that_answers_before_it_is_asked(good: RemoteChair) -> None:
    judge(in_a_process(program("early.py")), good, "protocol")


@pytest.mark.parametrize("where", NEVER)
def test_a_bot_that_never_answers(where: str, good: RemoteChair) -> None:
    start = 1.0 if where == "import" else PATIENT.start
    judge(in_a_hurry(NEVER[where], start), good, "time")


def test_a_bot_that_never_reads_does_not_stop_us() -> None:
    found = parse_spec(program("deaf.py"))
    deaf = RemoteChair(PipeTransport(found, find_bot(found)), Limits(start=PATIENT.start, move=0.2))
    setup = GAME.setup(3, 1)
    view = GAME.deal(setup, 1).view(BAD_SEAT)
    with closing(deaf):
        deaf.start(Seating(GAME, setup, BAD_SEAT, 1))
        with pytest.raises(ChairFault, match="full pipe") as told:
            deque(map(deaf.observe, [view] * 100))
    assert told.value.kind == "time"


def test_a_program_that_is_gone_is_a_crash_in_every_game(tmp_path: Path, good: RemoteChair) -> None:
    for file in (SAMPLES / "programs").glob("*.py"):
        shutil.copy(file, tmp_path)
    runner = tmp_path / "run"
    runner.write_text(f'#!/bin/sh\nexec python3 {tmp_path}/answers.py vanish "$0"\n', "utf-8")
    runner.chmod(0o755)
    judge(in_a_process(f"cmd:{runner}"), good, "crash", games=3)


@pytest.mark.parametrize("source", [b"def decide(:\n", b"x = '\xff'\n", b"\0", b"return 1\n"])
def test_a_file_that_is_no_python(tmp_path: Path, source: bytes, good: RemoteChair) -> None:
    (tmp_path / "broken.py").write_bytes(source)
    judge(in_a_process(f"{tmp_path}/broken.py"), good, "exception", games=1)
    judge(in_ours(f"{tmp_path}/broken.py"), good, "exception", games=1)


@pytest.mark.parametrize("at", ["construct", "start", "decide"])
def test_the_steward_plays_for_a_bot_from_its_fault_on(at: str) -> None:
    chairs = [InProcessChair(Random), in_ours(bot(f"crashes.py:at={at}")), InProcessChair(Random)]
    steward = [InProcessChair(Random), Steward(3, BAD_SEAT), InProcessChair(Random)]
    assert match(chairs, 3).decisions == match(steward, 3).decisions


def test_a_fault_is_booked_at_its_decision() -> None:
    first = match([in_ours(bot("crashes.py:at=start")), InProcessChair(Random)], 1)
    assert first.faults[0].decision == 0
    last = match([in_ours(bot("crashes.py:at=finish")), InProcessChair(Random)], 1)
    assert last.faults[0].decision == len(last.decisions)


def test_a_fault_after_the_end_does_not_change_the_ranks() -> None:
    ranks = set()
    for seed in range(1, 20):
        result = match([in_ours(bot("crashes.py:at=finish")), InProcessChair(Random)], seed)
        assert [fault.seat for fault in result.faults] == [0]
        ranks.add(result.ranks[0])
    assert ranks == {0, 1}


def test_the_bots_own_traceback_is_in_the_fault() -> None:
    for make in (in_ours, in_a_process):
        with closing(make(bot("crashes.py:at=decide"))) as bad:
            detail = match([bad, InProcessChair(Random)], 1).faults[0].detail
        assert 'crashes.py", line' in detail
        assert detail.endswith("RuntimeError: broken at decide\n")


def test_all_seats_may_fail() -> None:
    names = ["crashes.py:at=start", "illegal.py:text=x", "wrong_type.py:what=none"]
    result = match([in_ours(bot(name)) for name in names], 1)
    assert sorted(fault.seat for fault in result.faults) == [0, 1, 2]
    assert sorted(result.ranks)[0] == 0
    confirm(result)


@pytest.mark.parametrize(
    "spec",
    [
        bot("duck.py"),
        bot("function.py"),
        bot("watches.py"),
        bot("talks.py"),
        bot("slow_start.py"),
        bot("hog.py"),
        bot("forks.py"),
        bot("folder"),
        bot("plugin"),
        bot("plugin:place=1"),
        program("answers.py", "well"),
        program("answers.py", "by text"),
    ],
    ids=lambda spec: Path(spec).name,
)
def test_a_good_bot_has_no_fault(spec: str, good: RemoteChair) -> None:
    with seated(in_a_process(spec), good) as chairs:
        for seed in (1, 2):
            result = match(chairs, seed)
            assert result.faults == ()
            confirm(result)


@pytest.mark.parametrize("name", ["duck.py", "function.py", "watches.py", "folder", "plugin"])
def test_a_good_bot_plays_the_same_in_either_kind_of_chair(name: str) -> None:
    with closing(in_a_process(bot(name))) as own:
        for seed in (1, 2):
            ours = [in_ours(bot(name)), InProcessChair(Random)]
            theirs = match([own, InProcessChair(Random)], seed)
            assert story(match(ours, seed)) == story(theirs)


@pytest.mark.parametrize("die", ["no", "yes"])
def test_what_a_bot_started_is_gone_with_it(die: str) -> None:
    chair = in_a_process(bot(f"forks.py:die={die}"))
    with closing(chair):
        match([chair, InProcessChair(Random)], 1)
        words = chair.output().split()
    assert words[0] == "child"
    wait_until_gone(int(words[1]))


def wait_until_gone(pid: int) -> None:
    """A killed process needs a moment to go."""
    for _ in range(600):
        if not runs(pid):
            return
        select.select([], [], [], 0.1)
    pytest.fail(f"process {pid} still runs")


def test_no_descriptor_is_left_over_fifty_matches() -> None:
    chairs = [in_a_process("cmd:sh -c 'read hello; exit 3'"), in_a_process("random")]
    try:
        match(chairs, 0)
        before = len(os.listdir("/proc/self/fd"))
        for seed in range(50):
            assert match(chairs, seed).faults[0].kind == "crash"
        assert len(os.listdir("/proc/self/fd")) == before
    finally:
        for chair in chairs:
            chair.close()
            chair.close()
    # Three pipes and a clock for each of the two.
    assert len(os.listdir("/proc/self/fd")) <= before - 8


def test_an_answer_that_lies_ready_is_not_late() -> None:
    """While the arena waits for one seat, the time of another may run out."""
    state = GAME.deal(GAME.setup(2, 1), 1)
    seat = state.pending()[0]
    with closing(in_a_process(bot("duck.py"))) as chair:
        chair.start(Seating(GAME, GAME.setup(2, 1), seat, 1))
        question = build_decision(GAME, state, seat, PATIENT.move)
        chair.ask(question)
        chair.meter.began -= 1000  # as if another had been waited for
        assert select.select([chair.transport.streams.replies], [], [], 60)[0]
        assert chair.answer() == question.options[0].action


def test_a_chair_that_failed_prints_no_more_than_its_share() -> None:
    with closing(in_a_process(bot("talks.py"))) as chair:
        assert match([chair, InProcessChair(Random)], 1).faults == ()
        assert len(chair.output()) <= 65_536
        assert "loud" in chair.output()
    assert "loud" in chair.output()  # closed, it is still remembered


def test_limits_of_the_match_are_those_the_bot_is_told() -> None:
    told: list[float] = []

    class Listens(Random):
        def decide(self, decision: Decision) -> Option:
            told.append(decision.seconds_left)
            return super().decide(decision)

    spec = GAME.spec(GAME.setup(2, 1), 1, ("a", "b"))
    play(spec, [InProcessChair(Listens), InProcessChair(Random)], Limits(move=7.0))
    assert set(told) == {7.0}


def test_the_same_process_serves_all_matches_of_a_good_bot() -> None:
    with closing(in_a_process("random")) as chair:
        pids = set()
        for seed in range(3):
            match([chair, InProcessChair(Random)], seed)
            pids.add(pid_of(chair))
    assert isinstance(chair, RemoteChair)
    assert len(pids) == 1
