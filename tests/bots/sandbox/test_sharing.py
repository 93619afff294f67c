"""What the workers of a container share is ours, and the same for all of them."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bots.discovery.compiled_sources import CompiledLoader, compile_sources, use_compiled
from bots.discovery.finder import find_bot
from bots.discovery.loader import find_maker, prepare_module
from bots.discovery.spec import BotError, parse_spec
from bots.protocol.warm_up import warm_up
from bots.sandbox import container, visible_paths
from bots.sandbox.container import PRELOADED
from bots.sandbox.shared_imports import shared_imports, sources_of
from tests.bots.sandbox.matches import behind, outcome

FIRST = "def decide(decision):\n    return decision.options[0]\n"
MAX_MODULES = 235
MAX_MAPPINGS = 190
# What a worker does without: each is pages that every fork and exit would pay for.
ABSENT = {
    "asyncio",
    "difflib",
    "email",
    "hashlib",
    "importlib.metadata",
    "logging",
    "msgspec",
    "numpy",
    "pathlib",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "tomllib",
    "zipfile",
}
IMAGE = """
import importlib, sys
import bots.sandbox.zygote
for name in sys.argv[1:]:
    importlib.import_module(name)
with open("/proc/self/maps") as maps:
    print(len(maps.readlines()), *sys.modules)
"""


def write(folder: Path, text: str, name: str = "bot.py") -> str:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def bot_folder(folder: Path, text: str) -> Path:
    write(folder, 'name = "mine"\nversion = "1"\nentry = "mine"\n', "bot.toml")
    write(folder, text, "mine.py")
    return folder


def imports(spec: str) -> list[str]:
    manifest = find_bot(parse_spec(spec))
    return shared_imports(manifest, sources_of(manifest))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's list of mappings is Linux's")
def test_the_image_that_is_forked_is_small() -> None:
    """Fork and exit take as long as the image is large."""
    path = visible_paths.for_python(find_bot(parse_spec("random"))).python_path
    words = [visible_paths.interpreter(), "-P", "-s", "-S", "-B", "-c", IMAGE, *PRELOADED]
    env = {"PYTHONPATH": os.pathsep.join(path), "LD_LIBRARY_PATH": visible_paths.library_path()}
    done = subprocess.run(words, env=env, check=True, capture_output=True, text=True)
    mappings, *modules = done.stdout.split()
    assert ABSENT.isdisjoint(modules)
    assert len(modules) <= MAX_MODULES
    assert int(mappings) <= MAX_MAPPINGS


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("import numpy\n", ["numpy", "numpy.random"]),
        ("import sys, numpy as np, os\n", ["numpy", "numpy.random"]),
        ("from numpy.linalg import norm\n", ["numpy", "numpy.random"]),
        ("import heapq\nfrom csv import reader\n", ["csv", "heapq"]),
        ("def later():\n    import numpy\n", []),
        ("# import numpy\nimport math  # numpy\n", []),
        ("import threading, ctypes, socket\n", []),
        ("x = '''\n\xff", []),
    ],
)
def test_known_imports_are_found_without_a_parser(
    text: str, shared: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("numpy")
    assert imports(write(tmp_path, text)) == shared


def test_a_bots_own_module_is_never_imported_by_the_zygote(tmp_path: Path) -> None:
    """Its own wins, as in any Python program; and it is loaded behind all walls."""
    folder = bot_folder(
        tmp_path / "mine",
        "import os, numpy, heapq\n"
        "def decide(decision):\n"
        "    assert numpy.MINE == heapq.MINE == os.getpid(), 'not loaded in this worker'\n"
        "    return decision.options[0]\n",
    )
    write(folder, "import os\nMINE = os.getpid()\n", "heapq.py")
    (folder / "numpy").mkdir()
    write(folder / "numpy", "import os\nMINE = os.getpid()\n", "__init__.py")
    assert imports(str(folder)) == []
    with behind(str(folder)) as bot:
        for _ in range(2):
            assert outcome(bot) == ("well", "")


def test_a_folder_that_cannot_be_read_shares_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> list[Path]:
        raise PermissionError(13, "denied", str(folder))

    folder = bot_folder(tmp_path / "mine", "import heapq\n")
    assert imports(str(folder)) == ["heapq"]
    monkeypatch.setattr("bots.sandbox.shared_imports.walk_files", refuse)
    assert imports(str(folder)) == []


def test_a_file_named_as_a_package_is_not_taken_for_it(tmp_path: Path) -> None:
    assert imports(write(tmp_path, "import numpy, heapq\n", "numpy.py")) == ["heapq"]


def test_what_a_match_leaves_in_shared_modules_is_gone(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    text = (
        "import heapq, random, sys, numpy, bots.api, engine.catalog\n"
        "SHARED = (heapq, random, sys, numpy, numpy.random, bots.api, engine.catalog)\n"
        "def decide(decision):\n"
        "    assert not [each for each in SHARED if hasattr(each, 'seen')], 'remembered'\n"
        "    for each in SHARED:\n"
        "        each.seen = True\n"
        "    decide.__code__ = (lambda decision: 'changed').__code__\n"
        "    return decision.options[0]\n"
    )
    with behind(write(tmp_path, text)) as bot:
        for _ in range(3):
            assert outcome(bot) == ("well", "")


def test_numpys_dice_are_the_matchs(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    text = "import numpy\ndef decide(decision):\n    raise OSError(numpy.random.random())\n"
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot, 5) == outcome(bot, 5) != outcome(bot, 6)


def test_sources_are_compiled_once_and_loaded_in_workers(tmp_path: Path) -> None:
    text = (
        "import mine_too\n"
        "def decide(decision):\n"
        "    raise KeyError(len(__loader__.known), len(mine_too.__loader__.known))\n"
    )
    folder = bot_folder(tmp_path / "mine", text)
    write(folder, "", "mine_too.py")
    with behind(str(folder)) as bot:
        end = time.monotonic() + 60
        while time.monotonic() < end and "KeyError: (2, 2)" not in outcome(bot)[1]:
            pass
        assert "KeyError: (2, 2)" in outcome(bot)[1]


@pytest.mark.parametrize(
    "text",
    [
        "def decide(decision:\n",
        "x = " + "-" * 900_000 + "1\n",
        "x = " + "(" * 90 + "1" + ")" * 90 + "[0]" * 100_000 + "\n",
        "x = 1" + " + 1" * 200_000 + "\n",
        "\x00",
    ],
    ids=["syntax", "signs", "indices", "sums", "null"],
)
def test_a_source_that_cannot_be_compiled_is_the_bots_fault(text: str, tmp_path: Path) -> None:
    with behind(write(tmp_path, text + FIRST)) as bot:
        for _ in range(2):
            assert outcome(bot)[0] in ("exception", "crash", "memory")


def test_compiled_sources_are_used_while_the_file_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CompiledLoader, "known", {})
    file = write(tmp_path, "WHAT = 1\n")
    before = os.stat(file)
    use_compiled(compile_sources([file, f"{file}.none"]))
    assert list(CompiledLoader.known) == [file]
    code = CompiledLoader("bot", file).get_code("bot")
    assert code is not None
    assert code.co_filename == file
    write(tmp_path, "WHAT = 2\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert CompiledLoader("bot", file).get_code("bot") == code
    write(tmp_path, "WHAT = 23\n")
    assert CompiledLoader("bot", file).get_code("bot") != code


def test_what_warns_is_compiled_where_the_bot_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CompiledLoader, "known", {})
    file = write(tmp_path, "WHAT = 1 is 1\n")
    use_compiled(compile_sources([file]))
    assert not CompiledLoader.known


def test_a_module_that_is_ready_is_used_once(tmp_path: Path) -> None:
    """Two bots of one process have two modules."""
    manifest = find_bot(parse_spec(write(tmp_path, "class Mine:\n    decide = 1\n")))
    prepare_module(os.path.join(manifest.folder, manifest.entry))
    first, second = find_maker(manifest), find_maker(manifest)
    assert first is not second


def test_warming_up_leaves_nothing_behind() -> None:
    before = [*sys.path], {*sys.modules}, [*sys.path_hooks]
    state = random.getstate()
    warm_up()
    random.setstate(state)
    assert ([*sys.path], {*sys.modules}, [*sys.path_hooks]) == before
    assert not CompiledLoader.known


def test_dice_thrown_while_a_bot_is_loaded_are_the_matchs(tmp_path: Path) -> None:
    text = "import random\nX = random.random()\ndef decide(decision):\n    raise KeyError(X)\n"
    with behind(write(tmp_path, text)) as bot:
        assert outcome(bot, 5) == outcome(bot, 5) != outcome(bot, 6)


def test_too_many_letters_are_the_bots_doing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "MAX_ORDER", 100)
    bot = tmp_path / "bot.py"
    bot.write_text("def decide(decision):\n    return decision.options[0]\n", encoding="utf-8")
    with pytest.raises(BotError, match="names of a bot's files"), behind(str(bot)):
        pass


def test_nothing_compiles_while_a_bot_plays(tmp_path: Path) -> None:
    """It would share the processor, and a bot that waits for it would be called starved."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def decide(decision):\n    raise OSError(len(type(__loader__).known))\n", encoding="utf-8"
    )
    with behind(str(bot)) as chair:
        assert "OSError: 1" in outcome(chair)[1]


BOOKS = """
import gc

def decide(decision):
    gc.unfreeze()
    for thing in gc.get_objects():
        if type(thing).__name__ == "Zygote":
            raise LookupError([thing.peak, thing.ended, thing.workers, thing.end])
"""


def test_a_worker_has_no_account_of_those_before_it(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOOKS, encoding="utf-8")
    with behind(str(bot)) as chair:
        found = {outcome(chair)[1].splitlines()[-1] for _ in range(4)}
    assert found == {"LookupError: [0, {}, {}, 0.0]"}
