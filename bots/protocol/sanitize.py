"""Strangers' words made fit for a terminal, a database and a page: here, and nowhere else."""

import re
from typing import Final

MARK: Final = "[...] "
UNFIT: Final = "\ufffd"
# What a terminal obeys: control sequences, commands up to their terminator, single escapes.
ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# C0 and C1 but tab and newline, surrogates, marks that turn the direction of text, line separators.
CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


def clean(words: str | bytes, most: int) -> str:
    """The words without anything that is acted upon; of too many the end, behind a mark."""
    if isinstance(words, bytes):
        words = words.decode("utf-8", "replace")
    text = CONTROLS.sub(UNFIT, ESCAPES.sub("", words.replace("\r\n", "\n")))
    return text if len(text) <= most else MARK + text[len(MARK) - most :]
