"""The tutorial, docs/tutorial: its blocks run page by page, and no page's links lead nowhere."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from tests.support import command_reference
from tests.support.command import ROOT, arena

PAGES = sorted(ROOT.glob("docs/tutorial/*.md"))
EVERY_PAGE = [*ROOT.glob("docs/*.md"), *PAGES]


def blocks(page: Path, kind: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert text.count("```") == 2 * len(found)
    assert {kind for kind, _ in found} <= {"sh", "python", "text"}
    return [block for each, block in found if each == kind]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for code in blocks(page, "python"):
        exec(compile(code, page.name, "exec"), {"__name__": page.stem})
        said = capsys.readouterr().out
        assert not said if code.startswith("# ") else said, "a file to save says nothing by itself"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_run_in_order(page: Path, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=ignored)
    for code in blocks(page, "python"):
        if named := re.match(r"# (\w+\.py)\n", code):
            (tmp_path / named[1]).write_text(code, encoding="utf-8")
    shown = blocks(page, "text")
    for line in "".join(blocks(page, "sh")).splitlines():
        program, *words = shlex.split(line)
        assert program == "arena"
        done = arena(*words, cwd=tmp_path)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout + done.stderr, line
        shown = [text for text in shown if not done.stdout.startswith(text)]
    assert not shown


def test_there_are_five_pages_and_the_site_lists_every_page() -> None:
    assert len(PAGES) == 5
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/]+\.md)$", text, re.MULTILINE))
    assert listed == {str(page.relative_to(ROOT / "docs")) for page in EVERY_PAGE}
    assert yaml.safe_load(text.partition("\nhooks:")[0])["theme"]["font"] is False


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("https:"):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_the_reference_has_every_command() -> None:
    """What it says of each is written again by every `make docs`."""
    headings = re.compile(r"^### (arena .*)$", re.MULTILINE)
    found = headings.findall(command_reference.PAGE.read_text(encoding="utf-8"))
    assert found == headings.findall(command_reference.text()), "run make docs"
