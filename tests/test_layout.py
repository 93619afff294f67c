"""What no import contract says: the engine needs nothing that is not always there."""

import ast
import sys

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
