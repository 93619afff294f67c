"""Running the command as a user does, with the engine under test."""

import os
import subprocess
import sys
from pathlib import Path

import engine

ROOT = Path(__file__).parents[2]


def environment(**extra: str) -> dict[str, str]:
    """The engine under test first; nothing of the caller's terminal."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
    source = str(ROOT) if not engine.COMPILED else ""
    return kept | {"PYTHONPATH": source, "COLUMNS": "80", "PYTHONWARNINGS": "error"} | extra


def arena(*words: object, cwd: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `arena` with these words."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        cwd=cwd,
        env=environment(**extra),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
