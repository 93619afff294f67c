"""The chair behind the walls: time, ends, clean-up, and nothing run where the walls fail."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from arena.playing.referee import build_decision, play
from bots.api import Seating
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.discovery.finder import find_bot
from bots.discovery.manifest import Manifest, Source
from bots.discovery.spec import parse_spec
from bots.sandbox import container, visible_paths
from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from tests.bots.sandbox.matches import (
    GAME,
    LIMITS,
    SEAT,
    SETUP,
    STATE,
    behind,
    below,
    container_of,
    descriptors,
    need,
    outcome,
    transport_of,
    worker_of,
)
from tests.support.command import arena, environment

MULTIPLIES = """
import numpy

def decide(decision):
    square = numpy.ones((300, 300))
    return decision.options[int((square @ square)[0, 0]) - 300]
"""
SPINS = "def decide(decision):\n    while True: pass\n"
# A program that would have helpers live on, without it and without the arena.
LINGERS = """
import os, signal, threading
for helper in (os.fork, lambda: os.posix_spawn("/bin/sleep", ["sleep", "100"], {})):
    try:
        if helper() == 0:
            os.setsid()
            signal.pause()
    except OSError:
        pass
signal.signal(signal.SIGTERM, signal.SIG_IGN)
threading.Thread(target=signal.pause).start()
while True:
    pass
"""
MARKS = "open({!r}, 'w').write('ran')\ndef decide(decision):\n    return decision.options[0]\n"


def write(folder: Path, text: str) -> str:
    file = folder / "bot.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def ends(check: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not check():
        time.sleep(0.005)
    return check()


def test_a_whole_game_is_the_same_as_without_walls() -> None:
    def result(chairs: list[Chair]) -> object:
        spec = GAME.spec(SETUP, 1, ("a", "b"))
        return replace(play(spec, chairs, LIMITS), accounts=(), seconds=0.0)

    from bots.house.random import Random

    with behind("random") as one, behind("random", transport_of(one).layers) as two:
        assert result([one, two]) == result([InProcessChair(Random), InProcessChair(Random)])


def test_numpy_computes_behind_walls_that_allow_no_threads(tmp_path: Path) -> None:
    with behind(write(tmp_path, MULTIPLIES)) as bot:
        assert outcome(bot) == ("well", "")


def test_a_match_after_a_crash_starts_normally(tmp_path: Path) -> None:
    text = "import os\ndef decide(decision):\n    os._exit(3)\n"
    with behind(write(tmp_path, text)) as bot:
        pid = container_of(bot).process.pid
        # A worker that ended is gone when the next one is asked for: the zygote alone is left.
        assert ends(lambda: outcome(bot)[0] == "crash" and len(below(pid)) == 1, 60)
        before = descriptors(), below(pid)
        for _ in range(300):
            assert outcome(bot)[0] == "crash"
        assert (descriptors(), below(pid)) == before


def test_a_worker_remembers_nothing_of_the_match_before(tmp_path: Path) -> None:
    text = (
        "import json\n"
        "def decide(decision):\n"
        "    json.seen = getattr(json, 'seen', 0) + 1\n"
        "    assert json.seen == 1, 'remembered'\n"
        "    return decision.options[0]\n"
    )
    with behind(write(tmp_path, text)) as bot:
        for _ in range(3):
            assert outcome(bot) == ("well", "")


def test_what_a_bot_prints_does_not_stop_it(tmp_path: Path) -> None:
    text = "def decide(decision):\n    print('x' * 500_000)\n    return decision.options[0]\n"
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot)[0] == "well"
        assert 0 < len(bot.output()) <= 65_536


def test_the_standard_library_and_the_bots_own_data_are_there(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.toml").write_text(
        'name = "mine"\nversion = "1"\nentry = "mine"\n', encoding="utf-8"
    )
    (tmp_path / "mine" / "data.json").write_text("[1, 2]", encoding="utf-8")
    (tmp_path / "mine" / "mine.py").write_text(
        "import array, bisect, collections, copy, dataclasses, decimal, enum, fractions, "
        "functools, heapq, itertools, json, math, operator, pathlib, pickle, random, re, "
        "statistics, string, struct, typing, zlib, hashlib, sqlite3, csv, datetime\n"
        "DATA = json.loads(pathlib.Path(__file__).with_name('data.json').read_text())\n"
        "def decide(decision):\n    assert DATA == [1, 2]\n    return decision.options[0]\n",
        encoding="utf-8",
    )
    with behind(str(tmp_path / "mine")) as bot:
        assert outcome(bot) == ("well", "")


def test_numpy_works(tmp_path: Path) -> None:
    text = (
        "import numpy\n"
        "def decide(decision):\n"
        "    ones = numpy.ones((200, 200))\n"
        "    assert (ones @ ones)[7, 7] == 200\n"
        "    assert numpy.random.default_rng(1).integers(10) >= 0\n"
        "    return decision.options[0]\n"
    )
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot) == ("well", "")


def test_dice_are_the_seeds_and_the_bots_own(tmp_path: Path) -> None:
    """What a bot does to its process changes its own moves alone."""
    text = (
        "import builtins, random, time\n"
        "def decide(decision):\n"
        "    rolled = random.random()\n"
        "    random.seed(0)\n"
        "    random.random = time.time = builtins.open = lambda *_: 0\n"
        "    raise OSError(rolled)\n"
    )
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot, 5) == outcome(bot, 5) != outcome(bot, 6)


def test_floods_take_no_memory_of_ours(tmp_path: Path) -> None:
    text = (
        "import os\n"
        "def decide(decision):\n"
        "    for _ in range(200):\n"
        "        print('x' * 10_000)\n"
        "    while True:\n"
        "        os.write(4, b'x' * 100_000)\n"
    )
    with behind(write(tmp_path, text)) as bot:
        outcome(bot)
        before = resident()
        for _ in range(10):
            assert outcome(bot)[0] == "protocol"
        assert resident() - before < 5_000


def resident() -> int:
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.parametrize(
    "broken",
    ["lockdown", "attestation", "filter", "container"],
)
def test_no_bot_is_run_where_a_wall_cannot_be_put_up(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(Layers())
    mark = tmp_path / "mark"
    if broken == "attestation":

        def refuse(*_: object) -> None:
            raise SandboxError("the worker is not locked down: Seccomp is 0, not 2")

        monkeypatch.setattr(container, "verify_lockdown", refuse)
    elif broken == "filter":
        monkeypatch.setattr(container, "compile_policy", lambda *_, **__: b"\xff" * 16)
    elif broken == "lockdown":
        monkeypatch.setattr(container, "PYTHON_LIMITS", {"NO_SUCH": 1})
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    spec = parse_spec(write(tmp_path, MARKS.format(str(mark))))
    before = descriptors()
    with (
        pytest.raises(SandboxError),
        closing(
            RemoteChair(SandboxTransport(spec, find_bot(spec), Layers(), LIMITS.freeze), LIMITS)
        ) as bot,
    ):
        bot.start(Seating(GAME, SETUP, SEAT, 1))
    assert not mark.exists()
    assert descriptors() <= before


def test_a_container_that_cannot_get_ready_is_the_machines_fault() -> None:
    need(Layers())
    visible = visible_paths.for_python(Manifest("", "", Source.HOUSE, ""))
    before = descriptors()
    broken = container.Container(Layers(), visible, {}, preload=("no_such",))
    with closing(broken), pytest.raises(SandboxError, match="no_such"):
        broken.spawn()
    assert descriptors() == before


def test_a_container_closed_while_it_starts_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed alone, it would leave a child that waits to be let on."""
    need(Layers())
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/child\nwait\n", "utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    visible = visible_paths.for_python(Manifest("", "", Source.HOUSE, ""))
    started = container.Container(Layers(), visible, {}, preload=())
    assert ends(
        lambda: (tmp_path / "child").exists() and (tmp_path / "child").stat().st_size > 0, 30
    )
    child = int((tmp_path / "child").read_text("utf-8"))
    started.close()
    assert ends(lambda: not alive(child), 20)


def test_a_container_that_died_meanwhile_is_mended(tmp_path: Path) -> None:
    text = "def decide(decision):\n    return decision.options[0]\n"
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot)[0] == "well"
        bot.transport.kill()
        for pid in below(container_of(bot).process.pid):
            with suppress(ProcessLookupError):  # a worker that is dying, or died with the zygote
                os.kill(pid, signal.SIGKILL)
        container_of(bot).process.wait()
        with pytest.raises(SandboxError):
            bot.start(Seating(GAME, SETUP, SEAT, 1))
        assert outcome(bot)[0] == "well"


def test_a_link_in_a_bots_folder_leads_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hush", encoding="utf-8")
    folder = tmp_path / "mine"
    folder.mkdir()
    folder.joinpath("bot.toml").write_text('name="a"\nversion="1"\nentry="bot.py"\n', "utf-8")
    folder.joinpath("link").symlink_to(secret)
    write(folder, "def decide(decision):\n    open(__file__[:-6] + 'link').read()\n")
    with behind(str(folder)) as bot:
        kind, detail = outcome(bot)
    assert (kind, "FileNotFoundError" in detail) == ("exception", True)


def test_a_dead_zygote_is_the_machines_fault_and_mended(tmp_path: Path) -> None:
    text = "import time\ndef decide(decision):\n    time.sleep(100)\n"
    with behind(write(tmp_path, text)) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        bot.ask(build_decision(GAME, STATE, SEAT, LIMITS.move))
        for pid in below(container_of(bot).process.pid)[:1]:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(SandboxError):
            bot.answer()
        bot.start(Seating(GAME, SETUP, SEAT, 1))


@pytest.mark.parametrize(
    ("text", "words", "path", "processes"),
    [
        (SPINS, (), "", 5),
        (SPINS, (), "none", 3),
        (SPINS, ("--trust-bots",), "", 2),
        (SPINS, ("--freeze",), "", 5),
        (LINGERS, (), "none", 3),
        (LINGERS, (), "", 6),  # with the process that restarts its numbers
    ],
    ids=["full", "reduced", "trusted", "frozen", "program reduced", "program"],
)
def test_nothing_is_left_when_the_arena_is_killed(
    text: str, words: tuple[str, ...], path: str, processes: int, tmp_path: Path
) -> None:
    need(Layers())
    bot = write(tmp_path, text)
    if text == LINGERS:
        bot = f"cmd:{sys.executable} {bot}"
    play = [sys.executable, "-m", "arena", "play", "architects", bot, "random", "--seed", "1"]
    (tmp_path / "tmp").mkdir()
    extra = {"TMPDIR": str(tmp_path / "tmp")} | ({"PATH": path} if path else {})
    run = subprocess.Popen([*play, *words], env=environment(**extra), cwd=tmp_path)
    try:
        # The probe's are gone by the time that all are there, and one of them computes.
        assert ends(lambda: len(below(run.pid)) >= processes and busy(below(run.pid)), 60)
        tree = below(run.pid)
    finally:
        run.kill()
        run.wait()
    began = time.monotonic()
    assert ends(lambda: not any(map(alive, tree)), 10)
    print(f"gone after {1000 * (time.monotonic() - began):.0f} ms")  # noqa: T201
    assert list((tmp_path / "tmp").iterdir()) == []


def busy(pids: list[int]) -> bool:
    """Whether one of them has computed for some time."""
    for pid in pids:
        try:
            if time.clock_gettime((~pid << 3) | 2) > 0.5:
                return True
        except OSError:
            continue
    return False


def test_a_worker_the_arena_forgot_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "LIFE", 0.2)
    text = "import time\ndef decide(decision):\n    time.sleep(100)\n"
    with behind(write(tmp_path, text)) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        pid = worker_of(bot).pid
        assert ends(lambda: not alive(pid), 30)


def alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def test_a_stranger_is_refused_where_nothing_contains_it(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "pyseccomp.py").write_text("raise ImportError('none')\n", "utf-8")
    mark = tmp_path / "mark"
    bot = write(tmp_path, MARKS.format(str(mark)))
    path = os.pathsep.join(filter(None, (str(tmp_path / "none"), environment()["PYTHONPATH"])))
    words = ("play", "architects", bot, "random", "--seed", 1, "--json")
    refused = arena(*words, cwd=tmp_path, PYTHONPATH=path)
    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr.startswith("arena: ")
    assert refused.stderr.count("\n") == 1
    assert "--trust-bots" in refused.stderr
    assert not mark.exists()
    assert arena("bot", "check", bot, cwd=tmp_path, PYTHONPATH=path).returncode == 3
    house = arena("play", "architects", "random", "random", "--json", cwd=tmp_path, PYTHONPATH=path)
    assert json.loads(house.stdout)["sandbox"] == "house"
    trusted = arena(*words, "--trust-bots", cwd=tmp_path, PYTHONPATH=path)
    assert json.loads(trusted.stdout)["sandbox"] == "trusted"
    assert mark.read_text("utf-8") == "ran"


def test_the_level_is_told_with_the_results(tmp_path: Path) -> None:
    need(Layers())
    words = ("play", "architects", "random", "random", "--seed", 1)
    assert json.loads(arena(*words, "--json", cwd=tmp_path).stdout)["sandbox"] == "full"
    assert "sandbox: full" in arena(*words, cwd=tmp_path).stdout
    less = arena(*words, cwd=tmp_path, PATH=str(tmp_path))
    assert "sandbox: reduced (bubblewrap: not installed)" in less.stdout
    assert (less.returncode, less.stderr) == (0, "")


def test_a_signal_is_told_by_its_name(tmp_path: Path) -> None:
    text = "import ctypes\ndef decide(decision):\n    ctypes.string_at(0)\n"
    with behind(write(tmp_path, text)) as bot:
        kind, detail = outcome(bot)
    assert kind == "crash"
    assert signal.SIGSEGV.name in detail


SMUGGLED = """
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), {place!r}))
from hidden import decide
"""


@pytest.mark.parametrize("place", [".git", "__pycache__", "data/.venv"])
@pytest.mark.parametrize("most", [0, 500], ids=["bound", "copied"])
def test_what_no_digest_covers_is_not_there(
    tmp_path: Path, place: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code in a folder that is ignored would be other code under the same digest."""
    monkeypatch.setattr(visible_paths, "MAX_FILES", most)
    folder = smuggler(tmp_path, place)
    (folder / place).mkdir()
    (folder / place / "hidden.py").write_text("def decide(decision):\n    return 0\n", "utf-8")
    with behind(str(folder)) as chair:
        assert "No module named 'hidden'" in outcome(chair)[1]


@pytest.mark.parametrize("place", [".git", "data"])
def test_nor_can_it_be_read_where_there_is_no_container(tmp_path: Path, place: str) -> None:
    folder = smuggler(tmp_path, place)
    (folder / place).mkdir(exist_ok=True)
    (folder / place / "hidden.py").write_text("def decide(decision):\n    return 0\n", "utf-8")
    with behind(str(folder), Layers(container=False)) as chair:
        found = outcome(chair)[1]
    assert ("PermissionError" if place == ".git" else "from decide, got 0") in found


def test_a_link_is_no_file_of_the_bot(tmp_path: Path) -> None:
    """Where it leads is not in the digest."""
    folder = smuggler(tmp_path, "data")
    (folder / "data" / "text").write_text("def decide(decision):\n    return 0\n", "utf-8")
    (folder / "data" / "hidden.py").symlink_to("text")
    with behind(str(folder)) as chair:
        assert "No module named 'hidden'" in outcome(chair)[1]


@pytest.mark.parametrize("layers", [Layers(), Layers(landlock=False)], ids=["full", "strong"])
@pytest.mark.parametrize("most", [0, 500], ids=["bound", "copied"])
def test_a_pipe_in_the_folder_is_not_shown(
    tmp_path: Path, layers: Layers, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or what one match writes the next could read, however the folder is mounted."""
    monkeypatch.setattr(visible_paths, "MAX_FILES", most)
    folder = smuggler(tmp_path, "data")
    os.mkfifo(folder / "data" / "pipe")
    text = (
        "import os, stat\ndef decide(decision):\n"
        "    place = os.path.join(os.path.dirname(__file__), 'data', 'pipe')\n"
        "    if os.path.exists(place):\n"
        "        assert not stat.S_ISFIFO(os.stat(place).st_mode), 'a pipe'\n"
        "        os.open(place, os.O_RDWR)\n"
        "    open(place)\n"
    )
    (folder / "bot.py").write_text(text, "utf-8")
    with behind(str(folder), layers) as chair:
        kind, detail = outcome(chair)
    assert kind == "exception"
    assert "PermissionError" in detail or "FileNotFoundError" in detail


def smuggler(place: Path, hidden: str) -> Path:
    """A bot in a folder that imports the module `hidden` from a folder in it."""
    folder = place / "mine"
    (folder / "data").mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "mine"\nversion = "1"\nentry = "bot.py"\n', "utf-8")
    (folder / "bot.py").write_text(SMUGGLED.format(place=hidden), "utf-8")
    return folder


def test_a_worker_has_a_number_that_counts_nothing() -> None:
    """Else what is left of it in memory would tell how many matches there were."""
    with behind("random") as bot:
        numbers = []
        for _ in range(3):
            assert outcome(bot)[0] == "well"
            numbers.append(worker_of(bot).number)
    assert min(numbers) > 1000  # of four thousand million
    assert len(set(numbers)) == 3


def test_the_standard_input_of_a_worker_is_nothing_to_read_or_change(tmp_path: Path) -> None:
    text = (
        "import fcntl, os\n"
        "def decide(decision):\n"
        "    assert os.read(0, 1) == b''\n"
        "    for change in (\n"
        "        lambda: os.write(0, b'x'),\n"
        "        lambda: fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND),\n"
        "        lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid()),\n"
        "    ):\n"
        "        try:\n"
        "            change()\n"
        "        except OSError:\n"
        "            continue\n"
        "        raise AssertionError('all workers share it')\n"
        "    assert os.lseek(0, 5, os.SEEK_SET) == os.lseek(0, 0, os.SEEK_CUR) == 0\n"
        "    return decision.options[0]\n"
    )
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot) == ("well", "")
