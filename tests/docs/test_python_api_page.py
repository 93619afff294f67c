"""The page python_api.md: its blocks run, and it names every verb of a position and a game."""

import inspect
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import arena
from arena import BotComparison, Match, TournamentResult
from arena.api.match import MatchReasons
from arena.reports.leaderboard import COLUMNS
from arena.reports.table import Report
from engine.contract import Game, State
from tests.support.command import ROOT

TEXT = (ROOT / "docs" / "python_api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_every_block_is_python() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python"}
    assert TEXT.count("```") == 2 * len(BLOCKS)


@pytest.mark.usefixtures("hasty_judge")
@pytest.mark.parametrize(
    "code",
    [pytest.param(code, marks=[pytest.mark.slow] * ("explain(" in code)) for _, code in BLOCKS],
)
def test_blocks_run(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "python_api.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "section"),
    [
        (State, "## Positions"),
        (Game, "## Games"),
        (Match, "## Play"),
        (MatchReasons, "## Play"),
        (Report, "## Play"),
        (TournamentResult, "## Tournaments"),
        (BotComparison, "## Comparisons"),
    ],
)
def test_every_public_name_is_in_its_table(kind: type, section: str) -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    part = prose.partition(f"\n{section}\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", part))))
    public = {name for name in dir(kind) if not name.startswith("_")}
    own = {each.name for each in fields(kind)} if is_dataclass(kind) else set()
    assert (public | own) - named == set()


def first_cells(heading: str) -> list[str]:
    table = TEXT.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    cells = (line.split("|")[1] for line in table.splitlines()[2:])
    return re.findall(r"`(\w+)`", " ".join(cells))


@pytest.mark.parametrize("name", ["compare", "tournament"])
def test_the_page_lists_the_parameters_that_help_shows(name: str) -> None:
    function = getattr(arena, name)
    parameters = inspect.signature(function).parameters
    assert sorted(first_cells(f"parameter of `{name}`")) == sorted(parameters)
    assert "args" not in parameters
    for parameter in parameters:
        assert f"`{parameter}`" in function.__doc__ or "those of `play`" in function.__doc__
    assert function.__call__.__doc__ == function.__doc__


def test_the_page_describes_every_key_of_a_leaderboard() -> None:
    assert sorted(first_cells("key")) == sorted(each.key for each in COLUMNS if each.data)


def test_the_package_lists_what_is_public() -> None:
    assert dir(arena) == sorted(arena.__all__)
