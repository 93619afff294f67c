"""A bot's notes on its decisions: lines among what it prints, each with the number of its question.

They are stored, shown and kept from strangers like everything that a bot prints.
"""

import re
from collections.abc import Iterable
from typing import Final

MAX_NOTE: Final = 500  # characters
NOTE: Final = re.compile(r"^\[note (\d{1,6})\] (.*)$")


def write_note(question: int, text: str) -> str:
    """A note on a question, counted from 0 in the match of its seat, as a line without its end."""
    return f"[note {question}] {' '.join(str(text).split())[:MAX_NOTE]}"


def read_notes(printed: str) -> tuple[dict[int, list[str]], str]:
    """The notes by question, and what was printed besides."""
    notes: dict[int, list[str]] = {}
    rest = []
    for line in printed.splitlines():
        found = NOTE.match(line)
        if found:
            notes.setdefault(int(found[1]), []).append(found[2])
        else:
            rest.append(line)
    return notes, "\n".join(rest)


def notes_by_decision(printed: str, decisions: Iterable[int]) -> dict[int, list[str]]:
    """The notes of a seat by the numbers of its decisions in the match."""
    notes, _ = read_notes(printed)
    numbers = list(decisions)
    return {numbers[at]: texts for at, texts in notes.items() if at < len(numbers)}
