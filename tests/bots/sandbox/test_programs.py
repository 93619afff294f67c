"""Programs in any language are behind the same walls."""

import json
import os
import platform
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.playing.referee import build_decision
from bots.api import Seating
from bots.chairs.remote import RemoteChair
from bots.sandbox import container
from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.lockdown import MAX_THREADS, MEGABYTE, PROGRAM_LIMITS
from bots.sandbox.probe import has_spare_threads
from bots.sandbox.process_clock import count_threads
from tests.bots.matches import runs
from tests.bots.sandbox.kinds import KINDS, bot_of
from tests.bots.sandbox.matches import (
    GAME,
    LEVELS,
    SEAT,
    SETUP,
    STATE,
    behind,
    need,
    outcome,
    transport_of,
    worker_of,
)
from tests.support.command import ROOT, arena, environment
from tests.support.needs import require, requires

TALK = """
import ctypes, json, os, socket, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
secret = sys.argv[1]

def call(number, *args):
    if libc.syscall(number, *args) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def forks():
    for _ in range(500):
        if os.fork() == 0:
            time.sleep(100)

ATTACKS = {
    "nothing": lambda: None,
    "read": lambda: open(secret).read(),
    "write": lambda: open("made", "w"),
    "write tmp": lambda: open("/tmp/arena-filler", "w"),
    "passwd": lambda: open("/etc/passwd").read(),
    "proc": lambda: os.listdir("/proc/1"),
    "tcp": lambda: socket.socket(),
    "vsock": lambda: socket.socket(40, socket.SOCK_STREAM),
    "unix": lambda: socket.socket(socket.AF_UNIX),
    "memory file": lambda: os.memfd_create("x"),
    "session": lambda: os.setsid(),
    "nicer": lambda: os.setpriority(os.PRIO_PROCESS, 0, 5),
    "shared memory": lambda: call(29, 0, 4096, 0o1600),
    "ring": lambda: call(425, 1, 0),
    "forks": forks,
    "memory": lambda: bytearray(3 << 30),
    "trace": lambda: call(101, 16, 1),
    "mount": lambda: call(165, b"x", b"/", b"tmpfs", 0, 0),
    "unshare": lambda: call(272, 0x10000000),
    "keyring": lambda: call(250, 0, 0, 0, 0, 0),
    "real-time signal": lambda: os.kill(os.getpid(), 40),
    "shell": lambda: subprocess.run(["/bin/sh", "-c", "kill -9 $PPID"]),
}
for line in sys.stdin:
    message = json.loads(line)
    reply = {"type": "ready", "id": message.get("id")}
    if message["type"] == "decide":
        try:
            ATTACKS[sys.argv[2]]()
            reply = {"type": "choice", "id": message["id"], "option": 0}
        except (OSError, MemoryError) as problem:
            reply = {"type": "failure", "id": message["id"], "error": repr(problem)}
    print(json.dumps(reply), flush=True)
"""
# Replies that are no messages; which one it sends is the seed of its match.
SAY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    id = message.get("id")
    if message["type"] == "start":
        seed = message["seed"]
    if message["type"] == "decide":
        print((
            '{"type": "choice", "id": %d, "option": 0}' % id,
            "[" * 15_000,
            '{"type": "choice", "id": %d, "option": NaN}' % id,
            '{"type": "choice", "id": %d, "option": 0, "score": 100}' % id,
            '{"type": "choice", "id": %d, "option": "\\\\ud800"}' % id,
            '{"type": "choice", "id": "%d", "option": 0}' % id,
        )[seed], flush=True)
    else:
        print(json.dumps({"type": "ready", "id": id}), flush=True)
"""
SAID = ("well", "nested", "not_a_number", "more_fields", "surrogate", "text_id")
OUTCOMES = {
    "nothing": "well",
    "read": "exception",
    "write": "exception",
    "write tmp": "exception",
    "passwd": "exception",
    "proc": "exception",
    "tcp": "exception",
    "vsock": "exception",
    "unix": "exception",
    "memory file": "exception",
    "session": "exception",
    "nicer": "exception",
    "shared memory": "exception",
    "ring": "exception",
    "forks": "exception",
    "memory": "memory",
    "trace": "violation",
    "mount": "violation",
    "unshare": "violation",
    "keyring": "violation",
    "real-time signal": "crash",  # which has no name
    "shell": "exception",
}


@pytest.mark.parametrize("level", ["full", "reduced"])
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_program_that_attacks(name: str, level: str, tmp_path: Path) -> None:
    if platform.machine() != "x86_64":
        pytest.skip("the attacks know x86-64's system calls")
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    secret = other / "secret"
    secret.write_text("hush", encoding="utf-8")
    # Not on its command line, as that would show it the file.
    text = TALK.replace("sys.argv[1]", repr(str(secret)), 1).replace("sys.argv[2]", "sys.argv[1]")
    (own / "talk.py").write_text(text, encoding="utf-8")
    spec = "cmd:" + shlex.join([sys.executable, str(own / "talk.py"), name])
    with behind(spec, LEVELS[level]) as bot:
        kind, detail = outcome(bot)
    assert kind == OUTCOMES[name], detail


@pytest.mark.parametrize("level", LEVELS)
def test_a_crash_starts_no_handler_of_the_host(level: str, tmp_path: Path) -> None:
    """With a limit of one byte the kernel starts none; with no byte at all it does."""
    (tmp_path / "talk.py").write_text(TALK.replace("sys.argv[1]", "''", 1), encoding="utf-8")
    with behind(f"cmd:{sys.executable} {tmp_path}/talk.py x nothing", LEVELS[level]) as bot:
        assert outcome(bot) == ("well", "")
        limits = Path(f"/proc/{worker_of(bot).pid}/limits").read_text("ascii")
    ceiling = resource.getrlimit(resource.RLIMIT_CORE)[1]
    most = "0" if ceiling == 0 else "1"
    assert re.search(rf"^Max core file size +{most} +{most} ", limits, re.MULTILINE)


# How a bot is made of a source, and run; each starts and joins threads. Node is seen to play below.
LANGUAGES = {
    "c": (["gcc", "-O1", "-pthread", "-o", "talk", "talk.c"], ["./talk"]),
    "static c": (["gcc", "-O1", "-pthread", "-static", "-o", "talk", "talk.c"], ["./talk"]),
    "rust": (["rustc", "-O", "talk.rs"], ["./talk"]),
    "go": (["go", "build", "-o", "talk", "talk.go"], ["./talk"]),
    "java": (["javac", "Talk.java"], ["java", "-cp", ".", "Talk"]),
}


@pytest.mark.parametrize("level", ["full", "reduced"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_runs(
    language: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build, words = LANGUAGES[language]
    require(build[0])
    folder = tmp_path / "mine"
    shutil.copytree(Path(__file__).parent / "programs", folder)
    monkeypatch.setenv("GO111MODULE", "off")
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    words = [str(folder) if word == "." else word.replace("./", f"{folder}/") for word in words]
    with behind("cmd:" + shlex.join(words), LEVELS[level]) as bot:
        assert outcome(bot) == ("well", "")


@requires("gcc")
@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_ends_for_want_of_memory(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it ends: what it filled is known from outside."""
    few = PROGRAM_LIMITS | {"DATA": 96 * MEGABYTE}
    monkeypatch.setattr(container, "PROGRAM_LIMITS", few)
    source, program = Path(__file__).parent / "programs" / "hungry.c", tmp_path / "hungry"
    subprocess.run(["gcc", "-O1", "-o", program, source], check=True)
    with behind(f"cmd:{program}", LEVELS[level]) as bot:
        how, detail = outcome(bot)
    assert how == "memory", detail
    assert "of 96 MB filled" in detail


@requires("java")
def test_java_is_told_how_much_memory_there_is(tmp_path: Path) -> None:
    """Without an answer of the kernel it takes any number for one, and may ask for too much."""
    program = shlex.join(["java", "-XX:+PrintFlagsFinal", "-version"])
    with behind(f"cmd:{program}") as bot:
        detail = outcome(bot)[1]
        found = re.search(r"MaxHeapSize += (\d+)", bot.output())
    assert found is not None, detail
    assert int(found[1]) == 512 * MEGABYTE


@requires("java")
def test_java_that_gets_no_memory_says_nothing_on_stdout() -> None:
    """Its report of a fatal error would be taken for an answer."""
    program = shlex.join(["java", "-Xms1500m", "-Xmx1500m", "-version"])
    with behind(f"cmd:{program}") as bot:
        how, detail = outcome(bot, seconds=30)
    assert how == "memory", detail


MANY = """
import threading, time

def start(count):
    threading.stack_size(1 << 16)
    for _ in range(count):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
NOBODY = 65_533  # a user with no process
CROWD = "start(300); print('started', flush=True); time.sleep(600)"


@pytest.fixture
def crowd() -> Iterator[None]:
    """Three hundred threads of this user, which are no bot's."""
    words = [sys.executable, "-c", MANY + CROWD]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        yield
        process.kill()


@pytest.mark.usefixtures("crowd")
@pytest.mark.parametrize("level", LEVELS)
def test_threads_are_counted_per_bot(level: str, tmp_path: Path) -> None:
    """Whatever else the same user runs, and whoever the user is."""
    source = tmp_path / "many.py"
    for count, ends in ((MAX_THREADS - 1, "well"), (MAX_THREADS, "exception")):
        decide = f"def decide(decision):\n    start({count})\n    return decision.options[0]\n"
        source.write_text(MANY + decide, encoding="utf-8")
        folder = tmp_path / ends
        folder.mkdir()
        with behind(bot_of("threads", str(source), folder), LEVELS[level]) as bot:
            how, detail = outcome(bot)
        assert how == ends, detail
    assert "can't start new thread" in detail


@pytest.mark.parametrize("level", LEVELS)
def test_threads_are_started_while_the_arena_hears_another_bot(level: str, tmp_path: Path) -> None:
    source = tmp_path / "many.py"
    decide = "def decide(decision):\n    start(2)\n    return decision.options[0]\n"
    source.write_text(MANY + decide, encoding="utf-8")
    with behind(bot_of("threads", str(source), tmp_path), LEVELS[level]) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        bot.ask(build_decision(GAME, STATE, SEAT, 5.0))
        assert select.select([transport_of(bot).streams.replies], [], [], 20)[0]
        bot.answer()


# With a listener there already, as a machine may have one, the kernel gives no second.
LISTENED = """
import os
from bots.sandbox.lockdown import listen
from bots.sandbox.probe import LAYERS, Level, guarantees, why_not
from arena.playing.machine_failures import can_contain
layers = LAYERS[Level.REDUCED]
assert can_contain(layers)
listener = listen([{"x86_64": 163, "aarch64": 89}[os.uname().machine]])  # acct: nobody calls it
assert why_not(layers) == ""
assert "does another program listen?" in why_not(layers, threads=True)
assert not can_contain(layers)
assert [each.holds for each in guarantees(layers) if each.name == "threads"] == [False]
"""


def test_where_the_arena_cannot_be_asked_the_machine_is_to_blame() -> None:
    words = [sys.executable, "-c", LISTENED]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_user_with_a_low_limit_has_no_threads_to_spare() -> None:
    assert has_spare_threads()
    if (pid := os.fork()) == 0:
        if os.geteuid() == 0:  # who has no such limit
            os.setresuid(NOBODY, NOBODY, NOBODY)
        resource.setrlimit(resource.RLIMIT_NPROC, (MAX_THREADS, MAX_THREADS))
        os._exit(has_spare_threads())
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_no_bot_is_blamed_where_no_threads_are_left(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where the run-time takes the lack of threads for one of memory, as Java does."""
    monkeypatch.setattr("bots.chairs.remote.has_spare_threads", lambda: False)
    source = tmp_path / "fails.py"
    said = "java.lang.OutOfMemoryError: unable to create native thread"
    source.write_text(f'raise RuntimeError("{said}")\n', encoding="utf-8")
    with behind(bot_of(kind, str(source), tmp_path), LEVELS["reduced"]) as bot:
        if kind == "strict":  # it may have no thread at all
            assert outcome(bot)[0] == "exception"
        else:
            with pytest.raises(SandboxError, match="no threads are left for bots"):
                outcome(bot)


@requires("gcc")
@pytest.mark.parametrize("level", LEVELS)
def test_a_swarm_of_threads_has_an_end(level: str, tmp_path: Path) -> None:
    """Threads that are being started while the arena counts are at most as many as their makers."""
    source, program = Path(__file__).parent / "programs" / "swarm.c", tmp_path / "swarm"
    subprocess.run(["gcc", "-O1", "-pthread", "-o", program, source], check=True)
    most = MAX_THREADS if LEVELS[level].container else 2 * MAX_THREADS - 1
    counts = []
    with behind(f"cmd:{program}", LEVELS[level]) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        bot.ask(build_decision(GAME, STATE, SEAT, 5.0))
        for _ in range(500):
            transport_of(bot).wait(0.001)
            counts.append(count_threads(worker_of(bot).pid))
    assert MAX_THREADS <= max(counts) <= most


# The arena is killed once the program was begun anew.
KILLED = """
import os, signal, sys, time
from pathlib import Path
from bots.api import Seating
from arena.playing.referee import build_decision
from tests.bots.sandbox.matches import *

with behind(sys.argv[1], LEVELS[sys.argv[2]]) as bot:
    bot.start(Seating(GAME, SETUP, SEAT, 1))
    bot.ask(build_decision(GAME, STATE, SEAT, 60.0))
    worker = worker_of(bot).pid
    while b"stay" not in Path(f"/proc/{worker}/cmdline").read_bytes():
        time.sleep(0.01)
    print(worker, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@requires("gcc")
@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_is_begun_anew_by_a_thread_ends_with_the_arena(
    level: str, tmp_path: Path
) -> None:
    """The process then has no signal for the death of its parent any more."""
    need(LEVELS[level])
    source, program = Path(__file__).parent / "programs" / "leaver.c", tmp_path / "leaver"
    subprocess.run(["gcc", "-O1", "-pthread", "-o", program, source], check=True)
    words = [sys.executable, "-c", KILLED, f"cmd:{program}", level]
    env = environment() | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    end = time.monotonic() + 20
    while runs(int(done.stdout)):
        assert time.monotonic() < end
        time.sleep(0.01)


@requires("node")
@pytest.mark.parametrize("path", ["", "/nowhere"], ids=["full", "reduced"])
def test_node_plays(path: str, tmp_path: Path) -> None:
    need(Layers(container=not path))
    program = f"cmd:{shutil.which('node')} {ROOT}/arena/templates/javascript/bot.js"
    extra = {"PATH": path} if path else {}
    done = arena("play", "architects", program, "random", "--json", cwd=tmp_path, **extra)
    facts = json.loads(done.stdout)
    assert facts["games"][0]["faults"] == []
    assert facts["sandbox"] == ("reduced" if path else "full")


@pytest.fixture(scope="module")
def talker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteChair]:
    file = tmp_path_factory.mktemp("talker") / "say.py"
    file.parent.chmod(0o755)
    file.write_text(SAY, encoding="utf-8")
    with behind("cmd:" + shlex.join([sys.executable, str(file)])) as chair:
        yield chair


@pytest.mark.parametrize("said", SAID)
def test_a_sandboxed_program_says_what_is_no_message(said: str, talker: RemoteChair) -> None:
    kind, detail = outcome(talker, SAID.index(said))
    assert kind == ("well" if said == "well" else "protocol"), detail
