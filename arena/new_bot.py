"""New bots from templates: a folder that works as it is."""

from enum import StrEnum
from importlib import resources
from pathlib import Path

from bots.discovery.manifest_reader import is_name
from engine.errors import ArenaError


class BotTemplate(StrEnum):
    """With our library, or over stdio in any language."""

    PYTHON = "python"
    STDIO = "stdio"


def write(name: str, kind: BotTemplate, parent: Path) -> Path:
    """Make the folder; ArenaError if the name will not do or is taken."""
    if not is_name(name):
        raise ArenaError(f"expected a name of letters, digits, - and _, got {name!r}")
    folder = parent / name
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise ArenaError(f"expected a new folder, got {folder}, which exists") from None
    except OSError as problem:
        raise ArenaError(f"expected to make {folder}, got {problem.strerror}") from None
    for template in resources.files("arena").joinpath("templates", kind.value).iterdir():
        if template.is_file():
            text = template.read_text(encoding="utf-8").replace("NAME", name)
            made = folder / template.name
            made.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                made.chmod(0o755)
    return folder


def spec_of(folder: Path) -> str:
    """How the new bot is called on a command line."""
    return str(folder) if folder.is_absolute() else f"./{folder}"
