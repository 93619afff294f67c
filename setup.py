"""Compile the engine and the way of a decision; WONDERS_ARENA_COMPILE=0 or =1 decides.

Without it, what has no C compiler at hand stays interpreted.
"""

import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

from setuptools import setup


def obstacle() -> str | None:
    """What stands in the way of compiling, if anything does."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"no C compiler {compiler}"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "no Python headers"
    return None


def sources() -> list[str]:
    """What pyproject.toml says is compiled; package files stay interpreted."""
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["wonders-arena"]["compiled"]
    found = {str(path) for pattern in patterns for path in Path().glob(pattern)}
    return sorted(name for name in found if not name.endswith("__init__.py"))


def only_metadata() -> bool:
    """Whether this run asks for names and requirements, as pip does twice before it builds."""
    return not {"egg_info", "dist_info", "sdist"}.isdisjoint(sys.argv[1:])


def extensions() -> list[object]:
    if only_metadata():
        return []
    switch = os.environ.get("WONDERS_ARENA_COMPILE", "auto")
    if switch not in ("0", "1", "auto"):
        sys.exit(f"expected WONDERS_ARENA_COMPILE to be 0, 1 or auto, got {switch}")
    reason = "switched off" if switch == "0" else obstacle()
    if reason is not None:
        if switch == "1":
            sys.exit(f"expected to compile the engine, got {reason}")
        print(f"wonders-arena: the engine stays interpreted: {reason}", file=sys.stderr)  # noqa: T201
        return []
    from mypyc.build import mypycify

    modules = mypycify(
        [
            "--config-file",
            "pyproject.toml",
            # The sandbox's modules call what only Linux has; elsewhere they are never asked to.
            "--platform",
            "linux",
            # What they import is read for its types, and need not find all that it imports in turn:
            # a build has only what [build-system] names.
            "--follow-imports",
            "silent",
            *sources(),
        ],
        opt_level="3",
        group_name="wonders_arena",
    )
    for module in modules:
        # Hidden functions cannot be replaced at load time, so the compiler may inline them.
        module.extra_compile_args.append("-fvisibility=hidden")
    return list(modules)


setup(ext_modules=extensions())
