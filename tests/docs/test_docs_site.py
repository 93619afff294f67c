"""The documentation as a site: it builds, no link of it leads nowhere, and the API is in it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT

pytestmark = pytest.mark.slow


def test_the_site_builds_with_every_page(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for page in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/tutorial/*.md")]:
        made = tmp_path / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert made.exists(), page
    api = (tmp_path / "api_reference.html").read_text(encoding="utf-8")
    assert "Play a tournament in this process" in api  # a docstring
