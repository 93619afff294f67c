"""Writes the JSON Schema files of the package; `make schemas`."""

from pathlib import Path

import arena.schemas
from arena.schemas.outputs import OUTPUTS, file_name, schema_text

FOLDER = Path(arena.schemas.__file__).parent


def main() -> None:
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for command in OUTPUTS:
        (FOLDER / file_name(command)).write_text(schema_text(command), encoding="utf-8")


if __name__ == "__main__":
    main()
