"""Time is what the kernel says a bot computed: for an answer, behind it, and in a bank."""

import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.playing.referee import build_decision, play
from bots.api import Decision, Option, Seating
from bots.chairs import clock as meter
from bots.chairs import remote
from bots.chairs.base import ChairFault
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.process_clock import ProcessClock
from tests.bots.sandbox.matches import (
    GAME,
    LIMITS,
    SEAT,
    SETUP,
    STATE,
    behind,
    need,
    outcome,
    transport_of,
    worker_of,
)
from tests.support.command import arena

BURNS = """
import time

def decide(decision):
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
    return decision.options[0]
"""
# Answers by itself, then computes on: once for good, and never reads again.
PONDERS = """
import os, time
from bots.api import Bot
from bots.protocol.packets import CHOICE, id_of, pack_reply

read = os.read

def overhear(fd, length):
    global heard
    heard = read(fd, length)
    return heard

os.read = overhear

class Ponders(Bot):
    def decide(self, decision):
        os.write(4, pack_reply(CHOICE, id_of(heard), 0))
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
        os.close(4)
        time.sleep(100)
"""
THREADS = """
import threading, time

def spin():
    while True:
        pass

def decide(decision):
    threading.Thread(target=spin, daemon=True).start()
    return decision.options[0]
"""
READY_EARLY = """
import gc, os, time
from bots.api import Bot
from bots.protocol.packets import READY, pack_reply

class ReadyEarly(Bot):
    def start(self, seating):
        gc.unfreeze()
        (host,) = [each for each in gc.get_objects() if type(each).__name__ == "Host"]
        os.write(4, pack_reply(READY, host.due, 0))
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
        os.close(4)
        time.sleep(100)

    def decide(self, decision):
        pass
"""
BUSY_PROGRAM = """
import json, sys, threading

def spin():
    while True:
        pass

def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            threading.Thread(target=spin, daemon=True).start()
            reply = {"type": "choice", "id": message["id"], "option": 0}
        else:
            reply = {"type": "ready", "id": message.get("id")}
        print(json.dumps(reply), flush=True)

"""
HEADLESS = """
import ctypes, os
threading.Thread(target=main).start()
ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
"""
BEGINS_ANEW = """
import json, os, sys, threading, time

def begin(id):
    end = time.thread_time() + 0.1
    while time.thread_time() < end:
        pass
    os.execv(sys.orig_argv[0], [sys.orig_argv[0], __file__, str(id)])

if sys.argv[1:]:
    print(json.dumps({"type": "choice", "id": int(sys.argv[1]), "option": 0}), flush=True)
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if message["type"] == "decide":
        threading.Thread(target=begin, args=[message["id"]]).start()
    else:
        print(json.dumps({"type": "ready", "id": message.get("id")}), flush=True)
"""


def write(folder: Path, text: str) -> str:
    file = folder / "bot.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def with_threads(folder: Path, text: str) -> str:
    (folder / "mine").mkdir()
    write(folder / "mine", text)
    facts = 'name = "mine"\nversion = "1"\nentry = "bot.py"\nthreads = true\n'
    (folder / "mine" / "bot.toml").write_text(facts, encoding="utf-8")
    return str(folder / "mine")


def seated(text: str, limits: Limits) -> RemoteChair:
    need(Layers())
    spec = parse_spec(text)
    return RemoteChair(SandboxTransport(spec, find_bot(spec), Layers(), limits.freeze), limits)


def ends(check: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not check():
        time.sleep(0.005)
    return check()


def test_computing_is_charged_by_the_kernels_clock(tmp_path: Path) -> None:
    with behind(write(tmp_path, BURNS)) as bot:
        assert outcome(bot, seconds=5)[0] == "well"
        assert 0.02 <= bot.budget.longest < 5
        assert outcome(bot, seconds=0.005)[0] == "time"


def test_sleeping_is_not_computing_but_has_an_end(tmp_path: Path) -> None:
    text = (
        "import time\ndef decide(decision):\n    time.sleep({})\n    return decision.options[0]\n"
    )
    with behind(write(tmp_path, text.format(0.2))) as bot:
        assert outcome(bot, seconds=0.1)[0] == "well"
        assert bot.budget.computed < 0.1
    with behind(write(tmp_path, text.format(100))) as bot:
        assert outcome(bot, seconds=0.1)[0] == "time"


def test_a_spinning_bot_is_stopped_soon(tmp_path: Path) -> None:
    with behind(write(tmp_path, "def decide(decision):\n    while True: pass\n")) as bot:
        kind, detail = outcome(bot, seconds=0.1)
    assert kind == "time"
    assert "0.1 s" in detail
    assert 0.1 <= bot.budget.longest < 5


def test_limits_of_start_are_kept(tmp_path: Path) -> None:
    with closing(seated(write(tmp_path, "while True: pass\n"), Limits(start=0.2))) as bot:
        assert outcome(bot)[0] == "time"


def first_answer(bot: RemoteChair, seconds: float) -> None:
    bot.start(Seating(GAME, SETUP, SEAT, 1))
    bot.ask(build_decision(GAME, STATE, SEAT, seconds))
    bot.answer()


def since(bot: RemoteChair) -> float:
    """Seconds computed since the last answer."""
    return worker_of(bot).clock.computed() - bot.meter.paid


def test_pondering_is_charged_to_the_next_answer(tmp_path: Path) -> None:
    with behind(write(tmp_path, PONDERS)) as bot:
        first_answer(bot, 0.1)
        assert ends(lambda: since(bot) > 0.11, 30)
        bot.ask(build_decision(GAME, STATE, SEAT, 0.1))
        with pytest.raises(ChairFault) as fault:
            bot.answer()
        assert fault.value.kind in ("time", "protocol")
        assert bot.budget.longest > 0.1


def test_what_is_computed_before_the_first_question_is_charged_to_it(tmp_path: Path) -> None:
    with behind(write(tmp_path, READY_EARLY)) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        assert ends(lambda: since(bot) > 0.11, 30)
        bot.ask(build_decision(GAME, STATE, SEAT, 0.1))
        with pytest.raises(ChairFault) as fault:
            bot.answer()
        assert fault.value.kind in ("time", "protocol")
        assert bot.budget.longest > 0.1


def states(pid: int) -> set[str]:
    """Of all its threads, as the kernel has them."""
    stats = [task / "stat" for task in Path(f"/proc/{pid}/task").iterdir()]
    return {stat.read_text("utf-8").rpartition(")")[2].split()[0] for stat in stats}


def stopped(pid: int) -> bool:
    return states(pid) == {"T"}


def idles(bot: RemoteChair) -> bool:
    """Whether a bot is stopped, but for a thread that has ended, and computes nothing then."""
    assert ends(lambda: states(worker_of(bot).pid) - {"Z"} == {"T"}, 30)
    before = since(bot)
    time.sleep(0.05)
    return since(bot) == before


def test_a_frozen_bot_does_not_ponder(tmp_path: Path) -> None:
    limits = replace(LIMITS, freeze=True)
    with closing(seated(write(tmp_path, PONDERS), limits)) as bot:
        first_answer(bot, 5)
        assert bot.transport.is_paused
        assert idles(bot)
        bot.ask(build_decision(GAME, STATE, SEAT, 0.05))
        assert not bot.transport.is_paused
        with pytest.raises(ChairFault):
            bot.answer()


def test_threads_are_for_those_who_say_so_and_stop_with_the_answer(tmp_path: Path) -> None:
    with behind(write(tmp_path, THREADS)) as bot:
        assert outcome(bot)[0] == "exception"
    with closing(seated(with_threads(tmp_path, THREADS), LIMITS)) as bot:
        first_answer(bot, 5)
        assert idles(bot)
        bot.ask(build_decision(GAME, STATE, SEAT, 5))
        bot.answer()


def test_a_bot_with_threads_is_charged_for_all_of_them(tmp_path: Path) -> None:
    text = THREADS + "    time.sleep(100)\n"
    text = text.replace("    return decision.options[0]\n", "")
    with closing(seated(with_threads(tmp_path, text), LIMITS)) as bot:
        kind, detail = outcome(bot, seconds=0.2)
    assert kind == "time"
    assert bot.budget.longest > 0.02, detail  # most of it not its first thread's


def test_a_bot_with_threads_starts_no_process(tmp_path: Path) -> None:
    text = "import os\ndef decide(decision):\n    os.fork()\n"
    with closing(seated(with_threads(tmp_path, text), LIMITS)) as bot:
        assert outcome(bot)[0] == "exception"


@pytest.mark.parametrize("begin", ["main()\n", HEADLESS], ids=["", "but the first"])
def test_a_program_is_stopped_with_its_threads_and_charged_for_them(
    begin: str, tmp_path: Path
) -> None:
    write(tmp_path, BUSY_PROGRAM + begin)
    with closing(seated(f"cmd:{sys.executable} {tmp_path}/bot.py", LIMITS)) as bot:
        first_answer(bot, 5)
        assert idles(bot)
        assert not bot.meter.by_wall
        before = bot.budget.computed
        bot.ask(build_decision(GAME, STATE, SEAT, 5))
        assert ends(lambda: since(bot) > 0.1, 30)
        bot.answer()
        assert bot.budget.computed - before > 0.1


def test_a_program_that_begins_anew_in_another_thread_keeps_its_account(tmp_path: Path) -> None:
    write(tmp_path, BEGINS_ANEW)
    with closing(seated(f"cmd:{sys.executable} {tmp_path}/bot.py", LIMITS)) as bot:
        first_answer(bot, 5)
        assert bot.budget.longest > 0.1
        assert idles(bot)
        bot.ask(build_decision(GAME, STATE, SEAT, 5))
        bot.answer()
        assert bot.budget.computed > 0.2


def test_a_frozen_bot_that_watches_sees_all() -> None:
    spec = GAME.spec(GAME.setup(3, 1), 1, ("a", "b", "c"))
    from bots.house.random import Random

    watches = f"{Path(__file__).parents[1]}/sample_bots/watches.py"
    told = []
    for freeze in (False, True):
        limits = replace(LIMITS, freeze=freeze)
        with closing(seated(watches, limits)) as bot:
            result = play(spec, [InProcessChair(Random), bot, InProcessChair(Random)], limits)
            told.append((result.decisions, result.faults, result.accounts[1].printed))
    assert told[0] == told[1]
    assert told[0][1] == ()


def burn(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_bank_pays_for_what_goes_beyond_the_move() -> None:
    told: list[float] = []
    from bots.house.random import Random

    class Slow(Random):
        def decide(self, decision: Decision) -> Option:
            told.append(decision.seconds_left)
            burn(0.02)
            return super().decide(decision)

    spec = GAME.spec(SETUP, 1, ("a", "b"))
    result = play(spec, [InProcessChair(Slow), InProcessChair(Random)], Limits(move=0.01, bank=0.1))
    assert told[0] == pytest.approx(0.11)
    assert told == sorted(told, reverse=True)
    assert told[-1] == pytest.approx(0.01)
    assert told[1] < told[0] - 0.0099
    assert result.accounts[0].computed > 0.02 * len(told)


def test_an_empty_bank_is_a_fault(tmp_path: Path) -> None:
    limits = Limits(move=0.001, bank=0.05)
    spec = GAME.spec(SETUP, 1, ("a", "b"))
    from bots.house.random import Random

    with closing(seated(write(tmp_path, BURNS), limits)) as bot:
        result = play(spec, [bot, InProcessChair(Random)], limits)
    assert [fault.kind for fault in result.faults] == ["time"]
    assert 1 <= result.accounts[0].asked <= 4


class Fake(ProcessClock):
    """A clock that says what it is told to."""

    def __init__(self) -> None:
        self.works = True
        self.spent = self.waits = self.last = self.taken = 0.0

    def computed(self) -> float:
        return self.spent

    def queued(self) -> float:
        return self.waits

    def stolen(self) -> float:
        return self.taken

    def has_family(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("spent", "waits", "wall", "late", "starved"),
    [
        (0.5, 0.0, 0.5, False, False),  # on its way
        (1.1, 0.0, 1.2, True, False),  # computed too long
        (0.5, 0.0, 4.0, False, False),  # idle, but not yet too long
        (0.5, 0.0, 5.1, True, False),  # idle for too long
        (0.5, 30.0, 31.0, False, False),  # held up by others
        (0.5, 47.0, 51.0, True, True),  # past all patience, and not its fault
        (1.5, 47.0, 51.0, True, False),  # its own fault all the same
        (0.5, 4.0, 9.1, True, False),  # held up, but mostly idle
        (0.5, 7.0, 12.1, True, False),  # mostly held up, but late because it was idle
    ],
)
def test_who_is_to_blame(
    spent: float,
    waits: float,
    wall: float,
    late: bool,
    starved: bool,
) -> None:
    clock = Fake()
    timed = meter.Meter(clock)
    timed.begin(1.0)
    clock.spent, clock.waits = spent, waits
    timed.began -= wall
    assert (timed.left() <= 0) is late
    assert (late and timed.starved()) is starved


def test_what_was_waited_before_a_question_does_not_count_for_it() -> None:
    clock = Fake()
    timed = meter.Meter(clock)
    timed.begin(1.0)
    clock.waits = 30.0  # between two questions
    timed.looked -= 2 * meter.RECENT
    timed.begin(1.0)
    timed.began -= 5.1
    assert timed.left() <= 0
    assert not timed.starved()


def test_a_stolen_processor_is_the_machines_fault() -> None:
    clock = Fake()
    timed = meter.Meter(clock)
    timed.begin(1.0)
    timed.began -= 2
    assert timed.left() > 0
    timed.began -= 4
    assert timed.left() <= 0
    assert not timed.starved()
    clock.taken = 3.0
    assert timed.starved()


class Starved(Fake):
    """The clock of a process whose machine has no time at all for it."""

    def stolen(self) -> float:
        return time.monotonic()


def test_a_starved_bot_is_not_blamed(tmp_path: Path) -> None:
    text = "import time\ndef decide(decision):\n    time.sleep(100)\n"
    with behind(write(tmp_path, text)) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        bot.meter.clock = Starved()
        bot.ask(build_decision(GAME, STATE, SEAT, 0.01))
        with pytest.raises(SandboxError):
            bot.answer()
        assert transport_of(bot).worker is None


def test_ids_cannot_be_guessed() -> None:
    drawn = [remote.draw_id() for _ in range(1000)]
    assert len(set(drawn)) == 1000
    assert all(0 < id < 2**53 for id in drawn)
    assert sum(id > 2**52 for id in drawn) > 300


def test_time_is_an_option(tmp_path: Path) -> None:
    bot = write(tmp_path, BURNS)
    words = ("play", "architects", bot, "random", "--seed", 1, "--json", "--trust-bots")
    done = json.loads(arena(*words, "--time", "1ms+50ms", "--freeze", cwd=tmp_path).stdout)
    assert done["time"] == "0.001s+0.05s"
    assert [fault["kind"] for fault in done["games"][0]["faults"]] == ["time"]
    assert done["games"][0]["accounts"][0]["computed"] > 0.02
    wrong = arena(*words, "--time", "soon", cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "1s+10s" in wrong.stderr
