"""Every block of the README, and of the pages of commands, does what it says."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT, arena, environment

pytestmark = pytest.mark.slow

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = (
    "README.md",
    "docs/deployment.md",
    "docs/engine.md",
    "docs/json.md",
    "docs/leagues.md",
    "docs/python_bots.md",
    "docs/sage.md",
    "docs/sandbox.md",
    "docs/tournaments.md",
)
ELSEWHERE = {  # where the blocks of other pages are run
    "docs/adapters.md": "docs/test_adapters_page.py",
    "docs/bot_toml.md": "docs/test_bot_toml_page.py",
    "docs/cluster.md": "docs/test_cluster_page.py",
    "docs/compare.md": "docs/test_compare_page.py",
    "docs/dataset.md": "docs/test_dataset_page.py",
    "docs/protocol.md": "docs/test_examples.py",
    "docs/python_api.md": "docs/test_python_api_page.py",
    "examples/README.md": "docs/test_examples.py",
}


def blocks(page: str) -> list[tuple[str, str]]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert text.count("```") == 2 * len(found)
    return found


BLOCKS = blocks("README.md")


def test_it_is_short() -> None:
    assert len(TEXT.splitlines()) < 150


def test_every_page_with_blocks_is_run() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md")]
    shown = {str(page.relative_to(ROOT)) for page in pages if "```" in page.read_text("utf-8")}
    assert shown == {*PAGES, *ELSEWHERE}
    for page, test in ELSEWHERE.items():
        assert page.rpartition("/")[2] in (ROOT / "tests" / test).read_text("utf-8")


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    assert {kind for page in PAGES for kind, _ in blocks(page)} <= {"sh", "python"}


@pytest.mark.parametrize("page", PAGES)
def test_commands_run_in_order(page: str, tmp_path: Path) -> None:
    lines = [line for kind, text in blocks(page) if kind == "sh" for line in text.splitlines()]
    ran = 0
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for line in lines:
        words = shlex.split(line, comments=True)
        if not words or words[0] in ("make", "."):
            continue
        assert words[0] == "arena", line
        target = words.index(">") if ">" in words else len(words)
        done = arena(*words[1:target], cwd=tmp_path)
        assert done.returncode == 0, (line, done.stderr)
        if ">" in words:
            (tmp_path / words[target + 1]).write_text(done.stdout, encoding="utf-8")
        ran += 1
    assert ran or page in ("docs/python_bots.md", "docs/sage.md")


def targets() -> list[str]:
    named = re.findall(r"^make (\w+)", TEXT, re.MULTILINE)
    return [
        *named,
        *re.findall(
            r"`(lint|types|compile|gate|bench|soak|ladder|golden)`", TEXT.replace("make ", "")
        ),
    ]


@pytest.mark.parametrize("target", targets())
def test_targets_exist(target: str) -> None:
    done = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run(page: str, tmp_path: Path) -> None:
    for kind, text in blocks(page):
        if kind == "python":
            done = subprocess.run(
                [sys.executable, "-c", text],
                cwd=tmp_path,
                env=environment(),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout or "def decide" in text


def test_the_bot_of_one_function_plays(tmp_path: Path) -> None:
    text = next(text for kind, text in BLOCKS if "def decide" in text)
    (tmp_path / "one.py").write_text(text, encoding="utf-8")
    done = arena("play", "seven", "./one.py", "random", "random", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["games"][0]["faults"] == []


def test_paths_it_names_exist() -> None:
    named = re.findall(r"`((?:docs|examples|engine|tests)/[\w./]*|DECISIONS\.md)`", TEXT)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path
