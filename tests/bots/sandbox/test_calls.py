"""What a bot may ask of the kernel is a list; everything else is refused, to every kind of bot."""

import platform
from pathlib import Path

import pytest

from bots.sandbox import container
from bots.sandbox.container import Layers
from tests.bots.sandbox import calls
from tests.bots.sandbox.kinds import KINDS, bot_of
from tests.bots.sandbox.matches import LEVELS, behind, outcome

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the calls know x86-64's numbers"
)
# Some of those that nothing else would stop, in a container with all its other walls.
ONLY_FILTERED = (
    "limits of the parent, asked",
    "limits of the parent, set",
    "clock of the parent",
    "processors of the parent",
    "a timer that sends a signal",
    "to outlive the parent",
    "a signal by a pipe",
    "times of a device",
    "everything written",
    "pages dropped",
    "a pair of sockets",
    "a wake on a page of a file",
    "load, memory and uptime",
    "a growing mapping",
    "another processor",
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_bot_gets_through(kind: str, level: str, tmp_path: Path) -> None:
    with behind(bot_of(kind, calls.__file__, tmp_path), LEVELS[level]) as bot:
        how, detail = outcome(bot, seconds=20)
    assert how == "exception"
    assert detail.strip().splitlines()[-1] == "LookupError: []"


@pytest.mark.parametrize("kind", KINDS)
def test_without_the_filter_they_do(kind: str, tmp_path: Path) -> None:
    """That is how it is known that the calls are made as they should be."""
    with behind(bot_of(kind, calls.__file__, tmp_path), Layers(seccomp=False)) as bot:
        how, detail = outcome(bot, seconds=20)
    assert how == "exception"
    found = detail.strip().splitlines()[-1]
    more = ("a child", "a sibling", calls.ANONYMOUS) if kind == "program" else ()
    assert [name for name in (*ONLY_FILTERED, *more) if f"'{name}'" not in found] == []


YIELDS = """
import os

def decide(decision):
    os.sched_yield()
    return decision.options[0]
"""


@pytest.mark.parametrize("kind", ["strict", "threads"])
def test_who_has_one_thread_cannot_wait_for_a_processor(kind: str, tmp_path: Path) -> None:
    """It would be called starved by the machine, and its match played again."""
    source = tmp_path / "yields.py"
    source.write_text(YIELDS, encoding="utf-8")
    with behind(bot_of(kind, str(source), tmp_path)) as bot:
        how, detail = outcome(bot)
    assert how == ("well" if kind == "threads" else "exception"), detail
    assert ("PermissionError" in detail) is (kind == "strict")


def test_without_the_filter_of_its_own_number_a_program_signals_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "own_signals", list)
    with behind(bot_of("program", calls.__file__, tmp_path), Layers(landlock=False)) as bot:
        found = outcome(bot, seconds=20)[1]
    assert "a signal to the parent" in found
