"""The page dataset.md: its blocks run one after the other."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.command import ROOT, arena

pytestmark = pytest.mark.slow

TEXT = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_blocks_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [kind for kind, _ in BLOCKS] == ["sh", "python", "python"]
    assert TEXT.count("```") == 2 * len(BLOCKS)
    done = arena(*shlex.split(BLOCKS[0][1])[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    monkeypatch.chdir(tmp_path)
    for _, code in BLOCKS[1:]:
        exec(compile(code, "dataset.md", "exec"), {"__name__": "page"})
        assert capsys.readouterr().out
