"""One attack as every kind of bot: strict, with threads, and as a program."""

import shutil
import sys
from pathlib import Path

KINDS = ("strict", "threads", "program")


def bot_of(kind: str, source: str, folder: Path) -> str:
    """The spec of a bot of this kind made of one source, which is a Python bot and a program."""
    folder = folder / "mine"
    folder.mkdir()
    shutil.copy(source, folder / "bot.py")
    if kind == "program":
        return f"cmd:{sys.executable} {folder}/bot.py"
    facts = 'name = "mine"\nversion = "1"\nentry = "bot.py"\n'
    if kind == "threads":
        facts += "threads = true\n"
    (folder / "bot.toml").write_text(facts, encoding="utf-8")
    return str(folder)
