"""Lay the uncompiled files of the product over the installed ones, without compiling again.

    python tests/support/install_sources.py build/pure

The folder holds what setuptools puts into a wheel: a file that the wheel would lack is not copied.
"""

import shutil
import sys
import sysconfig
from pathlib import Path

PACKAGES = ("arena", "bots", "engine", "leagues")


def files_below(root: Path) -> set[Path]:
    """Every file of the packages, relative to the root, but no caches."""
    found = (path for package in PACKAGES for path in (root / package).rglob("*"))
    return {
        path.relative_to(root)
        for path in found
        if path.is_file() and "__pycache__" not in path.parts
    }


def install(source: Path, target: Path) -> tuple[int, int]:
    """Copy what differs and remove what is gone; the numbers of both. Extensions stay."""
    wanted = files_below(source)
    gone = {p for p in files_below(target) - wanted if p.suffix != ".so"}
    changed = 0
    for path in wanted:
        old, new = target / path, source / path
        if not old.exists() or old.read_bytes() != new.read_bytes():
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(new, old)
            changed += 1
    for path in gone:
        (target / path).unlink()
    return changed, len(gone)


def main() -> None:
    changed, gone = install(Path(sys.argv[1]), Path(sysconfig.get_path("purelib")))
    sys.stdout.write(f"installed {changed} changed files, removed {gone}\n")


if __name__ == "__main__":
    main()
