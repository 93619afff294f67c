"""All that a bot computes is charged to it: there is nobody else in there who could compute."""

import platform
import time
from pathlib import Path

import pytest

from arena.playing.referee import build_decision
from bots.api import Seating
from bots.chairs.clock import TICK
from bots.sandbox.container import Layers
from tests.bots.sandbox import thief
from tests.bots.sandbox.kinds import KINDS, bot_of
from tests.bots.sandbox.matches import (
    GAME,
    LEVELS,
    SEAT,
    SETUP,
    STATE,
    behind,
    below,
    container_of,
    worker_of,
)

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the attacks know x86-64's system calls"
)
ASKED = 3
MORE = 2 * TICK


def played(spec: str, layers: Layers, patience: float = 0.0) -> tuple[float, float, int]:
    """What a bot was charged for some answers, what it computed, and how many others computed.

    With patience, it is waited for to compute more than it was charged.
    """
    with behind(spec, layers) as bot:
        bot.start(Seating(GAME, SETUP, SEAT, 1))
        bot.budget.computed = 0.0
        before = bot.meter.paid
        for _ in range(ASKED):
            bot.ask(build_decision(GAME, STATE, SEAT, 20))
            bot.answer()
            time.sleep(0.05)
        clock, end = worker_of(bot).clock, time.monotonic() + patience
        while time.monotonic() < end and clock.computed() - before - bot.budget.computed <= MORE:
            time.sleep(0.01)
        own = worker_of(bot).pid
        zygote = container_of(bot).process.pid
        started = [pid for pid in below(zygote) if parent(pid) != zygote or not layers.container]
        others = [pid for pid in started if pid != own]
        return bot.budget.computed, clock.computed() - before, len(others)


def parent(pid: int) -> int:
    """Who started a process; 0 if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_computed_is_charged(kind: str, level: str, tmp_path: Path) -> None:
    charged, computed, others = played(bot_of(kind, thief.__file__, tmp_path), LEVELS[level])
    assert others == 0
    assert computed - charged <= MORE


def test_without_the_filter_others_compute(tmp_path: Path) -> None:
    spec = bot_of("program", thief.__file__, tmp_path)
    charged, computed, others = played(spec, Layers(seccomp=False), patience=60)
    assert others > 1
    assert computed - charged > MORE  # behind its answer, woken by its timer
