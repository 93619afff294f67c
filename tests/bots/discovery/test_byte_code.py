"""Byte code in a bot's folder is never run: what plays is the sources, which the digest knows."""

import importlib.util
import marshal
import shlex
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bots.api import Seating
from bots.chairs.base import Chair, ChairFault
from bots.chairs.limits import Limits
from bots.chairs.pool import Isolation, IsolationKind, open_chair
from bots.discovery import compiled_sources
from bots.discovery.digest import digest
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.sandbox import visible_paths
from bots.sandbox.container import Layers
from tests.bots.matches import SAMPLES
from tests.bots.sandbox.matches import GAME, SEAT, SETUP, need

POISON = compile("raise SystemExit('poisoned')", "poison", "exec")
FACTS = 'name = "mine"\nversion = "1"\n'
WAYS = {
    "strict": Isolation(IsolationKind.FULL, "", Layers()),
    "strong": Isolation(IsolationKind.STRONG, "", Layers(landlock=False)),
    "reduced": Isolation(IsolationKind.REDUCED, "", Layers(container=False)),
    "trusted": Isolation(IsolationKind.TRUSTED, ""),
    "in process": Isolation(IsolationKind.IN_PROCESS, ""),
}


def poison(source: Path) -> None:
    """Caches as an importer finds them: beside the source, and with no look at the source."""
    flags = (1).to_bytes(4, "little")  # by its hash, which is not checked
    data = importlib.util.MAGIC_NUMBER + flags + bytes(8) + marshal.dumps(POISON)
    cache = Path(importlib.util.cache_from_source(str(source)))
    cache.parent.mkdir(exist_ok=True)
    cache.write_bytes(data)
    source.with_suffix(".pyc").write_bytes(data)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "mine"
    place.mkdir()
    (place / "bot.toml").write_text(FACTS + 'entry = "bot.py"\n', "utf-8")
    (place / "bot.py").write_text("from helper_of_mine import decide\n", "utf-8")
    (place / "helper_of_mine.py").write_text("def decide(decision):\n    return 0\n", "utf-8")
    return place


def start(spec: str, isolation: Isolation) -> str:
    """How the bot begins a match: nothing, or what goes wrong."""
    if isolation.layers is not None:
        need(isolation.layers)
    found = parse_spec(spec)
    path = [*sys.path]
    chair: Chair
    with closing(open_chair(found, find_bot(found), Limits(60, 5), isolation)) as chair:
        try:
            chair.start(Seating(GAME, SETUP, SEAT, 1))
        except ChairFault as fault:
            return fault.detail
        finally:
            sys.modules.pop("helper_of_mine", None)
            sys.path[:] = path
    return ""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("threads", ["", "threads = true\n"], ids=["alone", "threads"])
@pytest.mark.parametrize("entry", ["bot.py", "helper_of_mine:decide"])
def test_a_poisoned_cache_is_not_read(folder: Path, way: str, threads: str, entry: str) -> None:
    (folder / "bot.toml").write_text(f'{FACTS}entry = "{entry}"\n{threads}', "utf-8")
    for source in folder.glob("*.py"):
        poison(source)
    assert start(str(folder), WAYS[way]) == ""


@pytest.mark.parametrize("way", ["strict", "strong"])
def test_nor_in_a_folder_that_is_not_copied(
    folder: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visible_paths, "MAX_FILES", 0)
    for source in folder.glob("*.py"):
        poison(source)
    assert start(str(folder), WAYS[way]) == ""


@pytest.mark.parametrize("way", WAYS)
def test_a_module_without_its_source_is_none(folder: Path, way: str) -> None:
    poison(folder / "helper_of_mine.py")
    (folder / "helper_of_mine.py").unlink()
    assert "No module named 'helper_of_mine'" in start(str(folder), WAYS[way])


@pytest.mark.parametrize("way", ["trusted", "in process"])
def test_of_a_bot_that_is_a_file_neither(folder: Path, way: str) -> None:
    for source in folder.glob("*.py"):
        poison(source)
    assert start(f"{folder}/bot.py", WAYS[way]) == ""


@pytest.mark.parametrize("way", ["trusted", "in process"])
def test_none_is_written(folder: Path, way: str) -> None:
    before = digest(parse_spec(str(folder)))
    assert start(str(folder), WAYS[way]) == ""
    assert not (folder / "__pycache__").exists()
    assert digest(parse_spec(str(folder))) == before


def helper(folder: Path) -> Path:
    """A program's own module, which does what the sample of a program does."""
    for name in ("answers.py", "talk.py"):
        (folder / name).write_text((SAMPLES / "programs" / name).read_text("utf-8"), "utf-8")
    main = folder / "main.py"
    first = f"#!{sys.executable}\nimport runpy, sys\nimport helper_of_mine\n"
    rest = "sys.argv[1:] = ['well']\nrunpy.run_path(sys.path[0] + '/answers.py')\n"
    main.write_text(first + rest, "utf-8")
    main.chmod(0o755)
    poison(folder / "helper_of_mine.py")
    (folder / "helper_of_mine.pyc").unlink()  # which the digest knows, and Python takes last
    return main


@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("in process", "reduced")])
def test_nor_by_a_program(folder: Path, way: str) -> None:
    main = helper(folder)
    assert start(f"cmd:{shlex.join([sys.executable, str(main)])}", WAYS[way]) == ""


def test_the_poison_works_where_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the tests above would show nothing."""
    poison(folder / "helper_of_mine.py")
    monkeypatch.setattr(compiled_sources, "_OF_FOLDER", sys.path_hooks[-1])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    assert "poisoned" in start(str(folder), WAYS["in process"])
