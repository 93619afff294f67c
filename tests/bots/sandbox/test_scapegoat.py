"""A bot cannot end its process in a way that looks like the machine's doing."""

import platform
from pathlib import Path

import pytest

from tests.bots.sandbox import scapegoat
from tests.bots.sandbox.kinds import bot_of
from tests.bots.sandbox.matches import LEVELS, behind, outcome

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the attacks know x86-64's system calls"
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["strict", "threads"])
def test_the_machine_is_never_blamed(kind: str, level: str, tmp_path: Path) -> None:
    """Which would be a SandboxError, and the match played again."""
    with behind(bot_of(kind, scapegoat.__file__, tmp_path), LEVELS[level]) as bot:
        for number, name in enumerate(scapegoat.WAYS):
            kind_of_fault, detail = outcome(bot, number)
            assert "exit code -9" not in detail, name
            assert kind_of_fault in ("well", "exception", "crash", "violation", "protocol"), name
