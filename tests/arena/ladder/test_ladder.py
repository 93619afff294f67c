"""Versions of a bot are copied once each, play those before them, and are rated together."""

from pathlib import Path

import pytest

from arena.ladder.run import LadderSettings, _field
from arena.ladder.versions import add_version, list_versions
from engine.errors import ArenaError
from tests.bots.matches import arena

FIRST = "def decide(decision):\n    return decision.options[0]\n"
LAST = "def decide(decision):\n    return decision.options[-1]\n"


def test_a_file_is_added_once_for_each_content(tmp_path: Path) -> None:
    bot, ladder = tmp_path / "mine.py", tmp_path / "ladder"
    seen = []
    for text in (FIRST, FIRST, LAST, FIRST):
        bot.write_text(text, "utf-8")
        version, is_new = add_version(ladder, str(bot))
        seen.append((version.label, is_new))
    assert seen == [("mine-v1", True), ("mine-v1", False), ("mine-v2", True), ("mine-v1", False)]
    assert [each.path.name for each in list_versions(ladder)] == ["mine-v1.py", "mine-v2.py"]
    assert (ladder / "mine-v1.py").read_text("utf-8") == FIRST


def test_a_folder_is_added_under_a_name_of_its_version(tmp_path: Path) -> None:
    bot, ladder = tmp_path / "mine", tmp_path / "ladder"
    bot.mkdir()
    (bot / "bot.toml").write_text('name = "mine"\nversion = "1"\nentry = "bot.py"\n', "utf-8")
    (bot / "bot.py").write_text(FIRST, "utf-8")
    assert add_version(ladder, str(bot))[1]
    assert not add_version(ladder, str(bot))[1]
    (bot / "bot.py").write_text(LAST, "utf-8")
    version, is_new = add_version(ladder, str(bot))
    assert (version.label, is_new) == ("mine-v2", True)
    assert 'name = "mine-v2"' in (version.path / "bot.toml").read_text("utf-8")


@pytest.mark.parametrize("bot", ["random", "cmd:true"])
def test_what_has_no_files_is_refused(tmp_path: Path, bot: str) -> None:
    with pytest.raises(ArenaError, match="expected a file or a folder"):
        add_version(tmp_path, bot)


def test_a_version_meets_those_before_it(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    settings = LadderSettings(tmp_path / "ladder")
    versions = []
    for number in range(3):
        bot.write_text(f"{FIRST}# {number}\n", "utf-8")
        versions.append(add_version(settings.folder, str(bot))[0])
    names = [Path(spec).name for spec in _field(versions[1], settings)]
    assert names == ["mine-v2.py", "mine-v1.py", "random", "greedy", "planner"]
    assert len(_field(versions[2], settings)) == 6


@pytest.mark.slow
def test_the_ladder_shows_all_versions(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    words = ("ladder", "add", "mine.py", "--rounds", 1, "--in-process", "-j", 1)
    for text in (FIRST, LAST):
        bot.write_text(text, "utf-8")
        done = arena(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    shown = arena("ladder", "show", "-o", "csv", cwd=tmp_path).stdout
    for name in ("mine-v1", "mine-v2", "random", "greedy", "planner"):
        assert f",{name}," in shown
    again = arena(*words, cwd=tmp_path)
    assert "mine.py is mine-v2, as it was" in again.stderr
