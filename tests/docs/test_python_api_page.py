"""The page python_api.md: its blocks run, and it names every verb of a position and a game."""

import re
from pathlib import Path

import pytest

from arena import Match
from engine.contract import Game, State
from tests.support.command import ROOT

TEXT = (ROOT / "docs" / "python_api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_every_block_is_python() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python"}
    assert TEXT.count("```") == 2 * len(BLOCKS)


@pytest.mark.parametrize("code", [code for _, code in BLOCKS])
def test_blocks_run(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "python_api.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "section"), [(State, "## Positions"), (Game, "## Games"), (Match, "## Play")]
)
def test_every_public_name_is_in_its_table(kind: type, section: str) -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    part = prose.partition(f"\n{section}\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", part))))
    public = {name for name in dir(kind) if not name.startswith("_")}
    assert public - named == set()
