"""New bots from templates: a folder that works as it is, or once it was built."""

from enum import StrEnum
from importlib import resources
from pathlib import Path

from bots.discovery.spec import is_name
from engine.errors import ArenaError

BUILD = "build.sh"  # makes the program, in languages that are compiled


class BotTemplate(StrEnum):
    """With our library, or over stdio in some language."""

    PYTHON = "python"
    PYTHON_STDIO = "python-stdio"
    JAVASCRIPT = "javascript"
    JAVA = "java"
    GO = "go"
    RUST = "rust"
    C = "c"
    CPP = "cpp"
    CSHARP = "csharp"
    LUA = "lua"


def write(name: str, kind: BotTemplate, parent: Path) -> Path:
    """Make the folder; ArenaError if the name will not do or is taken."""
    if not is_name(name):
        raise ArenaError(f"expected a name of letters, digits, - and _, got {name!r}")
    folder = parent / name
    if not parent.is_dir():
        raise ArenaError(f"expected a folder that exists, got {parent}")
    try:
        folder.mkdir()
    except FileExistsError:
        raise ArenaError(f"expected a new folder, got {folder}, which exists") from None
    except OSError as problem:
        raise ArenaError(f"expected to make {folder}, got {problem.strerror}") from None
    for template in resources.files("arena").joinpath("templates", kind.value).iterdir():
        if template.is_file():
            text = template.read_text(encoding="utf-8").replace("NAME", name)
            # By the bot's name, as pytest takes one module of a name in a run.
            made = folder / template.name.replace("test_bot", f"test_{name}")
            made.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                made.chmod(0o755)
    return folder


def next_steps(folder: Path) -> list[str]:
    """What to do with a new bot: the commands, one a line, and what each is for."""
    from shlex import quote

    steps = []
    if (folder / BUILD).exists():
        steps.append(f"build it: {quote(str(folder / BUILD))}")
    steps.append(f"now: arena bot check {quote(spec_of(folder))}")
    if any(folder.glob("test_*.py")):
        steps.append(f"its own test: pip install pytest; pytest {quote(str(folder))}")
    return steps


def spec_of(folder: Path) -> str:
    """How the new bot is called on a command line."""
    return str(folder) if folder.is_absolute() else f"./{folder}"
