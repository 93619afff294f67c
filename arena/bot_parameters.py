"""The parameters that a bot takes, told without running any of a stranger's code."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.discovery.manifest import Manifest, Source
from bots.discovery.regular_file import read_regular

if TYPE_CHECKING:
    from bots.api import Maker

MAX_SOURCE = 1_000_000  # bytes


@dataclass(frozen=True)
class DeclaredParameter:
    """A parameter as it is written in the bot's source."""

    name: str
    type: str | None
    default: str | None  # None where a value must be given
    meaning: str | None


def declared_parameters(manifest: Manifest) -> list[DeclaredParameter] | None:
    """Those of a Python bot whose source can be read; None where they cannot be told."""
    if manifest.source is Source.HOUSE:
        return _of_house(manifest.name)
    module, _, attribute = manifest.entry.partition(":")
    if manifest.source not in (Source.FILE, Source.FOLDER):
        return None
    file = module if module.endswith(".py") else f"{module.replace('.', '/')}.py"
    try:
        content = read_regular(Path(manifest.folder) / file, MAX_SOURCE, False)
        source = content.decode("utf-8-sig")
        return _of_source(ast.parse(source), source.splitlines(), attribute)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # `bot check` says what is wrong with it


def house_makers() -> dict[str, Maker]:
    """How each built-in bot is made."""
    from bots.house import register_bots

    makers: dict[str, Maker] = {}

    def register(name: str, make: Maker) -> None:
        makers[name] = make

    register_bots(register)
    return makers


def _of_house(name: str) -> list[DeclaredParameter]:
    from bots.house import PARAMETERS

    if not PARAMETERS[name]:
        return []
    known = inspect.signature(house_makers()[name], eval_str=True).parameters
    return [
        DeclaredParameter(key, known[key].annotation.__name__, repr(known[key].default), meaning)
        for key, meaning in PARAMETERS[name].items()
    ]


def _of_source(
    tree: ast.Module, lines: list[str], attribute: str
) -> list[DeclaredParameter] | None:
    """Those of the class that is named, or of the only one with a method `decide`."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    if "register_bots" in functions and not attribute:
        return None
    if (attribute or "decide") in functions:
        return []  # a plain function
    wanted = [node for node in classes.values() if _method(node, "decide")]
    chosen = classes.get(attribute) if attribute else wanted[0] if len(wanted) == 1 else None
    if chosen is None:
        return None
    made = _method(chosen, "__init__")
    if made is None:
        bases = [getattr(base, "id", getattr(base, "attr", "")) for base in chosen.bases]
        return [] if set(bases) <= {"Bot"} else None
    given = made.args
    positional = [*given.posonlyargs, *given.args]
    missing = [None] * (len(positional) - len(given.defaults))
    defaults = [*missing, *given.defaults, *given.kw_defaults]
    found = zip([*positional, *given.kwonlyargs], defaults, strict=True)
    return [_declared(arg, default, lines) for arg, default in list(found)[1:]]


def _method(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == name:
            return each
    return None


def _declared(arg: ast.arg, default: ast.expr | None, lines: list[str]) -> DeclaredParameter:
    """A parameter with the comment behind it, if it has a line of its own."""
    line = lines[arg.lineno - 1]
    alone = line.strip().startswith(arg.arg)
    meaning = line.partition("  # ")[2].strip() if alone else ""
    kind = ast.unparse(arg.annotation) if arg.annotation else None
    return DeclaredParameter(
        arg.arg, kind, None if default is None else ast.unparse(default), meaning or None
    )
