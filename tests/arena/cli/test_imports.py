"""What a command imports before it runs: help is not to wait for a database."""

import subprocess
import sys

import pytest

from tests.support.command import environment

pytestmark = pytest.mark.slow

HEAVY = ("sqlalchemy", "alembic", "sqlmodel", "numpy")


@pytest.mark.parametrize(
    "words",
    [["--help"], ["bot", "list"], ["rank", "--help"], ["league", "work", "--help"]],
    ids=str,
)
def test_help_and_lists_load_no_database(words: list[str]) -> None:
    code = (
        "import sys; from arena.cli import run; "
        f"run({words!r}); print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
