"""Compile the engine where a C compiler is at hand; WONDERS_ARENA_COMPILE=0 or =1 decides."""

import os
import shutil
import sys
import sysconfig
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
    """The engine, the house bots' evaluation and the arithmetic of ratings.

    Package files stay interpreted.
    """
    folders = (Path("engine"), Path("bots/house/evaluation"))
    found = [path for folder in folders for path in folder.rglob("*.py")]
    compiled = sorted(str(path) for path in found if path.name != "__init__.py")
    return [*compiled, "leagues/ratings/trueskill_kernel.py"]


def extensions() -> list[object]:
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
        ["--config-file", "pyproject.toml", *sources()], opt_level="3", group_name="wonders_arena"
    )
    for module in modules:
        # Hidden functions cannot be replaced at load time, so the compiler may inline them.
        module.extra_compile_args.append("-fvisibility=hidden")
    return list(modules)


setup(ext_modules=extensions())
