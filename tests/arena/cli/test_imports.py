"""What a command imports: nobody waits for a library that the command does not use."""

import subprocess
import sys
from pathlib import Path

import pytest

from leagues.storage.handle import open_storage
from tests.support.command import environment

pytestmark = pytest.mark.slow

SITE = ("fastapi", "jinja2", "starlette", "uvicorn")
DATABASE = ("sqlalchemy", "sqlmodel", "alembic")
RATINGS = ("numpy", "trueskill")
POOLS = ("concurrent.futures", "multiprocessing")
NONE_OF_THEM = (*SITE, *DATABASE, *RATINGS, *POOLS, "matplotlib", "optuna")


def loaded(words: list[str], modules: tuple[str, ...], folder: Path) -> str:
    """Those of the modules that a command has loaded when it is done."""
    code = (
        "import sys; from arena.cli import run; "
        f"run({words!r}); print([name for name in {modules!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1]


def test_help_knows_nothing_of_leagues(tmp_path: Path) -> None:
    assert loaded(["--help"], ("leagues", "engine.catalog", "json"), tmp_path) == "[]"


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "--version",
        "rank --help",
        "tournament run --help",
        "league work --help",
        "serve --help",
        "bot list",
        "bot new mine",
        "rules architects",
        "perft architects --depth 1",
        "play architects random random --seed 1 --in-process --no-save",
    ],
)
def test_help_bots_rules_and_play_load_no_database(words: str, tmp_path: Path) -> None:
    assert loaded(words.split(), NONE_OF_THEM, tmp_path) == "[]"


@pytest.mark.parametrize("words", ["tournament list", "match list", "rank show --help"])
def test_a_database_that_is_up_to_date_needs_no_migrations(words: str, tmp_path: Path) -> None:
    open_storage(tmp_path / "arena.db").close()
    assert loaded(words.split(), ("alembic", *SITE), tmp_path) == "[]"


def test_a_list_of_matches_needs_no_games_no_ratings_and_no_accounts(tmp_path: Path) -> None:
    open_storage(tmp_path / "arena.db").close()
    unneeded = (
        *("arena.playing", "engine.catalog", "sqlalchemy.dialects.postgresql", *RATINGS),
        *("leagues.storage.models.leagues", "leagues.storage.models.accounts"),
    )
    assert loaded(["match", "list"], unneeded, tmp_path) == "[]"


def test_the_list_of_bots_is_printed_without_a_parser(tmp_path: Path) -> None:
    code = (
        "import sys; from arena.__main__ import main; "
        "sys.argv = ['arena', 'bot', 'list']; main(); print('typer' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[-1] == "False"
    assert any(line.startswith("planner ") for line in lines)
