"""The page on data sets: its blocks run in order, its tables name the fields there are."""

import gzip
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT, arena, environment

pytestmark = pytest.mark.slow

TEXT = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_page_is_true(tmp_path: Path) -> None:
    [(kind, command), *programs] = BLOCKS
    assert kind == "sh"
    done = arena(*shlex.split(command)[1:], "--in-process", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("sha256")) == (0, 1), done.stderr
    for kind, text in programs:
        assert kind == "python"
        shown = subprocess.run(
            [sys.executable, "-c", text],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout
    lines = gzip.decompress((tmp_path / "games.jsonl.gz").read_bytes()).decode().splitlines()
    told = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert told == [*json.loads(lines[0]), *json.loads(lines[1])]
