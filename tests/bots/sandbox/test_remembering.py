"""A bot finds nothing in a match by which it could tell it from the one before."""

from pathlib import Path

import pytest

from bots.sandbox.process_numbers import ProcessNumbers
from tests.bots.sandbox import counters
from tests.bots.sandbox.kinds import KINDS, bot_of
from tests.bots.sandbox.matches import LEVELS, behind, outcome

HOSTS_NAME = Path("/proc/sys/kernel/hostname")
# What lives when a bot begins. Where the zygote is not compiled, free places grow in number.
COUNTS = """
import gc
import sys

from engine import COMPILED

found = [len(gc.get_objects()), gc.get_freeze_count()]
if COMPILED:
    found += [gc.get_count(), sys.getallocatedblocks()]


def decide(decision):
    raise LookupError(found)
"""
# The kernel's answers about the worker before.
ANSWERS = """
from bots.sandbox import lockdown


def decide(decision):
    raise LookupError([*lockdown._usage, lockdown._status.value])
"""
# Where threads are, their numbers are the host's own.
CASES = [
    (kind, level) for kind in KINDS for level in LEVELS if kind == "strict" or level != "reduced"
]


@pytest.mark.parametrize(("kind", "level"), CASES)
def test_numbers_are_the_same_in_every_match(kind: str, level: str, tmp_path: Path) -> None:
    with behind(bot_of(kind, counters.__file__, tmp_path), LEVELS[level]) as bot:
        told = [outcome(bot, seconds=20)[1].splitlines()[-1] for _ in range(3)]
    assert told[0].startswith("LookupError: [")
    assert told.count(told[0]) == 3


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["strict", "threads"])
def test_pythons_own_memory_does_not_tell_which_match_is_the_first(
    kind: str, level: str, tmp_path: Path
) -> None:
    source = tmp_path / "counts.py"
    source.write_text(COUNTS, encoding="utf-8")
    with behind(bot_of(kind, str(source), tmp_path), LEVELS[level]) as bot:
        told = [outcome(bot, seconds=20)[1].splitlines()[-1] for _ in range(6)]
    assert told[0].startswith("LookupError: [")
    # One block more or less is by chance: whether the worker before was reaped by then.
    assert told[0] in told[1:]


@pytest.mark.parametrize("level", LEVELS)
def test_what_the_match_before_took_is_not_told(level: str, tmp_path: Path) -> None:
    source = tmp_path / "answers.py"
    source.write_text(ANSWERS, encoding="utf-8")
    with behind(bot_of("strict", str(source), tmp_path), LEVELS[level]) as bot:
        told = {outcome(bot, seconds=20)[1].splitlines()[-1] for _ in range(3)}
    assert told == {f"LookupError: {[0] * 19}"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_machines_name_is_not_told(kind: str, tmp_path: Path) -> None:
    with behind(bot_of(kind, counters.__file__, tmp_path)) as bot:
        told = outcome(bot, seconds=20)[1].splitlines()[-1]
    assert "'arena'" in told
    assert repr(HOSTS_NAME.read_text("utf-8").strip()) not in told


@pytest.mark.parametrize("done", [False, True], ids=["cannot", "claims to"])
def test_where_numbers_cannot_be_restarted_the_container_is_new(
    done: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where they only seem to be, a bot with threads sees how many there were."""
    monkeypatch.setattr(ProcessNumbers, "restart", lambda _: done)
    with behind(bot_of("threads", counters.__file__, tmp_path)) as bot:
        told = [outcome(bot, seconds=20)[1].splitlines()[-1].split(",")[0] for _ in range(2)]
        assert bot.peak() > 0
    assert (told[0] == told[1]) is not done
