"""A digest is a bot's content and parameters, found without running it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bots.discovery.digest as sources
from bots.discovery.digest import digest
from bots.discovery.files import IGNORED_NAMES
from bots.discovery.spec import BotError, parse_spec
from bots.sandbox.visible_paths import snapshot
from tests.support.needs import requires

PAST = 'open("ran", "w")\n'
# The folder of these tests, by every version so far: stored results go by it.
BEFORE = "35c50dc9a5734e6e86816ad1e68778c89d8259c47b948253c46a959c8e95ed65"


def of(text: object) -> str:
    return digest(parse_spec(str(text)))


def test_a_file_is_its_bytes_wherever_it_lies(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(PAST, encoding="utf-8")
    first = of(tmp_path / "one" / "bot.py")
    assert len(first) == 64
    assert int(first, 16) >= 0
    assert of(tmp_path / "two" / "bot.py") == first
    assert of(f"{tmp_path}/one/bot.py:depth=2") != first
    (tmp_path / "two" / "bot.py").write_text(PAST + "\n", encoding="utf-8")
    assert of(tmp_path / "two" / "bot.py") != first
    assert not Path("ran").exists()


def folder(place: Path) -> Path:
    (place / "data").mkdir(parents=True)
    facts = 'name = "mine"\nversion = "1"\nentry = "bot.py"\n'
    (place / "bot.toml").write_text(facts, encoding="utf-8")
    (place / "bot.py").write_text(PAST, encoding="utf-8")
    (place / "data" / "book").write_text("e4", encoding="utf-8")
    return place


def test_a_folder_is_all_its_files_and_their_places(tmp_path: Path) -> None:
    one, two = folder(tmp_path / "one"), folder(tmp_path / "two")
    first = of(one)
    assert of(two) == of(f"{two}/") == first
    (two / "__pycache__").mkdir()
    (two / "__pycache__" / "bot.pyc").write_bytes(b"cache")
    (two / "link").symlink_to(two / "bot.py")
    assert of(two) == first
    (two / "data" / "book").rename(two / "book")
    moved = of(two)
    assert moved != first
    (two / "book").write_text("d4", encoding="utf-8")
    assert len({first, moved, of(two)}) == 3


@pytest.mark.parametrize("name", sorted(IGNORED_NAMES))
def test_caches_and_version_control_are_not_the_bot(tmp_path: Path, name: str) -> None:
    place = folder(tmp_path / "mine")
    first = of(place)
    assert first == BEFORE
    for where in (place, place / "data"):
        (where / name / "deep").mkdir(parents=True)
        (where / name / "deep" / "file").write_text("now this, now that", encoding="utf-8")
    assert of(place) == first
    assert snapshot(str(place)) is not None
    assert {file.name for file in snapshot(str(place)) or ()} == {"bot.py", "bot.toml", "book"}


def test_git_in_a_linked_work_tree_is_a_file(tmp_path: Path) -> None:
    place = folder(tmp_path / "mine")
    first = of(place)
    (place / ".git").write_text("gitdir: elsewhere", encoding="utf-8")
    assert of(place) == first


@pytest.mark.slow
@requires("git")
def test_running_its_tests_and_committing_leave_a_bot_the_same(tmp_path: Path) -> None:
    place = folder(tmp_path / "mine")
    first = of(place)
    (place / "test_bot.py").write_text("def test(): pass\n", encoding="utf-8")
    with_test = of(place)
    assert with_test != first
    pytest_run = [sys.executable, "-m", "pytest", "-q"]
    for words in (pytest_run, ["git", "init", "-q"], ["git", "add", "."]):
        subprocess.run(words, cwd=place, check=True, capture_output=True)
        assert of(place) == with_test


def test_what_is_in_one_file_is_not_confused_with_the_next(tmp_path: Path) -> None:
    one, two = folder(tmp_path / "one"), folder(tmp_path / "two")
    (one / "a").write_text("", encoding="utf-8")
    (one / "ab").write_text("", encoding="utf-8")
    (two / "aa").write_text("", encoding="utf-8")
    (two / "b").write_text("", encoding="utf-8")
    assert of(one) != of(two)


def test_house_bots_differ_by_name_and_parameters() -> None:
    found = [of(text) for text in ("random", "greedy", "flat:ms=5", "flat:ms=6", "flat")]
    assert len(set(found)) == 5
    assert of("random") == found[0]


def test_packages_are_looked_at_only_for_what_the_house_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def no_packages(group: str) -> list[object]:
        looks.append(group)
        return []

    monkeypatch.setattr("importlib.metadata.entry_points", no_packages)
    of("greedy")
    of(folder(tmp_path / "mine"))
    assert looks == []
    with pytest.raises(BotError, match="did you mean greedy"):
        of("greddy")
    assert looks


def test_a_house_bot_is_its_source_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = of("greedy")
    house = Path(shutil.copytree(sources.HOUSE, tmp_path / "house"))
    monkeypatch.setattr(sources, "HOUSE", house)
    (house / "greedy.cpython-311-x86_64-linux-gnu.so").write_bytes(b"compiled")
    assert of("greedy") == first
    with (house / "greedy.py").open("a", encoding="utf-8") as file:
        file.write("# greedier\n")
    assert of("greedy") != first


def test_a_program_is_its_files_and_its_words(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("echo", encoding="utf-8")
    first = of(f"cmd:{sys.executable} {script}")
    assert of(f"cmd:{sys.executable} {script} --fast") != first
    script.write_text("echo 2", encoding="utf-8")
    assert of(f"cmd:{sys.executable} {script}") != first


def test_a_package_is_what_was_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = tmp_path / "clever-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: clever\nVersion: 1.0\n", "utf-8")
    (facts / "entry_points.txt").write_text("[wonders_arena.bots]\nclever = clever\n", "utf-8")
    (facts / "RECORD").write_text("clever.py,sha256=abc,3\nclever.pyc,,\n", "utf-8")
    (tmp_path / "clever.py").write_text(PAST, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    first = of("clever")
    (facts / "RECORD").write_text("clever.py,sha256=abc,3\nclever.pyc,,\nclever.pyo,,\n", "utf-8")
    assert of("clever") == first
    (facts / "RECORD").write_text("clever.py,sha256=abd,3\nclever.pyc,,\n", "utf-8")
    assert of("clever") != first
    assert "clever" not in sys.modules


def test_what_is_not_there_has_none(tmp_path: Path) -> None:
    with pytest.raises(BotError):
        of(tmp_path / "none.py")


@pytest.mark.parametrize("name", sorted(IGNORED_NAMES))
@pytest.mark.parametrize("key", ["entry", "program"])
def test_what_is_run_is_covered(tmp_path: Path, name: str, key: str) -> None:
    place = folder(tmp_path / "mine")
    (place / name).mkdir()
    code = place / name / "bot.py"
    code.write_text(f"#!/usr/bin/python3\n{PAST}", encoding="utf-8")
    code.chmod(0o755)
    facts = f'name = "mine"\nversion = "1"\n{key} = "{name}/bot.py"\n'
    (place / "bot.toml").write_text(facts, encoding="utf-8")
    with pytest.raises(BotError, match=key):
        of(place)
