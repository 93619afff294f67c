"""Programs in any language are behind the same walls."""

import json
import os
import platform
import re
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.chairs.remote import RemoteChair
from bots.sandbox import container
from bots.sandbox.container import Layers
from bots.sandbox.lockdown import MEGABYTE, PROGRAM_LIMITS
from tests.bots.sandbox.kinds import bot_of
from tests.bots.sandbox.matches import LEVELS, behind, need, outcome, worker_of
from tests.support.command import ROOT, arena

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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_runs(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build, words = LANGUAGES[language]
    if shutil.which(build[0]) is None:
        pytest.skip(f"{build[0]} is not installed")
    folder = tmp_path / "mine"
    shutil.copytree(Path(__file__).parent / "programs", folder)
    monkeypatch.setenv("GO111MODULE", "off")
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    words = [str(folder) if word == "." else word.replace("./", f"{folder}/") for word in words]
    with behind("cmd:" + shlex.join(words)) as bot:
        assert outcome(bot) == ("well", "")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
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


@pytest.mark.skipif(shutil.which("java") is None, reason="java is not installed")
def test_java_is_told_how_much_memory_there_is(tmp_path: Path) -> None:
    """Without an answer of the kernel it takes any number for one, and may ask for too much."""
    program = shlex.join(["java", "-XX:+PrintFlagsFinal", "-version"])
    with behind(f"cmd:{program}") as bot:
        detail = outcome(bot)[1]
        found = re.search(r"MaxHeapSize += (\d+)", bot.output())
    assert found is not None, detail
    assert int(found[1]) == 512 * MEGABYTE


@pytest.mark.skipif(shutil.which("java") is None, reason="java is not installed")
def test_java_that_gets_no_memory_says_nothing_on_stdout() -> None:
    """Its report of a fatal error would be taken for an answer."""
    program = shlex.join(["java", "-Xms1500m", "-Xmx1500m", "-version"])
    with behind(f"cmd:{program}") as bot:
        how, detail = outcome(bot, seconds=30)
    assert how == "memory", detail


MANY = """
import threading, time

def decide(decision):
    threading.stack_size(1 << 16)
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
    time.sleep(2)
    return decision.options[0]
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="others are held to their limit by the kernel")
def test_root_is_counted_by_the_arena_where_there_are_no_containers(tmp_path: Path) -> None:
    source = tmp_path / "many.py"
    source.write_text(MANY, encoding="utf-8")
    with behind(bot_of("threads", str(source), tmp_path), LEVELS["reduced"]) as bot:
        how, detail = outcome(bot)
    assert how == "crash", detail
    assert "expected at most 64 threads, got" in detail


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
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
