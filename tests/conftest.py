"""Which engine is tested: the sources interpreted, or the installed wheel compiled."""

from pathlib import Path
from typing import Final

import pytest

import engine

HERE: Final = Path(__file__).parent
# What these test is the same with either engine: one run of them says it all.
ONCE: Final = frozenset(
    ("author", "league_life", "pages", "readers", "sandbox", "storage", "tournaments", "web")
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=("interpreted", "compiled"), help="fail if it is not this")
    parser.addoption(
        "--rules", action="store_true", help="leave out what the engine's form cannot change"
    )


def form() -> str:
    return "compiled" if engine.COMPILED else "interpreted"


def pytest_report_header() -> str:
    return f"engine: {form()}"


def pytest_configure(config: pytest.Config) -> None:
    wanted = config.getoption("--engine")
    if wanted not in (None, form()):
        raise pytest.UsageError(f"expected the {wanted} engine, got the {form()} one")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    within = collection_path.relative_to(HERE).parts if collection_path != HERE else ()
    return True if config.getoption("--rules") and ONCE.intersection(within[:1]) else None


@pytest.fixture
def many() -> int:
    """How many games a property is tried on: the compiled engine is the thorough one."""
    return 60 if engine.COMPILED else 2
