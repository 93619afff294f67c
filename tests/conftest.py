"""Which engine is tested: the sources interpreted, or the installed wheel compiled."""

import pytest

import engine


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=("interpreted", "compiled"), help="fail if it is not this")


def form() -> str:
    return "compiled" if engine.COMPILED else "interpreted"


def pytest_report_header() -> str:
    return f"engine: {form()}"


def pytest_configure(config: pytest.Config) -> None:
    wanted = config.getoption("--engine")
    if wanted not in (None, form()):
        raise pytest.UsageError(f"expected the {wanted} engine, got the {form()} one")


@pytest.fixture
def many() -> int:
    """How many games a property is tried on: the compiled engine is the thorough one."""
    return 60 if engine.COMPILED else 2
