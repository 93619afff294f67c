"""A program opens some pipes and pairs of sockets in a match, and then no more."""

import subprocess
import sys
from pathlib import Path

import pytest

from bots.sandbox import container
from bots.sandbox.seccomp import MAX_PIPES
from tests.bots.sandbox import plumber
from tests.bots.sandbox.kinds import bot_of
from tests.bots.sandbox.matches import LEVELS, behind, descriptors, outcome

# With a listener there already, as a machine may have one, the kernel gives no second.
TWICE = """
import errno, os
from bots.sandbox.lockdown import listen
from bots.sandbox.seccomp import counted_pipes
calls = counted_pipes()
first = listen(calls)
try:
    listen(calls)
except OSError as problem:
    assert problem.errno == errno.EBUSY
os.close(first)
try:
    os.pipe()
except OSError as problem:
    assert problem.errno == errno.ENOSYS
    print("refused")
"""


def opened(spec: str, level: str, times: int = 1) -> list[int]:
    """How many pipes a program gets, match by match."""
    with behind(spec, LEVELS[level]) as bot:
        told = [outcome(bot, seconds=20)[1] for _ in range(times)]
    return [int(detail.strip().splitlines()[-1].removeprefix("LookupError: ")) for detail in told]


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_opens_some_pipes_in_a_match_and_then_no_more(level: str, tmp_path: Path) -> None:
    spec = bot_of("program", plumber.__file__, tmp_path)
    found = opened(spec, level)  # the first opens what the process keeps
    before = descriptors()
    found += opened(spec, level, 2)
    # One that was interrupted is counted, and not opened.
    assert all(0 < count <= MAX_PIPES for count in found)
    assert descriptors() == before


def test_uncounted_a_program_opens_as_many_as_it_likes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "counted_pipes", list)
    spec = bot_of("program", plumber.__file__, tmp_path)
    assert opened(spec, "full") == [plumber.MANY]


def test_where_nobody_can_be_asked_there_are_no_pipes() -> None:
    words = [sys.executable, "-c", TWICE]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("refused\n", "")
