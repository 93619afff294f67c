"""Commands whose packages are not installed: what is missing, and how to get it."""

import subprocess
import sys
from pathlib import Path

import pytest

from leagues.storage.handle import open_storage
from tests.support.command import environment

pytestmark = pytest.mark.slow

CASES = [
    ("serve", "uvicorn", "the site", "site"),
    ("site build pages", "jinja2", "the site", "site"),
    ("match show 1 --browser", "uvicorn", "a browser", "site"),
    ("play architects random random --browser", "fastapi", "a browser", "site"),
    ("rank plot --out skills.png", "matplotlib", "a plot", "plots"),
    ("tune greedy --param worlds=1..3", "optuna", "tuning", "tune"),
]


@pytest.mark.parametrize(("words", "package", "what", "extra"), CASES)
def test_a_package_that_is_missing_is_named_before_anything_is_done(
    words: str, package: str, what: str, extra: str, tmp_path: Path
) -> None:
    open_storage(tmp_path / "arena.db").close()
    code = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = {['arena', *words.split()]!r}; "
        "from arena.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"arena: {what} needs {package}, which is not installed: "
    advice = f'pip install "wonders-arena[{extra}]"\n'
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said + advice)
