"""What the sandbox promises at each level, found by attacks; writes its table in docs/sandbox.md.

`python -m tests.bots.sandbox.promises` after a change that was meant.
"""

import ast
import json
import os
import re
import tempfile
from pathlib import Path
from unittest.mock import patch

from bots.chairs.clock import TICK
from bots.sandbox import container
from bots.sandbox.container import Layers
from bots.sandbox.lockdown import MAX_THREADS, MEGABYTE, PYTHON_LIMITS
from bots.sandbox.probe import Level, guarantees
from tests.bots.sandbox import calls, hungry, thief, witness
from tests.bots.sandbox.kinds import bot_of
from tests.bots.sandbox.matches import LEVELS, behind, outcome
from tests.bots.sandbox.test_memory import MOST, PIPES, eaten
from tests.bots.sandbox.test_theft import played

PAGE = Path(__file__).parents[3] / "docs" / "sandbox.md"
MARK = "<!-- made by tests/bots/sandbox/promises.py -->"
TABLE = re.compile(rf"{MARK}\n(?:\|.*\n)+")
OF_THE_MACHINE = ("dumps",)  # not seen by a bot


def seen(layers: Layers, folder: Path) -> dict[str, bool]:
    """Which promises were kept when a bot tried to have them broken."""
    charged, computed, others = played(_bot("strict", thief.__file__, folder), layers)
    few = PYTHON_LIMITS | {"AS": MOST * MEGABYTE}
    with patch.object(container, "PYTHON_LIMITS", few):
        hunger = eaten(_told(_bot("strict", hungry.__file__, folder), layers))
    through = ast.literal_eval(_last_word(_told(_bot("strict", calls.__file__, folder), layers)))
    alone = json.loads(_last_word(_told(_bot("strict", witness.__file__, folder), layers)))
    told = _told(_bot("threads", witness.__file__, folder), layers)
    return {
        "time": others == 0 and computed - charged <= 2 * TICK,
        "memory": sum(hunger.values()) <= MOST + PIPES,
        "processes": not through,
        "files": not alone["files"],
        "host": alone["name"] != os.uname().nodename and alone["parents"] in ([], [0], [1]),
        "threads": alone["threads"] == 0 and json.loads(_last_word(told))["threads"] <= MAX_THREADS,
    }


def _bot(kind: str, source: str, folder: Path) -> str:
    return bot_of(kind, source, Path(tempfile.mkdtemp(dir=folder)))


def _told(spec: str, layers: Layers) -> str:
    with behind(spec, layers) as bot:
        return outcome(bot, seconds=60)[1]


def _last_word(detail: str) -> str:
    return detail.strip().splitlines()[-1].removeprefix("LookupError: ")


def table(found: dict[str, dict[str, bool]]) -> str:
    """What was seen at every level, as the page has it, beside what the doctor says of it."""
    meaning = {each.name: each.found for each in guarantees(LEVELS[Level.FULL])}
    lines = [f"| promise | {' | '.join(f'`{level}`' for level in LEVELS)} | how |"]
    lines.append(f"| --- |{' --- |' * len(LEVELS)} --- |")
    for name in found[Level.FULL]:
        kept = ["kept" if found[level][name] else "no" for level in LEVELS]
        lines.append(f"| {name} | {' | '.join(kept)} | {meaning[name]} |")
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    """Write what is seen here into the page."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        found = {level: seen(layers, Path(folder)) for level, layers in LEVELS.items()}
    text = PAGE.read_text("utf-8")
    made = f"{MARK}\n{table(found)}"
    PAGE.write_text(TABLE.sub(lambda _: made, text), "utf-8")


if __name__ == "__main__":
    main()
