"""What no import contract says: rules of the layout, and what the engine may need."""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

from setuptools import find_packages

from tests.support.command import ROOT

ALLOWED = sys.stdlib_module_names | {"engine", "librt", "mypy_extensions"}


def test_the_engine_imports_the_standard_library_and_number_types_alone() -> None:
    found = set()
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                found.add((node.module or "").partition(".")[0])
    assert found
    assert found <= ALLOWED


PACKAGES = ("engine", "bots", "leagues", "arena")
MAX_MODULES = 14  # of a folder
MAX_MODULE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_COMMAND_LINES = 40  # its options included
METAPHORS = {
    *("hall", "parlour", "shelf", "ways", "film", "desk", "gate", "bench", "cabinet", "ground"),
    *("charter", "holds", "reception", "scorebook", "insight", "rehearsal", "practice", "parcel"),
}
# One field a line.
LONG_FUNCTIONS = {"engine/architects/state.py:__init__"}


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    """The modules of the product; templates are programs of their own."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT)
            if "templates" not in name.parts and "versions" not in name.parts:
                found.append((name, ast.parse(path.read_text(encoding="utf-8"))))
    return found


def test_every_module_has_a_docstring() -> None:
    assert [str(path) for path, tree in modules() if not ast.get_docstring(tree)] == []


def test_a_class_name_exists_once() -> None:
    found = defaultdict(list)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path))
    shared = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert shared == {}


def test_a_folder_has_few_modules() -> None:
    count: dict[Path, int] = defaultdict(int)
    for path, _ in modules():
        count[path.parent] += path.name != "__init__.py"
    assert {str(path): n for path, n in count.items() if n > MAX_MODULES} == {}


def test_modules_and_functions_are_short() -> None:
    long_modules = []
    long_functions = set()
    for path, tree in modules():
        if len((ROOT / path).read_text(encoding="utf-8").splitlines()) > MAX_MODULE_LINES:
            long_modules.append(str(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES:
                    long_functions.add(f"{path}:{node.name}")
    assert long_modules == []
    assert long_functions <= LONG_FUNCTIONS


def test_a_command_is_a_page_of_options_and_one_call() -> None:
    longest = {}
    for path, tree in modules():
        if path.parts[:2] == ("arena", "cli"):
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    longest[f"{path}:{node.name}"] = (node.end_lineno or 0) - node.lineno + 1
    assert longest
    assert {name: n for name, n in longest.items() if n > MAX_COMMAND_LINES} == {}


def test_no_module_is_named_by_a_metaphor() -> None:
    assert [str(path) for path, _ in modules() if path.stem in METAPHORS] == []


def test_the_compiler_needs_no_more_than_the_build_requires() -> None:
    """It reads all that compiled modules import, on a machine where nothing else is installed."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = {re.split(r"[\[<>=]", each)[0] for each in settings["build-system"]["requires"]}
    untyped = {
        name.partition(".")[0]
        for each in settings["tool"]["mypy"]["overrides"]
        if each.get("ignore_missing_imports")
        for name in each["module"]
    }
    patterns = settings["tool"]["wonders-arena"]["compiled"]
    waiting = {path for pattern in patterns for path in ROOT.glob(pattern)}
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for name in _imported_names(path):
            top = name.partition(".")[0]
            if top in PACKAGES:
                file = ROOT / name.replace(".", "/")
                waiting |= {
                    found
                    for found in (file.with_suffix(".py"), file / "__init__.py")
                    if found.exists() and found not in seen
                }
            else:
                known = top in sys.stdlib_module_names | required | untyped | {"mypy_extensions"}
                assert known, f"{path.relative_to(ROOT)} imports {name}"


def _imported_names(path: Path) -> set[str]:
    """Modules that a file imports, with what it imports from them, which may be modules too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_every_package_is_in_the_wheel() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    include = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    listed = set(find_packages(str(ROOT), include=include))
    assert {".".join(path.parent.parts) for path, _ in modules()} <= listed
    assert {name.partition(".")[0] for name in listed} == set(PACKAGES)
