"""Errors that the sandbox is the cause of say so in a line."""

from pathlib import Path

import pytest

from bots.discovery.manifest import Manifest, Source
from bots.discovery.sandbox_hints import sandbox_hint, taken_names

PROGRAM = Manifest("p", "", Source.COMMAND, "node bot.js")
FILE = Manifest("f", "", Source.FILE, "f.py", "/nowhere")
CAUSED = {
    "thread": (FILE, "RuntimeError: can't start new thread", "threads = true"),
    "socket": (
        FILE,
        "socket.py, line 1\nPermissionError: [Errno 1] Operation not permitted",
        "network",
    ),
    "lookup": (FILE, "socket.gaierror: Temporary failure in name resolution: EPERM", "network"),
    "write": (FILE, "OSError: [Errno 30] Read-only file system: 'x'", "writing files"),
    "rust": (
        PROGRAM,
        'Os { code: 13, kind: PermissionDenied, message: "Permission denied" }',
        "writing",
    ),
    "absent": (
        FILE,
        "FileNotFoundError: [Errno 2] No such file or directory: '/etc/hosts'",
        "own files",
    ),
}


@pytest.mark.parametrize(("manifest", "detail", "words"), CAUSED.values(), ids=CAUSED)
def test_the_cause_is_named_with_its_page(manifest: Manifest, detail: str, words: str) -> None:
    hint = sandbox_hint(manifest, detail)
    assert words in hint
    assert "docs/" in hint
    assert "\n" not in hint


def test_a_module_beside_one_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("", "utf-8")
    alone = Manifest("f", "", Source.FILE, "f.py", str(tmp_path))
    missing = "ModuleNotFoundError: No module named 'helper'"
    assert "put helper.py in a folder" in sandbox_hint(alone, missing)
    assert sandbox_hint(alone, missing.replace("helper", "elsewhere")) == ""


def test_a_module_with_the_name_of_a_package_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("", "utf-8")
    (tmp_path / "bots").mkdir()
    assert taken_names(Manifest("f", "1", Source.FOLDER, "bot.py", str(tmp_path))) == [
        "bots",
        "engine.py",
    ]
    assert taken_names(Manifest("f", "", Source.FILE, "f.py", str(tmp_path))) == []


@pytest.mark.parametrize("detail", ["", "ValueError: no", "ZeroDivisionError: division by zero"])
def test_a_bots_own_error_has_no_hint(detail: str) -> None:
    assert sandbox_hint(FILE, detail) == ""
