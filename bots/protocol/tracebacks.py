"""What a bot's failure says to its author: the bot's own frames, and the gist in a line."""

import inspect
import os
import re
import traceback
from typing import Final

from bots.discovery.spec import BotError

OURS: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOUSE: Final = os.path.join(OURS, "house")  # bots like any
FRAME: Final = re.compile(r'\s*File "([^"]+)", line (\d+)')
LIBRARY: Final = re.compile(
    r"[/\\]lib[/\\]python|[/\\]site-packages[/\\]|^<frozen|^(?:engine|bots)[/\\]"
)
RAISED: Final = ("exception", "memory")  # faults told by a traceback, from its beginning


def format_bot_traceback(problem: BaseException) -> str:
    """The exception with its traceback from the bot's own code on; without, if it got not there."""
    if isinstance(problem, BotError):
        return f"{problem}\n"
    frame = problem.__traceback__
    while frame is not None and _is_ours(frame.tb_frame.f_code.co_filename):
        frame = frame.tb_next
    return "".join(traceback.format_exception(problem.with_traceback(frame)))


def _is_ours(file: str) -> bool:
    if file.startswith(OURS):
        return not file.startswith(HOUSE)
    if file.startswith("bots/"):  # a compiled module has a relative path
        return not file.startswith("bots/house/")
    return file.startswith("<frozen") or file == inspect.__file__


def summary_line(kind: str, detail: str) -> str:
    """A fault in one line: of a traceback what was raised and where, else what was said first."""
    lines = [line for line in detail.splitlines() if line.strip()]
    if kind in RAISED:
        return _raised(lines) or (lines[-1].strip() if lines else "no word")
    first = lines[0].strip() if lines else "no word"
    # A program's own traceback, among what it printed.
    raised = _raised(lines[1:]) if any(map(FRAME.match, lines)) else ""
    return f"{first}: {raised}" if raised else first


def _raised(lines: list[str]) -> str:
    """What a traceback ends in, with its place in the bot if that is known."""
    frames = [at for at, line in enumerate(lines) if FRAME.match(line)]
    last = frames[-1] + 1 if frames else 0
    ends = (line for line in lines[last:] if not line[0].isspace() and "Traceback (" not in line)
    named = next(ends, "").strip()
    found = [match for at in frames if (match := FRAME.match(lines[at]))]
    # The bot's own line says more than that of a library it called.
    own = [match for match in found if not LIBRARY.search(match[1])] or found
    if not named or not own:
        return named
    return f"{named} ({os.path.basename(own[-1][1])}, line {own[-1][2]})"
