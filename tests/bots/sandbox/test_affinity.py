"""One match, one core: the arena and its bots are kept there together."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.sandbox.affinity import cores, pin
from bots.sandbox.probe import probe, suggested_jobs
from tests.bots.sandbox.matches import behind, outcome
from tests.support.command import arena, environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="affinity is Linux's")
PIN = """
import os
from bots.sandbox.affinity import cores, pin
free = os.sched_getaffinity(0)
known = cores()
assert set(known) <= free
assert pin(len(known) + 1) == known[1 % len(known)]
assert os.sched_getaffinity(0) == {known[1 % len(known)]}
os.sched_setaffinity(0, free)
assert {pin()} == os.sched_getaffinity(0) <= free
"""


def test_a_process_is_pinned() -> None:
    subprocess.run([sys.executable, "-c", PIN], env=environment(), check=True)


def test_there_is_a_job_for_every_physical_core() -> None:
    assert suggested_jobs() == len(cores()) >= 1


def test_bots_are_where_the_arena_is(tmp_path: Path) -> None:
    text = "import os\ndef decide(decision):\n    raise OSError(os.sched_getaffinity(0))\n"
    (tmp_path / "bot.py").write_text(text, encoding="utf-8")
    free = os.sched_getaffinity(0)
    probe()
    try:
        core = pin()
        with behind(str(tmp_path / "bot.py")) as bot:
            kind, detail = outcome(bot)
    finally:
        os.sched_setaffinity(0, free)
    assert kind == "exception"
    assert f"OSError: {{{core}}}" in detail


def test_play_pins_itself(tmp_path: Path) -> None:
    text = "import os\ndef decide(decision):\n    raise OSError(len(os.sched_getaffinity(0)))\n"
    (tmp_path / "bot.py").write_text(text, encoding="utf-8")
    done = arena("play", "architects", "bot.py", "random", "--seed", 1, cwd=tmp_path)
    assert "OSError: 1" in done.stderr
