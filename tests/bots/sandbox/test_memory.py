"""What a bot fills is bounded, however it goes about it; and the arena is never ended for it."""

import ast
from pathlib import Path

import pytest

from bots.sandbox import container
from bots.sandbox.container import Layers
from bots.sandbox.lockdown import MEGABYTE, PROGRAM_LIMITS, PYTHON_LIMITS
from tests.bots.sandbox import hoarder, hungry
from tests.bots.sandbox.kinds import KINDS, bot_of
from tests.bots.sandbox.matches import LEVELS, behind, outcome, worker_of

MOST = 160  # megabytes a bot may have here, the interpreter's included
PIPES = 64  # what its descriptors hold at most
SCORE = Path("/proc/self/oom_score_adj")


@pytest.fixture
def less_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Filling what a bot may have takes seconds; a part of it shows the same."""
    monkeypatch.setattr(container, "PYTHON_LIMITS", PYTHON_LIMITS | {"AS": MOST * MEGABYTE})
    monkeypatch.setattr(container, "PROGRAM_LIMITS", PROGRAM_LIMITS | {"DATA": MOST * MEGABYTE})


def eaten(detail: str) -> dict[str, int]:
    """Megabytes by way, as the bot says."""
    told = detail.strip().splitlines()[-1].removeprefix("MemoryError: ")
    found = ast.literal_eval(told)
    assert isinstance(found, dict)
    return found


@pytest.mark.usefixtures("less_memory")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_all_ways_to_memory_together_have_one_end(kind: str, level: str, tmp_path: Path) -> None:
    with behind(bot_of(kind, hungry.__file__, tmp_path), LEVELS[level]) as bot:
        how, detail = outcome(bot, seconds=30)
        assert how == "memory", detail
        assert bot.peak() < (MOST + PIPES) * 1024
    assert 0 < sum(eaten(detail).values()) <= MOST + PIPES


@pytest.mark.usefixtures("less_memory")
@pytest.mark.parametrize(
    ("kind", "layers", "ways"),
    [
        ("strict", Layers(limits=False), {"private", "shared", "grown", "heap", "objects"}),
        ("program", Layers(seccomp=False), {"shared", "growing"}),
    ],
    ids=["limits", "seccomp"],
)
def test_without_a_layer_there_is_more(
    kind: str, layers: Layers, ways: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "NO_DATA", 0)  # the arena would end it, somewhat later
    with behind(bot_of(kind, hungry.__file__, tmp_path), layers) as bot:
        found = eaten(outcome(bot, seconds=60)[1])
    assert {name for name in ways if found[name] > MOST} == ways


@pytest.mark.usefixtures("less_memory")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["program", "headless"])
def test_memory_that_was_made_read_only_counts(kind: str, level: str, tmp_path: Path) -> None:
    with behind(hoarder_of(kind, tmp_path), LEVELS[level]) as bot:
        how, detail = outcome(bot, seconds=30)
    assert how == "memory", detail


@pytest.mark.parametrize("kind", ["program", "headless"])
def test_without_a_limit_a_program_hoards(kind: str, tmp_path: Path) -> None:
    with behind(hoarder_of(kind, tmp_path), Layers(limits=False)) as bot:
        assert outcome(bot, seconds=30) == ("well", "")
        assert worker_of(bot).clock.filled() > hoarder.HOARD >> 10


def hoarder_of(kind: str, folder: Path) -> str:
    """A program, or one whose first thread ends."""
    return bot_of("program", hoarder.__file__, folder) + (" headless" if kind == "headless" else "")


@pytest.mark.parametrize("level", LEVELS)
def test_where_memory_runs_out_the_bot_is_ended_and_not_the_arena(
    level: str, tmp_path: Path
) -> None:
    before = SCORE.read_text("ascii")
    (tmp_path / "bot.py").write_text("def decide(decision):\n    return decision.options[0]\n")
    with behind(str(tmp_path / "bot.py"), LEVELS[level]) as bot:
        assert outcome(bot) == ("well", "")
        score = Path(f"/proc/{worker_of(bot).pid}/oom_score_adj").read_text("ascii")
    assert int(score) == 1000
    assert SCORE.read_text("ascii") == before
