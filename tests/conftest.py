"""Which engine is tested: the sources interpreted, or the installed wheel compiled."""

import os
import signal
from pathlib import Path
from typing import Final

import pytest

import engine
from tests.support.needs import left_out

HERE: Final = Path(__file__).parent
# As the command does, and before NumPy is loaded: on busy cores BLAS threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # As in a shell's background; what tests start would inherit it, and not hear Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
# What depends on the engine's form: the rules, the twin that rates, and what every decision passes
# through. The rest is tested once.
RULES: Final = (
    *("engine", "leagues/ratings", "test_layout.py"),
    *("bots/test_decision.py", "bots/chairs/test_dice.py", "bots/chairs/test_limits.py"),
    *("bots/chairs/test_remote.py", "bots/protocol/test_packets.py"),
    "arena/playing/test_referee.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=("interpreted", "compiled"), help="fail if it is not this")
    parser.addoption("--games", type=int, default=12, help="games a property is tried on, compiled")
    parser.addoption(
        "--rules", action="store_true", help="leave out what the engine's form cannot change"
    )


def form() -> str:
    return "compiled" if engine.COMPILED else "interpreted"


def pytest_report_header() -> str:
    return f"engine: {form()}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out because the machine lacks it, and what adds it."""
    reports = terminalreporter.stats.get("skipped", [])
    for line in left_out(report.longrepr[2] for report in reports):
        terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    wanted = config.getoption("--engine")
    if wanted not in (None, form()):
        raise pytest.UsageError(f"expected the {wanted} engine, got the {form()} one")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not config.getoption("--rules") or collection_path == HERE:
        return None
    path = collection_path.relative_to(HERE)
    kept = any(path.is_relative_to(rule) or Path(rule).is_relative_to(path) for rule in RULES)
    return None if kept else True


SLOW_TIMEOUT: Final = 1200  # seconds, also on a busy machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by what a test asks for; everything else is marked where it stands."""
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        if item.path.is_relative_to(HERE / "bots" / "sandbox"):
            item.add_marker("sandbox")
        place = item.callspec.params.get("place") if hasattr(item, "callspec") else None
        if place == "postgresql" or "server" in item.fixturenames:
            item.add_marker("postgres")
        if item.get_closest_marker("slow") is not None:
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))


@pytest.fixture
def many(pytestconfig: pytest.Config) -> int:
    """How many games a property is tried on: the compiled engine is the thorough one."""
    games: int = pytestconfig.getoption("--games")
    return games if engine.COMPILED else 2


@pytest.fixture
def hasty_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """One imagined world for each stage of a decision: interpreted, 16 take a minute a match."""
    monkeypatch.setattr("bots.house.judge.WORLDS", 1)
