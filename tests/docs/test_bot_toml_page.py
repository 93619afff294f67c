"""docs/bot_toml.md lists every key, and what it shows is read as it says."""

import re
import shlex
from pathlib import Path

import pytest

from bots.discovery.manifest_reader import KEYS, read_manifest
from bots.discovery.spec import parse_spec
from tests.bots.matches import arena
from tests.docs.test_readme import blocks
from tests.support.command import ROOT

PAGE = "docs/bot_toml.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def test_every_key_has_a_row() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)) == KEYS


def test_the_blocks_are_bots(tmp_path: Path) -> None:
    found = dict(blocks(PAGE))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "bot.toml").write_text(found["toml"], "utf-8")
    (folder / "bot.py").write_text(found["python"], "utf-8")
    (tmp_path / "alone.py").write_text(found["python"], "utf-8")
    whole = read_manifest(parse_spec(str(folder)))
    alone = read_manifest(parse_spec(str(tmp_path / "alone.py")))
    assert (whole.name, whole.version, whole.summary) == ("mybot", "1.0", "Builds science.")
    assert whole.games == alone.games == ("seven",)
    assert alone.summary == "Builds science."


@pytest.mark.slow
def test_the_commands_work(tmp_path: Path) -> None:
    lines = dict(blocks(PAGE))["sh"].splitlines()
    for line in lines:
        done = arena(*shlex.split(line)[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
