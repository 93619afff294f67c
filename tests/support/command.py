"""Running the command as a user does, with the engine under test."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import engine
from tests.support.warm_command import WarmCommand

ROOT = Path(__file__).parents[2]
TIMEOUT = 300.0  # seconds


def environment(**extra: str) -> dict[str, str]:
    """The engine under test first; nothing of the caller's terminal."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
    source = str(ROOT) if not engine.COMPILED else ""
    return kept | {"PYTHONPATH": source, "COLUMNS": "80", "PYTHONWARNINGS": "error"} | extra


def complaints(stderr: str) -> list[str]:
    """The lines of a command that do not depend on the machine: on its speed and its sandbox."""
    usual = ("step ", "sandbox reduced: ")
    return [line for line in stderr.splitlines() if not line.startswith(usual)]


def arena(*words: object, cwd: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `arena` with these words."""
    given, env = [*map(str, words)], environment(**extra)
    if not any(key.startswith("PYTHON") for key in extra):
        return _warm().run(given, cwd, env, TIMEOUT)
    return subprocess.run(
        [sys.executable, "-m", "arena", *given],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@cache
def _warm() -> WarmCommand:
    return WarmCommand(environment())
