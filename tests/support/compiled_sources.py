"""Print a digest of all that decides what the compiler makes, for the Makefile."""

import hashlib
import sys
import tomllib
from pathlib import Path


def main() -> None:
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["wonders-arena"]["compiled"]
    paths = {path for pattern in patterns for path in Path().glob(pattern)}
    digest = hashlib.sha256()
    for path in sorted(paths | {Path("pyproject.toml"), Path("setup.py")}):
        digest.update(f"{path}\n".encode() + path.read_bytes())
    sys.stdout.write(digest.hexdigest()[:16] + "\n")


if __name__ == "__main__":
    main()
